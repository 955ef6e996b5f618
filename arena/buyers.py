"""How a buyer that knows the two-sided game plays a match."""

import logging

from arena.engine.moves import ArenaMove, Bid, Hold, Leave, Take
from arena.engine.observe import ArenaObservation, as_duel
from arena.engine.playing import Player
from arena.engine.scenario import MOST_BUYERS, ArenaScenario
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.quantities import Paise, clamp_price
from negotiation.policies import policy

log = logging.getLogger(__name__)

STAND_IN = "rules:smart"
"""Plays on for a person when nobody is there to ask."""

RAISE_OF_ASK = 0.02
"""How much an outbid buyer that would not move on its own raises its bid, as a share of the ask."""


def contested(seen: ArenaObservation, move: Move) -> ArenaMove:
    """Turn a move of the two-sided game into one of a match.

    A bid never goes down. Whoever has been outbid and still wants the item raises a little.
    """
    own, most = seen.own_bid, min(seen.budget, seen.standing_ask)
    if isinstance(move, Accept):
        return Take(move.text) if seen.standing_ask <= seen.budget else Hold(move.text)
    if not isinstance(move, Offer):
        return Leave(move.text)
    price = move.price
    if seen.outbid and own is not None and price <= own:
        price = clamp_price(own + RAISE_OF_ASK * seen.standing_ask)
    price = Paise(max(min(price, most), own or 0))
    return Hold(move.text) if price == own else Bid(price, move.text)


def player(policy_name: str, seed: int, seat: int) -> Player:
    """Seat a registered policy at a match, in its plain form.

    Args:
        policy_name: as registered.
        seed: of the match; two seats with one policy play differently.
        seat: counted from 0.

    Raises:
        UnknownPolicy: with the names that exist.
    """
    buyer = policy(policy_name).make(MOST_BUYERS * seed + seat)

    def act(seen: ArenaObservation) -> ArenaMove:
        try:
            return contested(seen, buyer.act(as_duel(seen)))
        # A policy is foreign code: whatever it does, the match goes on.
        except Exception:
            log.exception("policy failed in a match", extra={"policy": policy_name})
            return Hold()

    return act


def player_of(scenario: ArenaScenario, seat: int) -> Player:
    """Make the player that a seat of this match is pinned to; a stand-in for a person."""
    chair = scenario.seats[seat]
    return player(STAND_IN if chair.person else chair.policy, scenario.sealed.seed, seat)
