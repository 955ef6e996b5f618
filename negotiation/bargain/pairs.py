"""Games between two people: the cards, and what becomes of a game when one of them goes.

A seat whose person stays away is taken by the policy that the table's terms name, or the game is
closed: whoever was to move walks, and the row of that event says why (``clocks.Why``).
"""

import logging
import secrets
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeVar

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from bazaarbatna.bargain.episode import apply
from bazaarbatna.bargain.moves import Walk
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain import sessions
from negotiation.bargain.clocks import Clocks, Why, clocks_of, running_clocks, seconds_left
from negotiation.bargain.commands import Command
from negotiation.bargain.game import SALE
from negotiation.bargain.purchases import draw_cost
from negotiation.bargain.scenarios import (
    RESERVATION_MARGIN,
    SEED_LIMIT,
    NewSale,
    draw_budget,
    scenario_of,
    whole_rupees,
)
from negotiation.bargain.sessions import TURN, Receipt
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.errors import TimeIsUp
from negotiation.games import notify
from negotiation.games.event_log import ClaimLost, Served, until_claimed
from negotiation.models import PAIR, EventRow, Game, Listing
from negotiation.policies import UnknownPolicy, policy

VERSION = "table@1"

FORSAKEN_S = 3600
"""Whoever stays when the other one has gone may think for so long, then has gone, too."""

DESERTED_S = 7 * 24 * 3600
"""A table without limits waits for so long for whoever is to move; then it has been left by all."""

FORGOTTEN_S = 60
"""Where somebody looks, the house has moved by then."""

log = logging.getLogger(__name__)


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
    drawn = draw_budget(seed, asking, floor, listing.street_price, has_zone=has_zone)
    dealt = scenario_of(NewSale(listing=listing, suite=PAIR), below, has_zone=has_zone)
    sealed = msgspec.structs.replace(
        dealt.sealed,
        reservation=floor,
        cost=min(cost, floor),
        budget=whole_rupees(drawn),
        seed=seed,
    )
    return msgspec.structs.replace(dealt, sealed=sealed)


def play(
    game_id: str,
    owner: str,
    command: Command,
    typing_s: float | None = None,
    seen: int | None = None,
    kind: str = "",
) -> Receipt:
    """Carry out what a person asks for, as ``sessions.play``, unless somebody's time is up first.

    TimeIsUp: it was the own one. Nobody need have looked at the game for that.
    """
    try:
        return sessions.play(game_id, owner, command, typing_s, seen, kind)
    except TimeIsUp:
        game = sessions.owned_game(game_id, owner, kind)
        clocks = clocks_of(game)
        if clocks is not None:
            _look_after(game, clocks)
            if clocks.running == sessions.side_of(game):
                raise
    return sessions.play(game_id, owner, command, typing_s, seen, kind)


def look_after(game: Game) -> bool:
    """Let the time of whoever is to move run out, if it has; whether anything was done."""
    return look_after_all([game]) > 0


def look_after_all(games: Iterable[Game]) -> int:
    """Look after live games that nobody may be looking at; how many went on.

    One that cannot go on is seen in the log, and keeps no other one waiting.
    """
    return sum(_goes_on(game, clocks, _look_after) for game, clocks in running_clocks(games))


def look_everywhere() -> int:
    """Look after every table of two people and every clock on this site; how many went on.

    For a worker: the house moves where it has to, as nobody may be there to see it.
    """
    timed = Q(suite=PAIR) | Q(terms__clock_s__gt=0, kind__in=SALE.kinds)
    games = list(Game.objects.filter(timed, status=Game.Status.LIVE, source=Game.Source.PERSON))
    clocks = {game.pk: own for game, own in running_clocks(games)}
    return sum(_goes_on(game, clocks.get(game.pk), _move_for) for game in games)


Clock = TypeVar("Clock")


def _goes_on(game: Game, clocks: Clock, look: Callable[[Game, Clock], bool]) -> bool:
    # A policy is foreign code, and what stands in a log may be from another time.
    try:
        return look(game, clocks)
    except Exception:
        log.exception("a table cannot go on", extra={"game": game.pk})
        return False


def _move_for(game: Game, clocks: Clocks | None) -> bool:
    if clocks is None:
        if _is_deserted(game):
            return close(game.pk, "absent", game.last_seq)
        return _is_forgotten(game) and sessions.opponent_turn(game.pk)
    if not _look_after(game, clocks):
        return False
    sessions.opponent_turn(game.pk)
    return True


