"""How others do with a person's cards: players of the house, and people with the same goods.

Players of the house take the person's chair against the opponent who sat there: same goods, sealed
values and luck. They play in silence; the opponent's plain form stands for a model, as in every
continuation.
"""

import functools
import logging
from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec
from django.db.models import Q, QuerySet

from bazaarbatna.bargain.episode import State, start
from bazaarbatna.bargain.quantities import Side, other
from negotiation.bargain.players import BUYERS, Player, PolicyPlayer, luck_seed
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.sessions import side_of
from negotiation.bargain.shops import SHOPS
from negotiation.models import OTHERS_GET_THESE_CARDS, PAIR, Game
from negotiation.policies import policies
from negotiation.ttl_cache import cached

HOUSE = 40
"""Games of the house with one set of cards, its players taking turns."""

KEPT_S = 3600.0

LEAST_PEOPLE = 3
"""Fewer people say nothing about a share."""

LATEST, LATEST_S = 2_000, 60.0
"""So many deals over anything are looked at, and for so long those that were found."""

Over = Literal["thing", "all"]

LEVEL = 0.005
"""Shares of the zone that differ by no more are equal."""

log = logging.getLogger(__name__)


class Others(msgspec.Struct, frozen=True):
    """Whom a share is measured by.

    What the house got with these cards, each 0..1 of the zone; how many ``people`` closed with
    other cards ``over`` the same thing or anything, ``worse`` of them for a smaller part.
    """

    house: tuple[float, ...] = ()
    people: int = 0
    worse: int = 0
    over: Over = "thing"


def others_of(game: Game, share: float) -> Others:
    """Return who a finished game is measured by; ``share`` is what its person got."""
    if game.is_pair or game.terms or game.rematch_of_id is not None or game.is_daily:
        # A table of its own: nobody else sits at such a one, or knows the cards. A day has its par.
        return Others()
    return msgspec.structs.replace(_people(game, share), house=house_shares(game))


def house_shares(game: Game) -> tuple[float, ...]:
    """Return what the players of the house get; the same game gives the same shares.

    Empty where the opponent is gone.
    """
    return cached(f"house:{game.pk}", KEPT_S, lambda: _house(game))


def play_house_ahead(game: Game, pace: Callable[[], None]) -> None:
    """Play the house's games before they are wanted; ``pace`` is called before each and may raise.

    The next call goes on where this one stopped, and so does the end of the game.
    """
    known = _known(game)
    for number, one in _games(game):
        if number not in known:
            pace()
            known[number] = one()


def better_than(share: float, others: tuple[float, ...]) -> int:
    """Count the others who got less.

    >>> better_than(0.5, (0.2, 0.499, 0.5, 0.9))
    1
    """
    return sum(theirs < share - LEVEL for theirs in others)


def _house(game: Game) -> tuple[float, ...]:
    try:
        known = _known(game)
        return tuple(known[n] if n in known else one() for n, one in _games(game))
    # A policy is foreign code: whatever it does, the person sees how the game ended.
    except Exception:
        log.exception("the house could not play a game", extra={"game": game.pk})
        return ()


def _known(game: Game) -> dict[int, float]:
    """Return the shares that were played ahead, by number, to be added to."""
    return cached(f"house-ahead:{game.pk}", KEPT_S, dict)


def _games(game: Game) -> Iterator[tuple[int, Callable[[], float]]]:
    """Yield number and player of each game of the house; none where the opponent is gone."""
    side = side_of(game)
    if game.policy not in {entry.name for entry in policies(other(side))}:
        return
    opening, _ = start(stored_scenario(game))
    here = {entry.name for entry in policies(side)}
    known = BUYERS if side == "buyer" else [shop.policy for shop in SHOPS]
    names = [name for name in known if name in here]
    for number in range(HOUSE if names else 0):
        name = names[number % len(names)]
        yield number, functools.partial(_share, opening, side, name, game.policy, number)


def _share(opening: State, side: Side, name: str, opponent: str, number: int) -> float:
    seed = opening.scenario.sealed.seed
    mine: Player = PolicyPlayer(name, luck_seed(seed, number), quiet=True)
    rival: Player = PolicyPlayer(opponent, seed, quiet=True)
    state = opening
    while state.ended is None:
        player = mine if state.to_move == side else rival
        state = player.turn(state, 0, shown=False).state
    return state.ended.seller_share if side == "seller" else state.ended.buyer_share


def _people(game: Game, share: float) -> Others:
    """Count who closed over the same listing, or else over anything, and who of them kept less.

    Everybody had cards of their own: at games of a day, and with the cards of a friend, all cards
    are the same, and those stand in tables of their own.
    """
    here = [] if game.listing_id is None else _shares(game, listing=game.listing_id)
    over: Over = "thing"
    if len(here) < LEAST_PEOPLE:
        over = "all"
        latest = cached(f"people:{game.kind}", LATEST_S, lambda: _latest(game))
        here = [theirs for owner, theirs in latest if owner != game.owner]
    if len(here) < LEAST_PEOPLE:
        return Others()
    return Others((), len(here), better_than(share, tuple(here)), over)


def _shares(game: Game, **of: Any) -> list[float]:
    deals = _deals(game).filter(**of).exclude(owner=game.owner)
    return list(deals.values_list(f"{side_of(game)}_share", flat=True))


def _latest(game: Game) -> list[tuple[str, float]]:
    deals = _deals(game).order_by("-ended_at")
    return list(deals.values_list("owner", f"{side_of(game)}_share")[:LATEST])


def _deals(game: Game) -> QuerySet[Game]:
    return Game.objects.filter(
        status=Game.Status.ENDED,
        kind=game.kind,
        source=Game.Source.PERSON,
        outcome="deal",
        rematch_of=None,
    ).exclude(Q(suite=PAIR) | OTHERS_GET_THESE_CARDS)
