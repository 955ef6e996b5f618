"""A run's folder on the hub, kept up while the run is under way and brought home again.

The run never waits for the hub, and never fails because of it: what could not be sent is sent
later, and at the end there is one more try.
"""

import json
import logging
import shutil
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings

from negotiation.retry import doubled_s
from negotiation.secret_values import scrub, scrub_json
from training.hub.allowed import (
    CARD,
    GROWING,
    HubError,
    NotAllowed,
    Refused,
    RunCard,
    Unreachable,
    artifacts_in,
    card_of,
    check_id,
    check_repo,
    is_artifact,
    passing_folder,
    read_card,
)
from training.hub.client import Entry, Hub, Listing
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import alone

log = logging.getLogger(__name__)

CONFIG, SUMMARY = "config.json", "summary.json"
FETCHED = "Fetched from the hub; resume it any time."
MOST_TOLD = 1_000_000  # Bytes of what a run says of itself
EVERY_S = 60.0
LONGEST_WAIT_S = 900.0
SAYS_NO_WITHIN_S = 60.0
LAST_TRIES = 4
LAST_WAIT_S = 2.0
PATIENCE_S = 600.0  # How long the end of a run waits for its last upload
Seen = dict[str, tuple[int, int]]  # Size and time of change of every file that the hub has


class Pushed(msgspec.Struct, frozen=True):
    """What one upload did."""

    files: int
    bytes: int


class Uploader:
    """Uploads what is new in a run's folder; ``refusal`` says why the hub takes nothing at all."""

    def __init__(self, hub: Hub, repo: str, run: Run, *, every_s: float = EVERY_S) -> None:
        self._hub = hub
        self._repo = repo
        self._run_id = run.pk
        self._folder = lifecycle.folder_of(run)
        self._card = card_of(run).to_json()
        self._every_s = every_s
        self._sent: Seen = {}
        self._made = False
        self._end = threading.Event()
        self._tried = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="uploads", daemon=True)
        self.is_complete = False
        self.refusal: Refused | None = None

    def push(self) -> Pushed:
        """Upload what is new or changed, in one commit.

        HubError: nothing was uploaded; OSError: a file vanished or cannot be read. Try later.
        """
        if not self._made:
            self._hub.make_repo(self._repo)
            self._made = True
        found = {name: path for name, path in artifacts_in(self._folder) if name != CARD}
        now = {name: _stamp(path) for name, path in found.items()}
        new = [name for name, stamp in now.items() if self._sent.get(name) != stamp]
        gone = _passing(self._sent) - _passing(now)
        if not new and not gone and self._sent:
            return Pushed(0, 0)
        files = [(self._at(name), _content(name, found[name])) for name in new]
        if not self._sent:
            files.append((self._at(CARD), self._card))
        self._hub.commit(
            self._repo,
            f"{self._run_id}: {len(files)} files",
            files,
            [self._at(name) for name in sorted(gone)],
        )
        self._sent = {**now, CARD: (len(self._card), 0)}
        return Pushed(len(files), sum(now[name][0] for name in new))

    def start(self) -> None:
        """Upload at once and then now and then, until ``stop``; Refused if it is never taken."""
        self._thread.start()
        # A hub that is slow or away is no reason to wait; one that says no is one to stop.
        self._tried.wait(SAYS_NO_WITHIN_S)
        if self.refusal is not None:
            raise self.refusal

    def stop(self, patience_s: float = PATIENCE_S) -> bool:
        """Upload for the last time; False when the hub does not have everything."""
        self._end.set()
        self._thread.join(patience_s)
        return self.is_complete

    def _at(self, name: str) -> str:
        return f"{self._run_id}/{name}"

    def _watch(self) -> None:
        failures = 0
        while self.refusal is None:
            asked_s = self._try()
            self._tried.set()
            failures = 0 if asked_s is None else failures + 1
            wait_s = max(doubled_s(self._every_s, failures, LONGEST_WAIT_S), asked_s or 0.0)
            if self._end.wait(wait_s):
                break
        for failures in range(1, LAST_TRIES + 1):
            asked_s = self._try()
            self.is_complete = asked_s is None
            if self.is_complete or self.refusal is not None:
                break
            time.sleep(max(doubled_s(LAST_WAIT_S, failures), asked_s or 0.0))

    def _try(self) -> float | None:
        # None when the hub has everything; else the seconds it wants to be left alone.
        try:
            pushed = self.push()
        except (HubError, OSError) as wrong:
            log.warning("not uploaded: %s", scrub(str(wrong)))
            if isinstance(wrong, Refused) and not self._sent:
                self.refusal = wrong
            return wrong.after_s if isinstance(wrong, Unreachable) else 0.0
        # Whatever it is: without this thread a job's container would take the model with it.
        except Exception:
            log.exception("not uploaded")
            return 0.0
        if pushed.files:
            log.info("uploaded %d files, %.1f MB", pushed.files, pushed.bytes / 1e6)
        return None


