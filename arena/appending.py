"""How events of a match are stored, and what changes in its rows with them."""

import functools
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from arena.auction_game import AUCTION, Position
from arena.endings import end_of
from arena.engine.events import ArenaEvent, Placed
from arena.engine.match import ArenaState
from arena.models import Match, MatchSeat
from negotiation.games.log_rows import Served, row_of
from negotiation.games.log_writing import append_rows
from negotiation.models import EventRow, Game


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

    def also() -> None:
        for index, count in missed.items():
            MatchSeat.objects.filter(match=game.pk, index=index).update(missed=count)
        if state.round != position.state.round or state.ended is not None:
            _turn_page(game.pk, state)

    append_rows(
        game.pk,
        rows(game, position.seq + 1, events, served),
        _ending(state),
        ended=state.ended is not None,
        remember=functools.partial(AUCTION.positions.remember, game.pk, grown),
        also=also,
    )
    return grown


def rows(
    game: Game, first: int, events: tuple[ArenaEvent, ...], served: Served | None
) -> list[EventRow]:
    """Make the rows of some events, numbered from ``first``; envelopes name who served them."""
    return [
        row_of(game, seq, event, served if isinstance(event, Placed) else None)
        for seq, event in enumerate(events, start=first)
    ]


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
    return {
        **end_of(ended),
        "persona": ended.opened.persona,
        # Names the persona: not before the end either.
        "policy_version": state.scenario.seller[:80],
        "ended_at": timezone.now(),
    }
