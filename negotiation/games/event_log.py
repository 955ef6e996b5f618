"""The log of a game of any kind: events as rows, how both are read, and the one way it grows.

A writer claims the next numbers after the position it has read, in one transaction; whoever comes
second finds them taken and reads again, so a log never forks and never skips.
"""

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from django.db import OperationalError, connection, transaction

from bazaarbatna.bargain.events import Event
from negotiation.errors import Busy
from negotiation.games import notify
from negotiation.models import EventRow, Game, SealedRecord
from negotiation.outages import is_cut_off
from negotiation.plans import Plan
from negotiation.policies import PassedOver
from negotiation.prepared import Prepared

Scenario = TypeVar("Scenario", bound=msgspec.Struct)

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def to_payload(event: msgspec.Struct) -> bytes:
    """Write an event, or a scenario, of a game of any kind for the database."""
    return msgspec.json.encode(event)


def from_payload(payload: bytes | memoryview) -> Event:
    """Read an event back (PostgreSQL gives a memoryview, SQLite bytes)."""
    return _decoder.decode(payload)


def kind_of(event: msgspec.Struct) -> str:
    """Name the kind of an event as the log and the wire do."""
    return str(event.__struct_config__.tag)


def stored_scenario(game_id: str, of: type[Scenario]) -> Scenario:
    """Read the scenario that was sealed when a game began, hidden values included."""
    return msgspec.json.decode(bytes(SealedRecord.objects.get(game=game_id).scenario), type=of)


class Served(msgspec.Struct, frozen=True):
    """Who made the opponent's events, in how many milliseconds, who could not, and why so."""

    backend: str
    policy_version: str
    latency_ms: int
    passed_over: tuple[PassedOver, ...] = ()
    plan: Plan | None = None


SERVED = ("backend", "policy_version", "latency_ms", "passed_over", "plan")
"""The fields of a row that say who served its event, and why so."""


def row_of(game: Game, seq: int, event: msgspec.Struct, served: Served | None = None) -> EventRow:
    """Make the row of event ``seq``, from 1; ``served`` is None for people and consequences."""
    row = EventRow(game=game, seq=seq, kind=kind_of(event), payload=to_payload(event))
    if served is not None:
        row.backend, row.policy_version = served.backend, served.policy_version
        row.latency_ms = served.latency_ms
        row.passed_over = msgspec.to_builtins(served.passed_over)
        row.plan = None if served.plan is None else msgspec.to_builtins(served.plan)
    return row


def served_by(row: EventRow) -> dict[str, Any]:
    """Return who served an event, as frames tell it; nothing where nobody did."""
    told = ("backend", "policy_version", "latency_ms")
    return {name: getattr(row, name) for name in told} if row.backend else {}


@functools.lru_cache(maxsize=2048)
def promise_of(game_id: str) -> str:
    """Return the commitment as it was shown before the first move, not as the values give it."""
    opened = msgspec.json.decode(EventRow.objects.get(game=game_id, seq=1).payload)
    return str(opened["commitment"])


def as_recorded(row: EventRow, known: object) -> EventRow:
    """Copy who served an event, as far as its row in another game or its exported line tells."""
    for name in SERVED:
        setattr(row, name, getattr(known, name, getattr(row, name)))
    return row


Result = TypeVar("Result")

_one_writer = threading.Lock()
"""Writers of one process queue here: SQLite itself would let them sleep and try again."""


_game = Prepared(Game.objects.filter(pk="").order_by())
_log = Prepared(EventRow.objects.filter(game="", seq__gt=0).order_by("seq"))


def game_row(game_id: str) -> Game | None:
    """Return how a game stands in the database, None where there is none."""
    return next(iter(_game.rows(game_id)), None)


def log_rows(game_id: str, after: int = 0) -> list[EventRow]:
    """Return the events of a game after a sequence number, in order."""
    return _log.rows(game_id, after)


class ClaimLost(Exception):
    """Somebody else has written the next event."""


ATTEMPTS = 5
"""How often a writer reads a position anew because somebody else was faster."""


def until_claimed(attempt: Callable[[], Result]) -> Result:
    """Write what follows from a position, anew while others are faster; too often raises Busy.

    Anew too where the database was restarted meanwhile: what an attempt has written is known.
    """
    for number in range(1, ATTEMPTS + 1):
        try:
            return attempt()
        except ClaimLost:
            continue
        except OperationalError as wrong:
            if number == ATTEMPTS or not _may_go_on(wrong):
                raise
    raise Busy


def append_rows(
    game_id: str,
    rows: Sequence[EventRow],
    fields: dict[str, Any],
    *,
    ended: bool,
    remember: Callable[[], None],
    also: Callable[[], None] | None = None,
) -> None:
    """Append events to a game's log, and ring for its viewers once they are safe.

    ``fields`` change in the game's row; ``remember`` keeps the new position after the commit;
    ``also`` writes more in the same transaction; ``ended`` tells the rooms above.

    Raises:
        ClaimLost: the log has grown since the position was read; nothing was stored.
    """
    before, last = rows[0].seq - 1, rows[-1].seq

    def write() -> None:
        with _one_writer, transaction.atomic():
            claim = Game.objects.filter(pk=game_id, last_seq=before)
            if not claim.update(last_seq=last, **fields):
                # Nothing got updated: another writer got there first.
                raise ClaimLost
            EventRow.objects.bulk_create(rows)
            if also is not None:
                also()
            when_stored()

    def when_stored() -> None:
        transaction.on_commit(remember)
        # The events are safe by then: a lost notification must not look like a failed move.
        # (Django 5.2 names the failed function by its __qualname__, which a partial has not.)
        transaction.on_commit(lambda: notify.ring(game_id, last), robust=True)
        transaction.on_commit(lambda: notify.tell_grown(game_id, rows), robust=True)
        if ended:
            transaction.on_commit(lambda: notify.tell_ended(game_id), robust=True)

    try:
        write()
    except OperationalError as wrong:
        # A connection that breaks at the commit does not say whether there was one: the log does.
        if not _may_go_on(wrong) or not _are_stored(game_id, rows):
            raise
        when_stored()


def _may_go_on(wrong: OperationalError) -> bool:
    """Whether a broken connection was all, and leave it: the next one waits for the database."""
    if connection.in_atomic_block or not is_cut_off(wrong):
        return False
    connection.close()
    return True


def _are_stored(game_id: str, rows: Sequence[EventRow]) -> bool:
    stored = log_rows(game_id, rows[0].seq - 1)[: len(rows)]
    return [(row.kind, bytes(row.payload)) for row in stored] == [
        (row.kind, bytes(row.payload)) for row in rows
    ]
