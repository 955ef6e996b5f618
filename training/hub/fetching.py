"""Bringing a run home: its files into its folder, and its row into the database."""

import json
import shutil
from pathlib import Path
from typing import Any

from django.conf import settings

from negotiation.secret_values import scrub_json
from training.hub.allowed import NotAllowed, check_repo
from training.hub.client import Entry, Hub, Listing
from training.hub.run_files import CARD, RunCard, check_id, is_artifact, passing_folder, read_card
from training.models import Run
from training.run_lock import alone
from training.runs import lifecycle

CONFIG, SUMMARY = "config.json", "summary.json"
FETCHED = "Fetched from the hub; resume it any time."
MOST_TOLD = 1_000_000
"""Bytes."""


def fetch(hub: Hub, repo: str, run_id: str) -> Run:
    """Fetch a run's files, and those of the run whose model it starts from.

    What is here and unchanged is not fetched again; a fetch that broke goes on.

    Returns:
        The run: done when its summary came along, else interrupted and resumable.

    Raises:
        NotAllowed: the repository or what is in it is not as it should be; or the run is at work
            here.
        Busy: another process works in its folder.
    """
    card = _bring(hub, check_repo(repo), check_id(run_id))
    before = None
    if card.after and not Run.objects.filter(pk=card.after, status=Run.Status.DONE).exists():
        before = _write_down(_bring(hub, repo, card.after))
    return _write_down(card, before)


def _bring(hub: Hub, repo: str, run_id: str) -> RunCard:
    """Fetch one run's files into its folder."""
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
    """Put files in their places; a checkpoint that the hub has no more goes."""
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
    """Make or update the row of a run whose files are here."""
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
    """Read what a run says of itself; None where that cannot be."""
    if not path.is_file() or path.stat().st_size > MOST_TOLD:
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None
    return scrub_json(found) if isinstance(found, dict) else None
