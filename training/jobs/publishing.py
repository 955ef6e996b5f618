"""Receipts of training: what a stage was told and measured, as files that ship with the code.

``training/receipts/<name>/`` has ``config.json``, ``metrics.jsonl``, ``summary.json`` and
``run.json``, where there are any ``samples.jsonl`` (a lab's ``episodes.jsonl``), and packed
``pairs.jsonl.gz``.
"""

import datetime as dt
import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from django.utils import timezone

from training.disk import write_json, write_whole
from training.evaluation import BadReceipt, BrokenRun, published
from training.evaluation.folder import CONFIG, RUN, SAMPLES, SUMMARY
from training.evaluation.samples import contradiction, read_samples
from training.models import Run
from training.runs import lifecycle
from training.runs.files import MODEL, hide_paths_json, pack_model
from training.runs.lifecycle import take_in
from training.runs.metrics import METRICS, check_metrics, check_summary
from training.stages.config import STAGES, Stage
from training.stages.market import episodes

PAIRS, PACKED_PAIRS = "pairs.jsonl", "pairs.jsonl.gz"
ORDER = STAGES
MOST_PAIRS_BYTES = 4_000_000  # Packed


class Facts(msgspec.Struct, frozen=True):
    """What ``run.json`` says of a stage; ``after`` is the run whose model it began with."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_-]{1,80}$")]
    name: Annotated[str, msgspec.Meta(pattern=f"^{lifecycle.NAME.pattern}$")]
    kind: Stage
    published_at: Annotated[dt.datetime, msgspec.Meta(tz=True)]
    code: str = ""
    machine: dict[str, Any] = {}
    seeds: dict[str, Any] = {}
    after: str = ""
    took_s: float | None = None


class StageReceipt(msgspec.Struct, frozen=True):
    """A receipt whose numbers are numbers and agree with each other; ``steps`` were measured."""

    name: str
    config: dict[str, Any]
    summary: dict[str, Any]
    facts: Facts
    steps: int


def publish(run: Run) -> None:
    """Show a finished run, with its files to download; ``BrokenRun`` where it has not finished."""
    if not run.what.is_stage:
        published.publish(run)
        return
    run.refresh_from_db()
    if run.status != Run.Status.DONE or run.summary is None:
        raise BrokenRun(f"{run.pk} is {run.status}; only a finished run can be published.")
    folder = lifecycle.folder_of(run)
    if (folder / MODEL).is_dir():
        pack_model(folder)
    Run.objects.filter(pk=run.pk).update(published_at=timezone.now())


def withdraw(run: Run) -> None:
    """Show it to staff only."""
    Run.objects.filter(pk=run.pk).update(published_at=None)


def names() -> list[str]:
    """List the receipts of stages that ship with the code."""
    played = set(published.names())
    found = {path.parent.name for path in lifecycle.RECEIPTS.glob(f"*/{CONFIG}")}
    return sorted(found - played)


def read_all() -> list[StageReceipt]:
    """Read all receipts of stages, in the order of the pipeline; BadReceipt."""
    found = [read(name) for name in names()]
    return sorted(found, key=lambda one: (ORDER.index(one.facts.kind), one.facts.published_at))


def read(name: str) -> StageReceipt:
    """Read a receipt; BadReceipt when its numbers contradict each other."""
    path = lifecycle.RECEIPTS / name
    try:
        facts = msgspec.json.decode((path / RUN).read_bytes(), type=Facts)
        config = msgspec.json.decode((path / CONFIG).read_bytes(), type=dict[str, Any])
        summary = msgspec.json.decode((path / SUMMARY).read_bytes(), type=dict[str, Any])
        measured = check_metrics(path / METRICS)
        check_summary(summary, measured)
        _check_stage(facts, config, summary)
        _check_games(path)
    except (OSError, ValueError) as error:
        raise BadReceipt(f"The receipt {name} cannot be used: {error}") from error
    return StageReceipt(name, config, summary, facts, measured.last_step)


def load(receipt: StageReceipt) -> bool:
    """Make the run of a receipt, or bring it up to date; False when it was there as it is."""
    facts = receipt.facts
    fields: dict[str, Any] = {
        "kind": facts.kind,
        "name": facts.name,
        "config": receipt.config,
        "code_version": facts.code,
        "seeds": facts.seeds,
        "machine": facts.machine,
        "summary": receipt.summary,
        "after_id": facts.after if Run.objects.filter(pk=facts.after).exists() else None,
    }
    return take_in(facts.id, receipt.name, receipt.steps, facts.published_at, fields)


def write(run: Run, target: Path) -> None:
    """Copy what a receipt consists of; BrokenRun when not published, BadReceipt when not true."""
    if run.published_at is None:
        raise BrokenRun(f"{run.pk} is not published; publish it first.")
    source = lifecycle.folder_of(run)
    target.mkdir(parents=True, exist_ok=True)
    for name in _files(source):
        shutil.copyfile(source / name, target / name)
    if (source / PAIRS).is_file():
        packed = gzip.compress((source / PAIRS).read_bytes(), mtime=0)
        write_whole(target / PACKED_PAIRS, [packed])
    write_json(target / CONFIG, hide_paths_json(run.config))
    facts = {
        "id": run.pk, "name": run.name, "kind": run.kind, "code": run.code_version,
        "machine": run.machine, "seeds": run.seeds, "after": run.after_id or "",
        "took_s": _took_s(run), "published_at": run.published_at.isoformat(),
    }  # fmt: skip
    write_json(target / RUN, facts)
    if target.parent == lifecycle.RECEIPTS:
        read(target.name)


def _files(source: Path) -> Iterator[str]:
    yield from (METRICS, SUMMARY)
    yield from (name for name in (SAMPLES, episodes.EPISODES) if (source / name).is_file())


def _took_s(run: Run) -> float | None:
    if run.started_at is None or run.ended_at is None:
        return None
    return round((run.ended_at - run.started_at).total_seconds(), 1)


def _check_stage(facts: Facts, config: dict[str, Any], summary: dict[str, Any]) -> None:
    if config.get("stage") != facts.kind:
        raise BadReceipt(f"config.json is of {config.get('stage')!r}, run.json of {facts.kind!r}.")
    if not isinstance(config.get("config"), dict):
        raise BadReceipt("config.json has no settings under 'config'.")
    if summary.get("stage", facts.kind) != facts.kind:
        raise BadReceipt(f"summary.json is of {summary['stage']!r}, run.json of {facts.kind!r}.")


def _check_games(path: Path) -> None:
    for one in read_samples(path / SAMPLES):
        if wrong := contradiction(one):
            raise BadReceipt(f"The {wrong} of {one.policy} in seed {one.seed} does not follow.")
    for episode in episodes.read_records(path):
        if wrong := episodes.contradiction(episode):
            raise BadReceipt(
                f"The {wrong} of {episode.policy} in {episode.task}, seed {episode.seed}, does not "
                "follow from what it said."
            )
    pairs = path / PACKED_PAIRS
    if pairs.is_file() and pairs.stat().st_size > MOST_PAIRS_BYTES:
        raise BadReceipt(f"{PACKED_PAIRS} has more than {MOST_PAIRS_BYTES:,} bytes.")
