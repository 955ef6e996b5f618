"""One event of a log as a row, for games of every kind."""

import msgspec

from negotiation.house import Served
from negotiation.models import EventRow, Game
from negotiation.stored_events import kind_of, to_payload


def row_of(game: Game, seq: int, event: msgspec.Struct, served: Served | None = None) -> EventRow:
    """Make the row of an event.

    Args:
        game: the game it belongs to.
        seq: its number, from 1.
        event: the event, tagged with its kind.
        served: who made it, None for people and for what follows by rule.
    """
    row = EventRow(game=game, seq=seq, kind=kind_of(event), payload=to_payload(event))
    if served is not None:
        row.backend, row.policy_version = served.backend, served.policy_version
        row.latency_ms = served.latency_ms
        row.passed_over = msgspec.to_builtins(served.passed_over)
    return row
