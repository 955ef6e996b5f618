"""The life of a run: opened, claimed by a process alone in its folder, kept alive, finished."""

import datetime as dt
import fcntl
import os
import re
import signal
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, Any

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from negotiation.code_version import TRAINING, code_version, libraries, machine
from negotiation.secret_values import scrub, scrub_json
from training.models import KINDS, Run

LOCK = ".lock"


class Busy(OSError):
    """Another process works in the folder."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep every other process away from a folder; Busy when somebody is at it already."""
    with (folder / LOCK).open("a") as file:
        _take(file)
        yield


def is_free(folder: Path) -> bool:
    """Whether nobody works in a folder; False also where this machine cannot see it."""
    try:
        with (folder / LOCK).open("r") as file:
            _take(file)
    except OSError:
        return False
    return True


def is_held(folder: Path) -> bool:
    """Whether a process of this machine works in a folder."""
    return (folder / LOCK).exists() and not is_free(folder)


def _take(file: IO[str]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Busy(f"Another process works in {Path(file.name).parent.name}.") from error


LOST_S = 30.0  # A run that has given no sign for so long has lost its process
SILENT_S = 4.0  # After so long without a sign its lock is tried, where this machine can see it
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
RECEIPTS = Path(__file__).resolve().parents[1] / "receipts"
RECEIPT = "receipts/"  # Begins the ``folder`` of a run that came with the code
LOST_NOTE = "Its process has ended without a word."


def open_run(
    name: str,
    *,
    kind: str = "evaluate",
    config: dict[str, Any],
    seeds: dict[str, Any],
    total: int,
    folder: Path | None = None,
    waits: bool = False,
    after: Run | None = None,
) -> Run:
    """Write a new run down; ValueError when its name is not allowed.

    ``total`` counts pieces of work; ``config`` (everything that decides the result) and ``seeds``
    are JSON. Without a ``folder`` files go to a new one under ``RUNS_DIR``; without ``waits``, for
    the worker, this process begins at once; ``after`` is the run that must be done first.
    """
    status = Run.Status.QUEUED if waits else Run.Status.RUNNING
    if not NAME.fullmatch(name):
        raise ValueError(f"A run's name is of a-z, 0-9 and hyphens, at most 40; not {name[:50]!r}.")
    stem = f"{timezone.now():%Y%m%d-%H%M%S}_{name}"
    for number in range(1, 100):
        key = stem if number == 1 else f"{stem}-{number}"
        try:
            with transaction.atomic():
                return Run.objects.create(
                    id=key,
                    kind=kind,
                    name=name,
                    config=scrub_json(config),
                    seeds=seeds,
                    total=total,
                    folder=key if folder is None else str(folder.resolve()),
                    status=status,
                    alive_at=None if waits else timezone.now(),
                    after=after,
                    chain=_chain(after) if after else "",
                )
        except IntegrityError:
            continue
    raise ValueError(f"There are a hundred runs named {stem}; wait a second.")


def _chain(first: Run) -> str:
    if not first.chain:
        first.chain = first.pk
        first.save(update_fields=["chain"])
    return first.chain


def seeds_of(first: int, games: dict[str, int]) -> dict[str, Any]:
    """Write down which seeds are used: the first one, and how many in each suite."""
    return {"first": first, "games": games}


def folder_of(run: Run) -> Path:
    """Return where the files of a run are."""
    if run.folder.startswith(RECEIPT):
        return RECEIPTS / run.folder.removeprefix(RECEIPT)
    return Path(settings.RUNS_DIR, run.folder)


def next_waiting() -> Run | None:
    """Return the oldest run for the worker that need not wait for another one."""
    status = Run.Status
    ready = Q(after=None) | Q(after__status=status.DONE)
    waiting = Run.objects.filter(ready, kind__in=KINDS, status=status.QUEUED)
    return waiting.order_by("created_at", "pk").first()


def at_work_here() -> list[Run]:
    """List the runs that some process of this machine works on now, however it was started."""
    running = Run.objects.filter(kind__in=KINDS, status=Run.Status.RUNNING)
    return [run for run in running if is_held(folder_of(run))]


def claim(run: Run) -> bool:
    """Take a queued run for this process; False when it was cancelled or taken by somebody else."""
    taken = Run.objects.filter(pk=run.pk, status=Run.Status.QUEUED)
    return bool(taken.update(status=Run.Status.RUNNING, alive_at=timezone.now()))


def queue(run: Run) -> bool:
    """Put a run that stopped early back in the queue; False when it is at work, or done."""
    status = Run.Status
    stopped = Run.objects.filter(
        pk=run.pk, status__in=(status.INTERRUPTED, status.CANCELLED, status.FAILED)
    )
    return bool(stopped.update(status=status.QUEUED, cancel_asked=False, note="", ended_at=None))


def begin(run: Run) -> None:
    """Note that this process works on the run now."""
    now = timezone.now()
    run.status, run.note = Run.Status.RUNNING, ""
    run.started_at, run.ended_at, run.alive_at = run.started_at or now, None, now
    if run.what.is_stage:
        run.code_version, run.machine = code_version(TRAINING), machine() | libraries()
    else:
        run.code_version, run.machine = code_version(), dict(machine())
    begun = ("status", "note", "started_at", "ended_at", "alive_at", "code_version", "machine")
    run.save(update_fields=begun)


def beat(run: Run, done: int) -> bool:
    """Note a sign of life and how much is done; False when somebody wants the run to stop."""
    before, run.done, run.alive_at = run.alive_at, done, timezone.now()
    row = Run.objects.filter(pk=run.pk)
    try:
        row.update(done=done, alive_at=run.alive_at)
        if before and run.alive_at - before > dt.timedelta(seconds=LOST_S):
            # Silent for long, as while a model loads: who thought it lost was wrong.
            row.filter(note=LOST_NOTE).update(status=Run.Status.RUNNING, note="", ended_at=None)
        return not is_asked_to_stop(run)
    except DatabaseError:
        # A database that is busy or away for a moment must not cost hours of work.
        connection.close_if_unusable_or_obsolete()
        return True


def is_asked_to_stop(run: Run) -> bool:
    """Whether somebody has cancelled a run that is under way."""
    return Run.objects.filter(pk=run.pk, cancel_asked=True).exists()


def end(run: Run, status: str, note: str = "", summary: dict[str, Any] | None = None) -> None:
    """Note how a run ended."""
    run.status, run.note, run.ended_at = status, scrub(note)[:400], timezone.now()
    run.cancel_asked = False
    if summary is not None:
        run.summary = summary
    run.save(update_fields=["status", "note", "ended_at", "summary", "done", "cancel_asked"])


def ask_to_stop(run: Run) -> bool:
    """Cancel a run: a queued one at once, a running one when it next looks; False if it is over."""
    status, now = Run.Status, timezone.now()
    queued = Run.objects.filter(pk=run.pk, status=status.QUEUED)
    if queued.update(status=status.CANCELLED, ended_at=now, note="Cancelled before it began."):
        return True
    return bool(Run.objects.filter(pk=run.pk, status=status.RUNNING).update(cancel_asked=True))


def mark_lost() -> int:
    """Mark runs whose process has vanished as interrupted."""
    now = timezone.now()
    running = Run.objects.filter(kind__in=KINDS, status=Run.Status.RUNNING)
    silent = running.filter(alive_at__lt=now - dt.timedelta(seconds=SILENT_S))
    lost = [run.pk for run in silent if _is_lost(run, now)]
    return running.filter(pk__in=lost).update(
        status=Run.Status.INTERRUPTED, ended_at=now, note=LOST_NOTE, cancel_asked=False
    )


def _is_lost(run: Run, now: dt.datetime) -> bool:
    assert run.alive_at is not None
    folder = folder_of(run)
    # A long step without a sign is no death: whoever holds the folder lives.
    if is_held(folder):
        return False
    return now - run.alive_at > dt.timedelta(seconds=LOST_S) or is_free(folder)


def take_in(
    pk: str, receipt: str, amount: int, published_at: dt.datetime, fields: dict[str, Any]
) -> bool:
    """Make the run of a receipt, or bring it up to date; False when it was there as it is.

    A run that an operator has withdrawn stays withdrawn.
    """
    said: dict[str, Any] = {
        **fields,
        "status": Run.Status.DONE,
        "done": amount,
        "total": amount,
        "folder": f"{RECEIPT}{receipt}",
        "published_at": published_at,
    }
    known = Run.objects.filter(pk=pk).first()
    if known is not None and known.published_at is None:
        del said["published_at"]
    if known is not None and all(getattr(known, name) == value for name, value in said.items()):
        return False
    Run.objects.update_or_create(pk=pk, defaults=said)
    return True


INTERRUPTED_NOTE = "Interrupted by a signal; resume it any time."
Ending = tuple[str, str]  # Status and note of a run that did not come to its end


class Stopped(RuntimeError):
    """The run was cancelled; resume it any time."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def how_it_ended(error: BaseException) -> Ending:
    """Return in a run's words what stopped it."""
    match error:
        case Stopped():
            return Run.Status.CANCELLED, str(error)
        case KeyboardInterrupt() | SystemExit():
            return Run.Status.INTERRUPTED, INTERRUPTED_NOTE
        case _:
            return Run.Status.FAILED, f"{type(error).__name__}: {error}"


@contextmanager
def at_work(run: Run) -> Iterator[None]:
    """Work on a run; whoever leaves by an error has it noted, and the run can be resumed.

    Call ``beat`` at least every second or two and raise ``Stopped`` when it says False;
    call ``end`` with ``DONE`` at the end. SIGTERM is treated like Ctrl-C. Busy when it is
    taken.
    """
    folder = folder_of(run)
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder), terminable():
        begin(run)
        try:
            yield
        except BaseException as error:
            # What follows the end, as tidying up, does not undo it.
            if run.status != run.Status.DONE:
                status, note = how_it_ended(error)
                if status == Run.Status.INTERRUPTED and is_asked_to_stop(run):
                    # Cancelled as it started, before it had looked: the signal was for that.
                    status, note = how_it_ended(Stopped())
                end(run, status, note)
            raise


@contextmanager
def terminable() -> Iterator[None]:
    """Treat a polite end (SIGTERM) like Ctrl-C, where this is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


LINE = 0  # File descriptor of the line to the parent: standard input, where that is a pipe
PATIENCE_S = 8.0  # So long may the run take to write down that it was interrupted


def end_with_parent() -> None:
    """Listen for the end of the parent: the line that it holds breaks, however it dies."""
    if stat.S_ISFIFO(os.fstat(LINE).st_mode):
        threading.Thread(target=_listen, name="line to the parent", daemon=True).start()


def _listen() -> None:
    while os.read(LINE, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE_S)
    os.kill(os.getpid(), signal.SIGKILL)
