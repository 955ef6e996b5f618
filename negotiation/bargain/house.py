"""How others do with a person's cards: players of the house, and people with the same goods.

Players of the house take the person's chair against the opponent who sat there: same goods, sealed
values and luck. They play in silence; the opponent's plain form stands for a model, as in every
continuation.
"""

import logging

import msgspec
from django.db.models import Count, Q

from negotiation.bargain.players import BUYERS, Player, PolicyPlayer, luck_seed
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.sessions import side_of
from negotiation.bargain.shops import SHOPS
from negotiation.engine.episode import State, start
from negotiation.engine.quantities import Side, other
from negotiation.models import DAILY, Game
from negotiation.policies import policies
from negotiation.ttl_cache import cached

HOUSE = 40
"""Games of the house with one set of cards, its players taking turns."""

KEPT_S = 3600.0

LEVEL = 0.005
"""Shares of the zone that differ by no more are equal."""

log = logging.getLogger(__name__)


class Others(msgspec.Struct, frozen=True):
    """Whom a share is measured by.

    What the house got with these cards, each 0..1 of the zone; how many ``people`` closed with
    other cards, ``worse`` of them for less.
    """

    house: tuple[float, ...] = ()
    people: int = 0
    worse: int = 0


def others_of(game: Game, share: float) -> Others:
    """Return who a finished game is measured by; ``share`` is what its person got."""
    if game.is_pair or game.terms:
        # A table of its own: nobody else sits at such a one.
        return Others()
    return Others(house_shares(game), *_people(game, share))


def house_shares(game: Game) -> tuple[float, ...]:
    """Return what the players of the house get; the same game gives the same shares.

    Empty where the opponent is gone.
    """
    return cached(f"house:{game.pk}", KEPT_S, lambda: _house(game))


def better_than(share: float, others: tuple[float, ...]) -> int:
    """Count the others who got less.

    >>> better_than(0.5, (0.2, 0.499, 0.5, 0.9))
    1
    """
    return sum(theirs < share - LEVEL for theirs in others)


def _house(game: Game) -> tuple[float, ...]:
    try:
        return _played(game)
    # A policy is foreign code: whatever it does, the person sees how the game ended.
    except Exception:
        log.exception("the house could not play a game", extra={"game": game.pk})
        return ()


def _played(game: Game) -> tuple[float, ...]:
    side = side_of(game)
    if game.policy not in {entry.name for entry in policies(other(side))}:
        return ()
    opening, _ = start(stored_scenario(game))
    here = {entry.name for entry in policies(side)}
    known = BUYERS if side == "buyer" else [shop.policy for shop in SHOPS]
    names = [name for name in known if name in here]
    return tuple(
        _share(opening, side, names[number % len(names)], game.policy, number)
        for number in range(HOUSE if names else 0)
    )


def _share(opening: State, side: Side, name: str, opponent: str, number: int) -> float:
    seed = opening.scenario.sealed.seed
    mine: Player = PolicyPlayer(name, luck_seed(seed, number), quiet=True)
    rival: Player = PolicyPlayer(opponent, seed, quiet=True)
    state = opening
    while state.ended is None:
        player = mine if state.to_move == side else rival
        state = player.turn(state, 0, shown=False).state
    return state.ended.seller_share if side == "seller" else state.ended.buyer_share


def _people(game: Game, share: float) -> tuple[int, int]:
    """Count who closed over the same listing with cards of their own, and who of them got less.

    At the games of one day all cards are the same: those stand in their own table.
    """
    if game.listing_id is None:
        return 0, 0
    deals = Game.objects.filter(
        listing=game.listing_id,
        kind=game.kind,
        source=Game.Source.PERSON,
        outcome="deal",
        rematch_of=None,
    ).exclude(Q(owner=game.owner) | Q(suite__startswith=DAILY))
    less = Q(**{f"{side_of(game)}_share__lt": share - LEVEL})
    counts = deals.aggregate(people=Count("pk"), worse=Count("pk", filter=less))
    return counts["people"], counts["worse"]
