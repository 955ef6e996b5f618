"""A site that can be harmed while it runs: killed at a chosen point, or with a clock that jumps.

``serve`` and ``Site`` start the modules below instead of the site's own; they arm the site and are
it. What is to happen is told by files in a folder, so that nothing of this is in the product:

* a file with the name of one of ``POINTS`` kills the first process that gets there, with -9;
* ``clock`` holds how many seconds the wall clocks of all processes are ahead.

The module itself starts the site: ``python -m tests.support.harm serve --port 8000``.
"""

import contextlib
import datetime as dt
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.utils import timezone

FOLDER = "BAZAAR_TEST_HARM"
"""The variable that names the folder."""

POINTS = (
    "move-received",
    "move-uncommitted",
    "move-committed",
    "turn-claimed",
    "turn-uncommitted",
    "turn-committed",
    "grade-claimed",
    "grade-unwritten",
    "nowhere",
)
"""A person's move, the opponent's turn and the grading of a game, on their way into the log; nobody
gets to the last one."""

WEB, WORKER = "tests.support.harmed_web:application", "tests.support.harmed_worker"

READ_EVERY_S = 0.02
"""How long a read file holds: the time is asked for a thousand times a second."""

_real = time.time
_shift = [0.0, -1.0]


class Harm:
    """The folder, seen by whoever does harm."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.environment = {FOLDER: str(folder)}

    def kill_at(self, point: str) -> bool:
        """Let the next process that gets to a point die there."""
        assert point in POINTS, point
        (self.folder / point).touch()
        return True

    def has_killed(self, point: str) -> bool:
        """Whether one has."""
        return not (self.folder / point).exists()

    def take_back(self, point: str) -> None:
        """Harm nobody where nobody has got to the point."""
        (self.folder / point).unlink(missing_ok=True)

    def put_clocks(self, seconds: float) -> bool:
        """Let all clocks of the site be so far ahead, from now on."""
        written = self.folder / "clock.new"
        written.write_text(str(seconds))
        written.rename(self.folder / "clock")
        time.sleep(2 * READ_EVERY_S)
        return True


def shift_clocks() -> None:
    """From now on the wall clock of this process is what the folder says."""
    time.time = _shifted
    timezone.now = lambda: dt.datetime.fromtimestamp(_shifted(), tz=dt.UTC)


def _shifted() -> float:
    if time.monotonic() - _shift[1] > READ_EVERY_S:
        with contextlib.suppress(OSError, ValueError):
            _shift[0] = float((_folder() / "clock").read_text())
        _shift[1] = time.monotonic()
    return _real() + _shift[0]


def arm() -> None:
    """Put the points into a site whose apps are ready."""
    from django.db.models import QuerySet

    from negotiation.bargain import sessions
    from negotiation.bargain.web import live
    from replays.grade import jobs

    live.play = _dying_before(live.play, "move-received")
    sessions.claim_turn = _dying_after(sessions.claim_turn, "turn-claimed")
    jobs._claim = _dying_after(jobs._claim, "grade-claimed")
    jobs._graded = _dying_after(jobs._graded, "grade-unwritten")
    QuerySet.bulk_create = _writing(QuerySet.bulk_create)  # type: ignore[method-assign]


def _writing(bulk_create: Callable[..., Any]) -> Callable[..., Any]:
    from django.db import transaction

    from negotiation.models import EventRow

    def written(self: Any, rows: Any, *arguments: Any, **options: Any) -> Any:
        made = bulk_create(self, rows, *arguments, **options)
        # Event 1 opens a game; what is brought or copied comes as a whole game, from 1 on.
        if self.model is EventRow and rows and rows[0].seq > 1:
            whose = "turn" if rows[0].backend else "move"
            die_at(f"{whose}-uncommitted")
            transaction.on_commit(lambda: die_at(f"{whose}-committed"))
        return made

    return written


def _dying_before(function: Callable[..., Any], point: str) -> Callable[..., Any]:
    def harmed(*arguments: Any, **options: Any) -> Any:
        die_at(point)
        return function(*arguments, **options)

    return harmed


def _dying_after(function: Callable[..., Any], point: str) -> Callable[..., Any]:
    def harmed(*arguments: Any, **options: Any) -> Any:
        done = function(*arguments, **options)
        if done:
            die_at(point)
        return done

    return harmed


def die_at(point: str) -> None:
    """Die here, where that is wanted and nobody else has done so."""
    with contextlib.suppress(FileNotFoundError):
        (_folder() / point).unlink()
        os.kill(os.getpid(), signal.SIGKILL)


def _folder() -> Path:
    return Path(os.environ[FOLDER])


def harmed(command: list[str]) -> list[str]:
    """Return the command of a program of the site with a module of ours in place of its own."""
    ours = {"bazaar_site.asgi:application": WEB, "bazaar_site": WORKER}
    return [ours.get(word, word) for word in command]


@contextlib.contextmanager
def in_place_of_the_site() -> Iterator[None]:
    """Let ``serve`` start our modules."""
    from bazaar_site import programs

    daphne, celery = programs._daphne, programs._celery
    programs._daphne = lambda *told: harmed(daphne(*told))
    programs._celery = lambda *told: harmed(celery(*told))
    try:
        yield
    finally:
        programs._daphne, programs._celery = daphne, celery


def main() -> None:
    """Run a command of ``manage.py`` that starts harmed programs."""
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    with in_place_of_the_site():
        execute_from_command_line(["manage.py", *sys.argv[1:]])


if __name__ == "__main__":
    main()