@contextmanager
def uploading(run: Run, repo: str = "", *, every_s: float = EVERY_S) -> Iterator[None]:
    """Keep a run's folder on the hub while the block works; without a repository do nothing.

    Before any work: NotAllowed without token or permission, Refused when the hub takes no uploads.
    """
    if not repo:
        yield
        return
    uploader = Uploader(Hub(), check_repo(repo), run, every_s=every_s)
    uploader.start()
    try:
        yield
    finally:
        if not uploader.stop():
            log.error("the hub lacks the end of %s; %s", run.pk, _how_to_push(run.pk, repo))


def _how_to_push(run_id: str, repo: str) -> str:
    return f"upload it with: manage.py hf_job push {run_id} --repo {repo}"


def _passing(names: Iterable[str]) -> set[str]:
    return {folder for name in names if (folder := passing_folder(name))}


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _content(name: str, path: Path) -> Path | bytes:
    # What grows is read while it is sent; weights are read from the disk.
    if not GROWING.fullmatch(name):
        return path
    return scrub(path.read_text(encoding="utf-8", errors="replace")).encode()


def fetch(hub: Hub, repo: str, run_id: str) -> Run:
    """Fetch a run's files, and those of the run whose model it starts from; a broken fetch goes on.

    The run is done when its summary came along, else interrupted and resumable.

    Raises:
        NotAllowed: the repository is not as it should be, or the run is at work here.
        Busy: another process works in its folder.
    """
    card = _bring(hub, check_repo(repo), check_id(run_id))
    before = None
    if card.after and not Run.objects.filter(pk=card.after, status=Run.Status.DONE).exists():
        before = _write_down(_bring(hub, repo, card.after))
    return _write_down(card, before)


def _bring(hub: Hub, repo: str, run_id: str) -> RunCard:
    known = Run.objects.filter(pk=run_id).first()
    if known is not None and known.is_at_work:
        raise NotAllowed(f"{run_id} is {known.status} here; cancel it before fetching it.")
    folder = Path(settings.RUNS_DIR, run_id) if known is None else lifecycle.folder_of(known)
    folder.mkdir(parents=True, exist_ok=True)
    beside = Path(settings.RUNS_DIR, f".fetch-{run_id}")
    listed = hub.files(repo, run_id)
    there = [one for one in listed.entries if is_artifact(_name(one, run_id))]
    if not any(_name(one, run_id) == CARD for one in there):
        raise NotAllowed(f"{repo} has no run {run_id}.")
    _check_room(there)
    with alone(folder):
        hub.download(repo, Listing(listed.commit, tuple(there)), beside)
        card = read_card(beside / run_id)
        if card.id != run_id:
            raise NotAllowed(f"The files of {run_id} in {repo} belong to {card.id}.")
        _move_in(beside / run_id, folder, [_name(one, run_id) for one in there])
    shutil.rmtree(beside)
    return card


def _name(entry: Entry, run_id: str) -> str:
    return entry.path.removeprefix(f"{run_id}/")


def _check_room(there: list[Entry]) -> None:
    needed = sum(entry.size for entry in there)
    free = shutil.disk_usage(settings.RUNS_DIR).free
    if needed > free:
        raise NotAllowed(f"The run is {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB are free.")


def _move_in(source: Path, folder: Path, names: list[str]) -> None:
    # A checkpoint that the hub has no more goes.
    kept = {passing_folder(name) for name in names}
    passing = ("checkpoints/checkpoint-*", "best", "best/round-*")
    for old in [one for pattern in passing for one in folder.glob(pattern)]:
        name = old.relative_to(folder).as_posix()
        if not any(one == name or one.startswith(f"{name}/") for one in kept if one):
            shutil.rmtree(old, ignore_errors=True)
    for name in names:
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        (source / name).replace(place)


def _write_down(card: RunCard, after: Run | None = None) -> Run:
    run, _ = Run.objects.get_or_create(
        pk=card.id,
        defaults={
            "kind": card.kind,
            "name": card.name[:60],
            "config": scrub_json(card.config),
            "seeds": card.seeds,
            "total": card.total,
            "folder": card.id,
            "after": after or Run.objects.filter(pk=card.after).first(),
            "status": Run.Status.INTERRUPTED,
        },
    )
    summary = _told(lifecycle.folder_of(run) / SUMMARY)
    made_by = _told(lifecycle.folder_of(run) / CONFIG) or {}
    # Where and by which code it was made; for how long, nobody here knows.
    run.code_version = str(made_by.get("code", ""))[:60]
    machine = made_by.get("machine")
    run.machine = machine if isinstance(machine, dict) else {}
    run.started_at = None
    run.save(update_fields=["code_version", "machine", "started_at"])
    if summary is None:
        lifecycle.end(run, Run.Status.INTERRUPTED, FETCHED)
    else:
        run.done = run.total
        lifecycle.end(run, Run.Status.DONE, summary=summary)
    return run


def _told(path: Path) -> dict[str, Any] | None:
    # None where a run's word of itself cannot be read.
    if not path.is_file() or path.stat().st_size > MOST_TOLD:
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None
    return scrub_json(found) if isinstance(found, dict) else None
