"""Games between two people: the cards, and what becomes of a game when one of them goes.

A seat whose person stays away is taken by the policy that the table's terms name, or the game is
closed: whoever was to move walks, and the row of that event says why (``clocks.Why``).
"""

import secrets
from collections.abc import Callable, Iterable

import msgspec
from django.db import transaction

from negotiation.bargain import sessions
from negotiation.bargain.clocks import Why, clocks_of, seconds_left
from negotiation.bargain.purchases import draw_cost
from negotiation.bargain.scenarios import (
    RESERVATION_MARGIN,
    SEED_LIMIT,
    NewSale,
    draw_budget,
    scenario_of,
    whole_rupees,
)
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.engine.episode import apply
from negotiation.engine.moves import Walk
from negotiation.engine.quantities import Paise, Side
from negotiation.engine.scenario import Scenario
from negotiation.games import notify
from negotiation.games.event_log import ClaimLost, Served, until_claimed
from negotiation.models import PAIR, Game, Listing
from negotiation.policies import policy

VERSION = "table@1"


def pair_scenario(
    listing: Listing,
    below: Callable[[int], int] = secrets.randbelow,
    *,
    has_zone: bool = False,
) -> Scenario:
    """Fix the cards of two people over a listing: both limits are drawn, so neither is known.

    ``below`` gives an unguessable whole number of 0 up to its argument. The floor is drawn as a
    house seller's, the budget as Sauda's.
    """
    seed = below(SEED_LIMIT)
    asking = Paise(listing.list_price)
    cost = draw_cost(seed, listing.street_price)
    floor = min(whole_rupees(RESERVATION_MARGIN * cost), asking)
    budget = whole_rupees(draw_budget(seed, asking, floor, has_zone=has_zone))
    dealt = scenario_of(NewSale(listing=listing, suite=PAIR), below, has_zone=has_zone)
    sealed = msgspec.structs.replace(
        dealt.sealed, reservation=floor, cost=min(cost, floor), budget=budget, seed=seed
    )
    return msgspec.structs.replace(dealt, sealed=sealed)


def look_after(game: Game) -> bool:
    """Let the time of whoever is to move run out, if it has; whether anything was done."""
    clocks = clocks_of(game)
    if clocks is None or seconds_left(clocks) != 0:
        return False
    return give_up(game, clocks.running, clocks.why)


def look_after_all(games: Iterable[Game]) -> int:
    """Look after live games that nobody may be looking at; how many went on."""
    return sum(look_after(game) for game in games)


def give_up(game: Game, side: Side, why: Why) -> bool:
    """Do what a table's terms say when a person on ``side`` is gone; False: it went on already."""
    if game.policy == PERSON and terms_of(game).absence == "policy":
        return hand_over(game, side)
    return close(game.pk, why, game.last_seq)


def hand_over(game: Game, side: Side) -> bool:
    """Let a policy take the seat of one of two people; False: the game has gone on since.

    The other one goes on where the game stands, and is the only person in it from then on.
    """
    terms = terms_of(game)
    entry = policy(terms.seller if side == "seller" else terms.buyer)
    stays = game.turned() if game.seat == side else game
    same = Game.objects.filter(
        pk=game.pk, last_seq=game.last_seq, status=Game.Status.LIVE, policy=PERSON
    )
    with transaction.atomic():
        # Nothing got updated: whoever was thought gone has moved, or the seat is taken already.
        taken = same.update(
            owner=stays.owner,
            rival="",
            seat=stays.seat,
            kind=stays.kind,
            policy=entry.name,
            policy_version=entry.version,
            thinking_until=None,
        )
        transaction.on_commit(lambda: notify.ring(game.pk, 0), robust=True)
    return bool(taken)


def leave(game_id: str, side: Side) -> None:
    """Let a person go who will not come back: a policy plays on against another one, or it ends."""

    def attempt() -> None:
        game = Game.objects.filter(pk=game_id, status=Game.Status.LIVE).first()
        if game is None:
            return
        if game.policy != PERSON:
            close(game_id, "closed")
        elif not hand_over(game, side):
            raise ClaimLost  # the other one has moved meanwhile

    until_claimed(attempt)


def close(game_id: str, why: Why, seq: int | None = None) -> bool:
    """End a game without a deal: whoever is to move walks; False: it has ended, or gone on.

    ``seq``: only where the log still ends with this event.
    """

    def attempt() -> bool:
        game, position = sessions.current(game_id)
        if seq is not None and position.seq != seq:
            return False
        side = position.state.to_move
        if side is None:
            return False
        state, events = apply(position.state, side, Walk())
        sessions.append(game, position, state, events, Served(why, VERSION, 0))
        return True

    return until_claimed(attempt)
