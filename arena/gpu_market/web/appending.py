"""How turns of a market's match are stored, and what changes in its rows with them."""

import functools
from collections.abc import Sequence
from typing import Any

from arena.gpu_market.engine import MarketEvent
from arena.gpu_market.engine.events import TurnTaken
from arena.gpu_market.web.game import MARKET, ending
from arena.gpu_market.web.judge_rulings import Kept, Position
from arena.gpu_market.web.players import Turn
from arena.models import GOES_ON, MarketMatch
from negotiation.games.event_log import ClaimLost, Served, append_rows, row_of
from negotiation.models import EventRow, Game


def append(
    game: Game,
    position: Position,
    turns: Sequence[Turn],
    hearings: Kept | None = None,
    *,
    abandoned: bool = False,
) -> Position:
    """Store some turns in one transaction.

    Args:
        game: the row of the match's game.
        position: where the match stood before them.
        turns: at least one.
        hearings: what a judging model has decided by then; None: nothing new.
        abandoned: they end a match that nobody came back to.

    Raises:
        ClaimLost: the log has grown since, or a demo that was to be abandoned goes on; nothing was
            stored.
    """
    state = turns[-1].state
    grown = position.after(state, tuple(event for turn in turns for event in turn.events))

    def also() -> None:
        news: dict[str, Any] = {}
        if state.ended is not None:
            news = {**OVER, "is_abandoned": abandoned}
        if hearings is not None:
            news["hearings"] = hearings
        match = MarketMatch.objects.filter(pk=game.pk)
        if abandoned:
            # To let a demo go on writes no event, so the log does not tell.
            match = match.exclude(GOES_ON)
        if news and not match.update(**news):
            raise ClaimLost

    append_rows(
        game.pk,
        rows(game, position.seq + 1, turns),
        ending(state),
        ended=state.ended is not None,
        remember=functools.partial(MARKET.positions.remember, game.pk, grown),
        also=also,
    )
    return grown


OVER: dict[str, Any] = {"is_over": True, "is_paused": False, "runner": "", "held_until": None}
"""What changes in a match's row with its end."""


def rows(game: Game, first: int, turns: Sequence[Turn]) -> list[EventRow]:
    """Make the rows of some turns, numbered from ``first``; each turn names who served it."""
    made: list[EventRow] = []
    for turn in turns:
        for event in turn.events:
            made.append(row_of(game, first + len(made), event, _served(turn, event)))
    return made


def store(new: list[EventRow]) -> None:
    """Store the rows of a game that has just been made."""
    EventRow.objects.bulk_create(new)


def _served(turn: Turn, event: MarketEvent) -> Served | None:
    return turn.served if isinstance(event, TurnTaken) else None
