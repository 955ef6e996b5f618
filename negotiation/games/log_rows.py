"""One event of a log as a row, for games of every kind."""

import msgspec

from negotiation.games.stored_events import kind_of, to_payload
from negotiation.models import EventRow, Game
from negotiation.plans import Plan
from negotiation.policies import PassedOver


class Served(msgspec.Struct, frozen=True):
    """Who made the opponent's events, how long that took in milliseconds, and who could not.

    ``plan``: why these words.
    """

    backend: str
    policy_version: str
    latency_ms: int
    passed_over: tuple[PassedOver, ...] = ()
    plan: Plan | None = None


SERVED = ("backend", "policy_version", "latency_ms", "passed_over", "plan")
"""The fields of a row that say who served its event, and why so."""


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
        row.plan = None if served.plan is None else msgspec.to_builtins(served.plan)
    return row


def as_recorded(row: EventRow, known: object) -> EventRow:
    """Copy who served an event, and how long that took, as far as a record of it tells.

    Args:
        row: the event's new row.
        known: its row in another game, its line in an exported file, or None.
    """
    for name in SERVED:
        setattr(row, name, getattr(known, name, getattr(row, name)))
    return row
