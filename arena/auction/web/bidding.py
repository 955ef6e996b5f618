"""How buyers of the two-sided game bid among rivals: one rule, and a row of numbers for each."""

import hashlib
from pathlib import Path
from random import Random

import msgspec

from agents.buyers.steering import believe
from agents.text.rounding import people_price
from bazaarbatna.auction.events import ArenaMove, Bid, Hold, Leave, Signal, Take
from bazaarbatna.auction.observe import ArenaObservation
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.word_tables import read_table

NUMBER = 4
"""Version of the rule that reads this table."""

CALM_RAISE, URGENT_RAISE = 1.25, 0.75
"""Factors on the raise of a buyer who reads the seller: believed urgency 0, and 1."""

RESTED = 3
"""Asks in a row that are the same: then the seller is at its limit, or as good as there."""

LEAST_RAISE = 0.01
"""Of the ask: what an outbid buyer adds at least, if it would pay that much."""


class Manner(msgspec.Struct, frozen=True):
    """One row of the table; shares are 0..1 unless said.

    Attributes:
        keeps: of its planned step, what a buyer in front still makes: the ask comes down to it.
        raises: of the way from its bid to the most it would pay, what an outbid buyer goes.
        most: of its budget, what rivals can drive it to.
        takes: of its budget, up to which an outbid buyer takes the ask before a rival does.
        patience: rounds in a row of being outbid until it leaves an ask above ``most``.
        heeds, returns: factor on a raise against a rival's "compete"; while all "cooperate".
        opens, leads, trails: the sign it gives before its first bid, in front, and outbid.
        bluffs: chance, while it is outbid, of the sign "bluff" and no raise.
        reads: its raise follows what the seller shows: slower before one in a hurry.
        voice: whose lines it speaks at the table.
    """

    keeps: float = 1.0
    raises: float = 0.3
    most: float = 1.0
    takes: float = 0.0
    patience: int | None = None
    heeds: float = 1.0
    returns: float = 1.0
    opens: Signal | None = None
    leads: Signal | None = None
    trails: Signal | None = None
    bluffs: float = 0.0
    reads: bool = False
    voice: str = ""


PLAIN = Manner(voice="base")  # no row: no signs, its own bids, a raise when outbid

MANNERS = read_table(Path(__file__).with_name("manners.toml"), dict[str, Manner])

LINE_UP = ("rules:aggressive", "rules:smart", "rules:og", "sauda")
"""The four who usually play; the third is the base model's seat."""


def manner_of(policy_name: str) -> Manner:
    """Return a policy's manner; the forms of one policy share it (``sauda:local``)."""
    return MANNERS.get(policy_name) or MANNERS.get(policy_name.partition(":")[0], PLAIN)


def manner_version(policy_name: str) -> str:
    """Return six hex digits for the manner; part of the version of a seat."""
    text = msgspec.json.encode((NUMBER, manner_of(policy_name)), order="sorted")
    return hashlib.sha256(text).hexdigest()[:6]


def contested(
    seen: ArenaObservation, move: Move, manner: Manner = PLAIN, seed: int = 0
) -> ArenaMove:
    """Return the move of a match that a move of the two-sided game becomes, with its words.

    A bid never goes down and never passes the budget or the ask; in the last round an outbid buyer
    goes all the way to the most it would pay.
    """
    bluffs = _bluffs(seen, manner, seed)
    signal = "bluff" if bluffs else _sign(seen, manner)
    if _takes(seen, move, manner):
        return Take(move.text, signal)
    fed_up = _is_fed_up(seen, manner) or _cannot_win(seen, manner)
    if not isinstance(move, Accept | Offer) or fed_up:
        return Leave(move.text)
    own, most = seen.own_bid, min(seen.budget, seen.standing_ask)
    wish = own if bluffs and own is not None else _price(seen, move, manner)
    price = Paise(max(min(wish, most), own or 0))
    return Hold(move.text, signal) if price == own else Bid(price, move.text, signal)


def _bluffs(seen: ArenaObservation, manner: Manner, seed: int) -> bool:
    if not manner.bluffs or not seen.outbid or seen.own_bid is None or seen.rounds_left == 0:
        return False
    return Random(f"{seed}:{seen.round}:bluff").random() < manner.bluffs


def _sign(seen: ArenaObservation, manner: Manner) -> Signal | None:
    if seen.own_bid is None:
        return manner.opens
    return manner.trails if seen.outbid else manner.leads


def _takes(seen: ArenaObservation, move: Move, manner: Manner) -> bool:
    if isinstance(move, Accept) and seen.standing_ask <= seen.budget:
        return True
    return seen.outbid and seen.standing_ask <= manner.takes * seen.budget


def _is_fed_up(seen: ArenaObservation, manner: Manner) -> bool:
    out_of_reach = seen.standing_ask > manner.most * seen.budget
    return manner.patience is not None and seen.outbid_rounds >= manner.patience and out_of_reach


def _cannot_win(seen: ArenaObservation, manner: Manner) -> bool:
    """Whether it bids all it would and is behind, or an ask above its budget has come to rest."""
    if seen.own_bid is None or seen.standing_ask <= seen.budget:
        return False
    left = manner.most * seen.budget - seen.own_bid
    rests = seen.asks[-RESTED:] == (seen.standing_ask,) * RESTED
    return rests or (seen.outbid and left < LEAST_RAISE * seen.standing_ask)


def _price(seen: ArenaObservation, move: Accept | Offer, manner: Manner) -> Paise:
    own, planned = seen.own_bid, move.price if isinstance(move, Offer) else seen.budget
    if own is None:
        return _said(seen, planned)
    if seen.leads:
        return _said(seen, own + manner.keeps * (planned - own))
    limit = min(manner.most * seen.budget, seen.standing_ask)
    if seen.rounds_left == 0:
        wish = max(planned, limit)
        return seen.standing_ask if wish >= seen.standing_ask else _said(seen, wish)
    step = min(manner.raises * _factor(seen, manner), 1.0) * (limit - own)
    raised = own + max(step, min(LEAST_RAISE * seen.standing_ask, limit - own))
    return _said(seen, max(planned, raised))


def _factor(seen: ArenaObservation, manner: Manner) -> float:
    factor = 1.0
    if "compete" in seen.signals:
        factor *= manner.heeds
    elif seen.signals.count("cooperate") >= max(seen.rivals, 1):
        factor *= manner.returns
    if manner.reads:
        conceded = seen.asks[-2] - seen.asks[-1] if len(seen.asks) > 1 else 0
        urgency = believe(seen.tells, seen.persona, conceded, seen.standing_ask).urgency
        factor *= CALM_RAISE + (URGENT_RAISE - CALM_RAISE) * urgency
    return factor


def _said(seen: ArenaObservation, price: float) -> Paise:
    """Name a price as people do, in round numbers."""
    own = seen.own_bid
    rounded = people_price(price, seen.standing_ask, None if own is None else price - own)
    return rounded if own is None else max(rounded, own)
