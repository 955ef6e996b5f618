"""The one way by which a log grows: one transaction, one claim on the next sequence numbers.

A writer works on the position it has read. Whoever comes second finds the numbers taken and reads
again, so a log never forks and never skips.
"""

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db import transaction

from negotiation.errors import Busy
from negotiation.games import notify
from negotiation.models import EventRow, Game

Result = TypeVar("Result")

_one_writer = threading.Lock()
"""Writers of one process queue here: SQLite itself would let them sleep and try again."""


class ClaimLost(Exception):
    """Somebody else has written the next event."""


ATTEMPTS = 5
"""How often a writer reads a position anew because somebody else was faster."""


def until_claimed(attempt: Callable[[], Result]) -> Result:
    """Read a position and write what follows from it, anew while other writers are faster.

    Raises:
        Busy: they were too often.
    """
    for _ in range(ATTEMPTS):
        with contextlib.suppress(ClaimLost):
            return attempt()
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

    Args:
        game_id: the game.
        rows: its next events, numbered.
        fields: what changes in its row with them.
        ended: these events end the game; the rooms above are told.
        remember: keeps the new position, after the commit.
        also: what else is written in the same transaction.

    Raises:
        ClaimLost: the log has grown since the position was read; nothing was stored.
    """
    before, last = rows[0].seq - 1, rows[-1].seq
    with _one_writer, transaction.atomic():
        claim = Game.objects.filter(pk=game_id, last_seq=before)
        if not claim.update(last_seq=last, **fields):
            # Nothing got updated: another writer got there first.
            raise ClaimLost
        EventRow.objects.bulk_create(rows)
        if also is not None:
            also()
        transaction.on_commit(remember)
        # The events are safe by then: a lost notification must not look like a failed move.
        # (Django 5.2 names the failed function by its __qualname__, which a partial has not.)
        transaction.on_commit(lambda: notify.ring(game_id, last), robust=True)
        if ended:
            transaction.on_commit(lambda: notify.tell_ended(game_id), robust=True)
