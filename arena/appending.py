"""How events of a match are stored: one transaction, one claim on the next sequence numbers."""

import functools
import threading
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from arena import positions
from arena.engine.events import ArenaEvent, Placed
from arena.engine.match import ArenaState
from arena.models import Match, MatchSeat
from arena.positions import Position
from arena.stored_events import kind_of, to_payload
from negotiation import bell, news
from negotiation.models import EventRow, Game
from negotiation.policies import PassedOver

_one_writer = threading.Lock()
"""Writers of one process queue here: SQLite itself would let them sleep and try again."""


class Served(msgspec.Struct, frozen=True):
    """Who made a move, how long that took in milliseconds, and who could not."""

    backend: str
    policy_version: str
    latency_ms: int
    passed_over: tuple[PassedOver, ...] = ()


class ClaimLost(Exception):
    """Somebody else has written the next event."""


def append(
    game: Game,
    position: Position,
    state: ArenaState,
    events: tuple[ArenaEvent, ...],
    served: Served | None,
    missed: Mapping[int, int],
) -> Position:
    """Store what a move led to.

    Args:
        game: the row of the match's game.
        position: where the match stood before.
        state: where it stands now.
        events: what happened in between.
        served: who made the move; None for a person.
        missed: by seat, how many rounds in a row its person has now missed.

    Raises:
        ClaimLost: the log has grown since; nothing was stored.
    """
    grown = position.after(state, events)
    with _one_writer, transaction.atomic():
        claim = Game.objects.filter(pk=game.pk, last_seq=position.seq)
        if not claim.update(last_seq=grown.seq, **_ending(state)):
            # Nothing got updated: another writer got there first.
            raise ClaimLost
        EventRow.objects.bulk_create(rows(game, position.seq + 1, events, served))
        for index, count in missed.items():
            MatchSeat.objects.filter(match=game.pk, index=index).update(missed=count)
        if state.round != position.state.round or state.ended is not None:
            _turn_page(game.pk, state)
        transaction.on_commit(functools.partial(positions.remember, game.pk, grown))
        # The events are safe by then: a silent bell must not look like a failed move.
        transaction.on_commit(lambda: bell.ring(game.pk, grown.seq), robust=True)
        if state.ended is not None:
            transaction.on_commit(lambda: news.tell_ended(game.pk), robust=True)
    return grown


def rows(
    game: Game, first: int, events: tuple[ArenaEvent, ...], served: Served | None
) -> list[EventRow]:
    """Make the rows of some events, numbered from ``first``; envelopes name who served them."""
    made = []
    for seq, event in enumerate(events, start=first):
        row = EventRow(game=game, seq=seq, kind=kind_of(event), payload=to_payload(event))
        if isinstance(event, Placed) and served is not None:
            row.backend, row.policy_version = served.backend, served.policy_version
            row.latency_ms = served.latency_ms
            row.passed_over = msgspec.to_builtins(served.passed_over)
        made.append(row)
    return made


def turn_end(state: ArenaState) -> datetime | None:
    """Tell until when people have time in a round that begins now; None when none is awaited."""
    if not any(state.scenario.seats[index].person for index in state.awaited):
        return None
    return timezone.now() + timedelta(seconds=settings.ARENA_TURN_S)


def _turn_page(game_id: str, state: ArenaState) -> None:
    match = Match.objects.filter(pk=game_id)
    if state.ended is None:
        match.update(turn_ends_at=turn_end(state))
    else:
        match.update(turn_ends_at=None, phase=Match.Phase.ENDED, runner="", held_until=None)


def _ending(state: ArenaState) -> dict[str, Any]:
    ended = state.ended
    if ended is None:
        return {}
    deal = ended.winner is not None
    return {
        "status": Game.Status.ENDED,
        "outcome": ended.outcome,
        "deal_price": ended.price,
        "seller_share": ended.seller_share if deal else None,
        "buyer_share": ended.shares[ended.winner] if ended.winner is not None else None,
        "rounds_used": ended.round,
        "persona": ended.opened.persona,
        # Names the persona: not before the end either.
        "policy_version": state.scenario.seller[:80],
        "ended_at": timezone.now(),
    }
