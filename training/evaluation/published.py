"""Runs of evaluations: found by id or folder, published, packed as receipts, and shown."""

import datetime as dt
import gzip
import io
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic

import msgspec
from django.utils import timezone

from training.evaluation.domain import domain_of_plan
from training.evaluation.errors import BrokenRun
from training.evaluation.folder import (
    CONFIG,
    EPISODES,
    PACKED,
    RUN,
    SAMPLES,
    SUMMARY,
    Folder,
    to_text,
    write_whole,
)
from training.evaluation.plan import Plan
from training.evaluation.summary import Card, Difference
from training.evaluation.summing import AnyCard, AnyDifference, ResultOf
from training.models import Run
from training.runs import lifecycle

KIND = "evaluate"
"""The ladder: all suites, the table of the front page."""

STRANGERS = "strangers"
"""Buyers against sellers that no training has met."""

ABLATION = "ablation"
"""One trained buyer with its switches on and off."""

CEILINGS = "ceilings"
"""How good a buyer could be: bounds and blind lines on the games of the ladder."""

PEOPLE = "people"
"""Buyers, bounds and blind lines with sellers who answer."""

MARKET = "market"
"""Policies of the GPU market."""

KINDS = (KIND, STRANGERS, ABLATION, CEILINGS, PEOPLE, MARKET)
"""Runs that are played and summed up alike."""

LEVEL = 9


class PublishedOf(msgspec.Struct, Generic[AnyCard, AnyDifference], frozen=True, kw_only=True):
    """A published evaluation.

    ``made`` has the commit, the seeds, the suites with their sellers' versions and n; ``rows``
    has one entry per policy with its mean over suites and its card per suite.
    """

    run: str
    name: str
    published_at: dt.datetime
    made: Plan
    method: str
    rows: tuple[ResultOf[AnyCard], ...]
    differences: tuple[AnyDifference, ...]


Published = PublishedOf[Card, Difference]
"""Of bargains."""


def newest(kind: str = KIND) -> Published | None:
    """Return the newest published evaluation of bargains of a kind, None while there is none."""
    run = (
        Run.objects.filter(kind=kind, status=Run.Status.DONE, published_at__isnull=False)
        .order_by("-published_at", "-pk")
        .values_list("pk", "published_at")
        .first()
    )
    return None if run is None else _read(*run)


def shown(run_id: str) -> PublishedOf[Any, Any] | None:
    """Return one published evaluation, None when there is none of that id."""
    run = (
        Run.objects.filter(
            pk=run_id, kind__in=KINDS, status=Run.Status.DONE, published_at__isnull=False
        )
        .values_list("pk", "published_at")
        .first()
    )
    return None if run is None else _read(*run)


@lru_cache(maxsize=8)
def _read(run_id: str, published_at: dt.datetime) -> PublishedOf[Any, Any]:
    run = Run.objects.get(pk=run_id)
    summary = msgspec.convert(
        run.summary, domain_of_plan(msgspec.convert(run.config, Plan)).summary
    )
    return PublishedOf(
        run=run.pk,
        name=run.name,
        published_at=published_at,
        made=summary.config,
        method=summary.method,
        rows=summary.policies,
        differences=summary.differences,
    )


def publish(run: Run) -> None:
    """Show a finished run on the site, with its files to download.

    Raises:
        BrokenRun: it has not finished.
    """
    run.refresh_from_db()
    if run.status != Run.Status.DONE or run.summary is None:
        raise BrokenRun(f"{run.pk} is {run.status}; only a finished run can be published.")
    folder = Folder(lifecycle.folder_of(run))
    if not run.folder.startswith(lifecycle.RECEIPT):
        write_whole(folder.path / PACKED, [pack((folder.path / EPISODES).read_bytes())])
    run.published_at = timezone.now()
    run.save(update_fields=["published_at"])
    if not run.folder.startswith(lifecycle.RECEIPT):
        folder.describe(published_at=run.published_at.isoformat())


def write_receipt(run: Run, target: Path) -> None:
    """Copy what a receipt consists of: config, summary, packed bargains, and how it was made.

    Raises:
        BrokenRun: the run is not published.
    """
    if run.published_at is None:
        raise BrokenRun(f"{run.pk} is not published; publish it first.")
    source = lifecycle.folder_of(run)
    target.mkdir(parents=True, exist_ok=True)
    also = (SAMPLES,) if (source / SAMPLES).is_file() else ()
    for name in (CONFIG, SUMMARY, PACKED, RUN, *also):
        write_whole(target / name, [(source / name).read_bytes()])


def pack(data: bytes) -> bytes:
    """Compress; the same data gives the same bytes (no time and no name inside)."""
    packed = io.BytesIO()
    with gzip.GzipFile(
        fileobj=packed, mode="wb", compresslevel=LEVEL, mtime=0, filename=""
    ) as file:
        file.write(data)
    return packed.getvalue()


def find_run(name: str) -> Run:
    """Find an evaluation to go on with.

    A folder without a row (another database) gets one; a row whose folder is gone gets an empty
    one, and is played anew.

    Raises:
        BrokenRun: there is neither.
    """
    run = known_run(name)
    if run.folder.startswith(lifecycle.RECEIPT):
        raise BrokenRun(f"{run.pk} is a receipt that came with the code; it is complete.")
    path = lifecycle.folder_of(run)
    if not (path / CONFIG).exists():
        path.mkdir(parents=True, exist_ok=True)
        write_whole(path / CONFIG, [to_text(msgspec.convert(run.config, Plan))])
    return run


def known_run(name: str) -> Run:
    """Find an evaluation by its id or folder.

    Raises:
        BrokenRun: there is none; the message lists the newest.
    """
    run = Run.objects.filter(pk=name).first() or _by_folder(Path(name))
    if run is None:
        known = Run.objects.filter(kind__in=KINDS).values_list("pk", flat=True)[:5]
        raise BrokenRun(
            f"There is no run {name[:80]!r}, and no folder of one. Newest runs: "
            f"{', '.join(known) or 'none'}."
        )
    if run.kind not in KINDS:
        raise BrokenRun(f"{run.pk} is of kind {run.kind!r}, not an evaluation.")
    return run


def _by_folder(path: Path) -> Run | None:
    if not (path / CONFIG).is_file():
        return None
    folder = Folder(path.resolve())
    plan, facts = folder.plan(), folder.facts()
    known = Run.objects.filter(pk=str(facts.get("id", ""))).first()
    if known is not None and lifecycle.folder_of(known) == folder.path:
        return known
    return lifecycle.open_run(
        str(facts.get("name", "evaluation")),
        kind=str(facts.get("kind", KIND)),
        config=msgspec.to_builtins(plan),
        seeds=lifecycle.seeds_of(plan.seed, {one.id: one.games for one in plan.suites}),
        total=plan.bargains,
        folder=folder.path,
    )
