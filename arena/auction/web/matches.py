"""The only writer of matches: opens them, seats people, begins them and appends to their logs.

A writer works on the position it has read; where somebody else was faster
(``negotiation.games.event_log``) it reads again, so no envelope is closed twice.
"""

import functools
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.auction.web.game import AUCTION, Position, position_of, seat_of
from arena.auction.web.orders import Order, chairs_of, checked, prices_of, seats_of
from arena.auction.web.records import end_of
from arena.errors import NoSeat, NotBegun, SeatTaken
from arena.models import Match, MatchSeat
from arena.words import say
from bazaarbatna.auction.events import ArenaEvent, ArenaMove, Placed
from bazaarbatna.auction.making import SUITE, make_match
from bazaarbatna.auction.match import ArenaState, place, start
from negotiation.errors import UnknownGame, UnknownListing
from negotiation.games import notify
from negotiation.games.event_log import (
    ClaimLost,
    Served,
    append_rows,
    row_of,
    to_payload,
    until_claimed,
)
from negotiation.models import EventRow, Game, SealedRecord

WAIT_FOR_PEOPLE_S = 60.0
"""How long a match with several chairs for people waits until all are taken."""
WAIT_FOR_FRIENDS_S = 600.0
"""The same where somebody has a link to send; whoever sits there may begin earlier."""
ALONE_TIMES = 4
"""So many times as long may a person think who sits among the house's players alone: nobody waits,
and whoever is new has rules to read."""

Decide = Callable[[Position, int], ArenaMove]


def open_match(owner: str, order: Order, *, client: str = "") -> Match:
    """Set up a match, which begins at once unless other people are waited for.

    ``owner`` gets the first chair for a person; ``client`` is the key of its address. Raises
    ``BadSale``, ``UnknownPolicy``.
    """
    waits = order.people > 1
    wait_s = WAIT_FOR_PEOPLE_S if order.wait_s is None else order.wait_s
    starts_at = timezone.now() + timedelta(seconds=wait_s) if waits else None
    with transaction.atomic():
        match = set_up(owner, order, client=client, starts_at=starts_at)
        if not waits:
            begin(match.pk)
    match.refresh_from_db()
    return match


def set_up(
    owner: str,
    order: Order,
    below: Callable[[int], int] = secrets.randbelow,
    *,
    client: str = "",
    starts_at: datetime | None = None,
    exhibition: bool = False,
) -> Match:
    """Store a match that waits for its start; arguments and errors as for ``open_match``.

    ``below`` draws an unguessable whole number below its argument.
    """
    plan = checked(order, below)
    listing = order.listing
    pause_s = settings.ARENA_PAUSE_S if order.pause_s is None else order.pause_s
    with transaction.atomic():
        game = Game.objects.create(
            kind="arena",
            source=Game.Source.ARENA,
            seat=Game.Seat.BUYER,
            owner=owner,
            client=client,
            listing=listing,
            title=listing.title,
            category=listing.category,
            description=listing.description,
            policy=", ".join(order.line_up)[:60],
            share_replay=order.is_listed,
            suite=SUITE,
        )
        match = Match.objects.create(
            game=game,
            persona=plan.persona,
            seed=plan.seed,
            exhibition=exhibition,
            line_up=list(order.line_up),
            starts_at=starts_at,
            pause_s=pause_s,
        )
        MatchSeat.objects.bulk_create(chairs_of(match, owner, exhibition))
    return match


def take_seat(match_id: str, index: int, owner: str) -> None:
    """Seat a person; the match begins when all are there. Raises ``UnknownGame``, ``SeatTaken``."""
    if not owner:
        raise SeatTaken(say.text("a_seat_needs_a_visitor_allow"))
    if not Match.objects.filter(pk=match_id).exists():
        raise UnknownGame
    try:
        with transaction.atomic():
            waiting = Match.objects.filter(pk=match_id, phase=Match.Phase.WAITING)
            # Locks the match: nobody can begin it until the seat is taken.
            if not waiting.update(phase=Match.Phase.WAITING):
                raise SeatTaken(say("the_match_has_begun_sit_down_in"))
            free = MatchSeat.objects.filter(match=match_id, index=index, owner="", is_open=True)
            if not free.update(owner=owner):
                raise SeatTaken(say("somebody_else_sits_there_already"))
            transaction.on_commit(lambda: notify.ring(match_id, 0), robust=True)
            if _is_full(match_id):
                begin(match_id)
    except IntegrityError:
        raise SeatTaken(say("you_have_a_seat_in_this_match")) from None


def leave_seat(match_id: str, owner: str) -> None:
    """Give a seat back while the match waits; later (``SeatTaken``) one walks instead."""
    if not Match.objects.filter(pk=match_id).exists():
        raise UnknownGame
    with transaction.atomic():
        waiting = Match.objects.filter(pk=match_id, phase=Match.Phase.WAITING)
        # Locks the match, as in ``take_seat``.
        if not waiting.update(phase=Match.Phase.WAITING):
            raise SeatTaken(say("the_match_has_begun_walk_if_you"))
        own = MatchSeat.objects.filter(match=match_id, owner=owner)
        if not owner or not own.update(owner=""):
            raise NoSeat
        transaction.on_commit(lambda: notify.ring(match_id, 0), robust=True)


def begin_now(match_id: str, owner: str) -> bool:
    """Begin a table that waits for people without the missing ones; only from a seat at it."""
    if not Match.objects.filter(pk=match_id).exists():
        raise UnknownGame
    if Match.objects.filter(pk=match_id, exhibition=True).exists():
        raise SeatTaken(say("this_table_begins_by_its_own_clock"))
    if seat_of(match_id, owner) is None:
        raise NoSeat
    return begin(match_id)