def _is_forgotten(game: Game) -> bool:
    """Whether the house has a seat of two people, and nobody was there to let it move."""
    if game.suite != PAIR or game.policy == PERSON or TURN.is_held(game):
        return False
    return _is_quiet(game, FORGOTTEN_S)


def _is_deserted(game: Game) -> bool:
    """Whether two people have left a table that sets no limit to anybody."""
    return game.suite == PAIR and not terms_of(game).is_timed and _is_quiet(game, DESERTED_S)


def _is_quiet(game: Game, seconds: float) -> bool:
    since = timezone.now() - timedelta(seconds=seconds)
    if game.created_at >= since:
        return False
    return not EventRow.objects.filter(game=game.pk, created_at__gte=since).exists()


def _look_after(game: Game, clocks: Clocks) -> bool:
    if seconds_left(clocks) == 0:
        return give_up(game, clocks.running, clocks.why)
    # The house has the seat of one of two people, and the other one does not come back either.
    is_forsaken = game.suite == PAIR and game.policy != PERSON
    if is_forsaken and timezone.now() - clocks.heard > timedelta(seconds=FORSAKEN_S):
        return close(game.pk, "absent", game.last_seq)
    return False


def give_up(game: Game, side: Side, why: Why) -> bool:
    """Do what a table's terms say when a person on ``side`` is gone; False: it went on already.

    Where the policy that should take the seat is on this site no more, the table is closed: nobody
    sits opposite an empty chair for ever.
    """
    if game.policy == PERSON and terms_of(game).absence == "policy":
        try:
            return hand_over(game, side)
        except UnknownPolicy:
            log.exception("nobody takes a seat", extra={"game": game.pk})
    return close(game.pk, why, game.last_seq)


def hand_over(game: Game, side: Side) -> bool:
    """Let a policy take the seat of one of two people; False: the game has gone on since.

    The other one goes on where the game stands, alone until who is gone comes back.
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
            gone=stays.rival,
        )
        transaction.on_commit(lambda: notify.ring(game.pk, 0), robust=True)
    return bool(taken)


def give_back(game_id: str, session: str) -> bool:
    """Give somebody who is back the seat that a policy keeps; False: none, or the time is up."""

    def attempt() -> bool:
        kept = Game.objects.filter(pk=game_id, gone=session, status=Game.Status.LIVE)
        game = kept.first() if session else None
        if game is None:
            return False
        now = timezone.now()
        game.policy, game.seller_seen_at, game.buyer_seen_at = PERSON, now, now
        if seconds_left(clocks_of(game)) == 0:
            return False
        with transaction.atomic():
            same = kept.filter(last_seq=game.last_seq)
            # Both are there: the one who stayed has played on, the other one is here now.
            if not same.update(
                policy=PERSON, policy_version="", rival=session, gone="", thinking_until=None,
                seller_seen_at=now, buyer_seen_at=now,
            ):  # fmt: skip
                raise ClaimLost  # the policy has moved meanwhile
            transaction.on_commit(lambda: notify.ring(game_id, 0), robust=True)
        return True

    return until_claimed(attempt)


def end_without(game_id: str, session: str) -> bool:
    """End a game for whoever waits in it for a person who is away; False: nobody is away."""
    game = sessions.owned_game(game_id, session)
    clocks = clocks_of(game)
    if clocks is None or not clocks.is_away or clocks.running == sessions.side_of(game):
        return False
    # Where nobody is told who sits opposite, that would tell.
    return terms_of(game).persona_told and close(game_id, "absent", game.last_seq)


def replace(game_id: str, side: Side) -> bool:
    """Let a policy take the seat of one of two people, as often as they move meanwhile.

    False: no two people sit there (any more), or the policy is on this site no more.
    """

    def attempt() -> bool:
        game = Game.objects.filter(pk=game_id, status=Game.Status.LIVE, policy=PERSON).first()
        if game is None:
            return False
        if not hand_over(game, side):
            raise ClaimLost  # somebody has moved meanwhile
        return True

    try:
        return until_claimed(attempt)
    except UnknownPolicy:
        log.exception("nobody takes a seat", extra={"game": game_id})
        return False


def leave(game_id: str, side: Side) -> None:
    """Let a person go who will not come back: a policy plays on against another one, or it ends."""
    live = Game.objects.filter(pk=game_id, status=Game.Status.LIVE)
    if replace(game_id, side):
        live.update(gone="")
    elif live.exists():
        close(game_id, "closed")


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