def begin(match_id: str) -> bool:
    """Draw and seal the hidden values and write the first event; False when it had begun."""
    with transaction.atomic():
        waiting = Match.objects.filter(pk=match_id, phase=Match.Phase.WAITING)
        if not waiting.update(phase=Match.Phase.LIVE, starts_at=timezone.now()):
            # Nothing got updated: somebody else has begun it.
            return False
        match = Match.objects.select_related("game__listing").get(pk=match_id)
        game = match.game
        chairs = list(match.seats.order_by("index"))
        if game.listing is None:
            raise UnknownListing
        scenario = make_match(
            prices_of(game.listing, match.seed),
            seats_of(chairs),
            match.persona,
            match.seed,
            persona_visible=match.persona_visible,
        )
        state, events = start(scenario)
        SealedRecord.objects.create(game=game, scenario=to_payload(scenario))
        EventRow.objects.bulk_create(_rows(game, 1, events, None))
        Game.objects.filter(pk=game.pk).update(last_seq=len(events))
        Match.objects.filter(pk=match_id).update(turn_ends_at=_turn_end(match, state))
        position = Position(len(events), events, state)
        transaction.on_commit(functools.partial(AUCTION.positions.remember, game.pk, position))
        transaction.on_commit(lambda: notify.ring(match_id, len(events)), robust=True)
    return True


def current(match_id: str) -> tuple[Match, Position]:
    """Return a begun match and where it stands; raises ``UnknownGame``, ``NotBegun``."""
    match = Match.objects.select_related("game").filter(pk=match_id).first()
    if match is None:
        raise UnknownGame
    if match.phase == Match.Phase.WAITING:
        raise NotBegun
    return match, position_of(match.game)


def place_for(match_id: str, owner: str, decide: Decide) -> int:
    """Close a person's envelope with a move made out of the position that it will be played in.

    Returns the number of the envelope's event. Raises ``UnknownGame``, ``NotBegun``, ``NoSeat``,
    ``Busy`` and what refuses the move; nothing was recorded then.
    """

    def attempt() -> int:
        match, position = current(match_id)
        index = seat_of(match_id, owner)
        if index is None:
            raise NoSeat
        move = decide(position, index)
        state, events = place(position.state, index, move)
        _append(match.game, position, state, events, None, {index: 0})
        return position.seq + 1

    return until_claimed(attempt)


def write(
    match: Match,
    position: Position,
    index: int,
    move: ArenaMove,
    served: Served | None,
    missed: int | None = None,
) -> Position | None:
    """Close a policy's envelope, or that of a person who sent nothing; None: the log has grown.

    ``missed`` counts the rounds in a row that a person has missed; None for a policy.
    """
    state, events = place(position.state, index, move)
    counted = {} if missed is None else {index: missed}
    try:
        return _append(match.game, position, state, events, served, counted)
    except ClaimLost:
        return None


def grant_time(match: Match, state: ArenaState, seconds: float) -> datetime | None:
    """Extend the time of awaited people to at least ``seconds`` from now.

    A process that takes a match over may do so long after the envelopes were due.
    """
    until = timezone.now() + timedelta(seconds=seconds)
    if not any(state.scenario.seats[index].person for index in state.awaited):
        return match.turn_ends_at
    if match.turn_ends_at is None or match.turn_ends_at < until:
        Match.objects.filter(pk=match.pk).update(turn_ends_at=until)
        return until
    return match.turn_ends_at


def _is_full(match_id: str) -> bool:
    chairs = MatchSeat.objects.filter(match=match_id, match__exhibition=False)
    return chairs.exists() and not chairs.filter(is_open=True, owner="").exists()


def _append(
    game: Game,
    position: Position,
    state: ArenaState,
    events: tuple[ArenaEvent, ...],
    served: Served | None,
    missed: Mapping[int, int],
) -> Position:
    grown = position.after(state, events)

    def also() -> None:
        for index, count in missed.items():
            MatchSeat.objects.filter(match=game.pk, index=index).update(missed=count)
        if state.round != position.state.round or state.ended is not None:
            _turn_page(game.pk, state)

    append_rows(
        game.pk,
        _rows(game, position.seq + 1, events, served),
        _ending(state),
        ended=state.ended is not None,
        remember=functools.partial(AUCTION.positions.remember, game.pk, grown),
        also=also,
    )
    return grown


def _rows(
    game: Game, first: int, events: tuple[ArenaEvent, ...], served: Served | None
) -> list[EventRow]:
    return [
        row_of(game, seq, event, served if isinstance(event, Placed) else None)
        for seq, event in enumerate(events, start=first)
    ]


def _turn_end(match: Match, state: ArenaState) -> datetime | None:
    if not any(state.scenario.seats[index].person for index in state.awaited):
        return None
    is_alone = not match.exhibition and sum(seat.person for seat in state.scenario.seats) == 1
    turn_s = settings.ARENA_TURN_S * (ALONE_TIMES if is_alone else 1)
    return timezone.now() + timedelta(seconds=turn_s)


def _turn_page(game_id: str, state: ArenaState) -> None:
    match = Match.objects.filter(pk=game_id)
    if state.ended is None:
        match.update(turn_ends_at=_turn_end(match.get(), state))
    else:
        match.update(turn_ends_at=None, phase=Match.Phase.ENDED, runner="", held_until=None)


def _ending(state: ArenaState) -> dict[str, Any]:
    ended = state.ended
    if ended is None:
        return {}
    return {
        **end_of(ended),
        "persona": ended.opened.persona,
        # Names the persona: not before the end either.
        "policy_version": state.scenario.seller[:80],
        "ended_at": timezone.now(),
    }
