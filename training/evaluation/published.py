"""Runs of evaluations: found by id or folder, published, packed as receipts, and shown."""

import datetime as dt
import gzip
import io
import json
import zlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Generic, Literal

import msgspec
from django.utils import timezone

from training.disk import write_json, write_whole
from training.evaluation import BadReceipt, BrokenRun, EvaluationError
from training.evaluation.domain import domain_of_plan, read_row
from training.evaluation.folder import (
    CONFIG,
    EPISODES,
    PACKED,
    RUN,
    SAMPLES,
    SUMMARY,
    Folder,
)
from training.evaluation.plan import Plan
from training.evaluation.rows import Row
from training.evaluation.summary import Card, Difference
from training.evaluation.summing import AnyCard, AnyDifference, ResultOf, SummaryOf
from training.models import Run, published_runs
from training.runs import lifecycle
from training.runs.lifecycle import take_in

KIND = "evaluate"
STRANGERS = "strangers"  # Buyers against sellers that no training has met
ABLATION = "ablation"

CEILINGS = "ceilings"
"""How good a buyer could be: bounds and blind lines on the games of the ladder."""

PEOPLE = "people"  # Buyers, bounds and blind lines with sellers who answer
MARKET = "market"

KINDS = (KIND, STRANGERS, ABLATION, CEILINGS, PEOPLE, MARKET)
"""Runs that are played and summed up alike."""

LEVEL = 9


class PublishedOf(msgspec.Struct, Generic[AnyCard, AnyDifference], frozen=True, kw_only=True):
    """A published evaluation; ``rows`` has a mean over suites and the cards per policy."""

    run: str
    name: str
    published_at: dt.datetime
    made: Plan
    method: str
    rows: tuple[ResultOf[AnyCard], ...]
    differences: tuple[AnyDifference, ...]


Published = PublishedOf[Card, Difference]


def newest(kind: str = KIND) -> Published | None:
    """Return the newest published evaluation of bargains of a kind, None while there is none."""
    run = published_runs((kind,)).reverse().values_list("pk", "published_at").first()
    return None if run is None else _read(*run)


def shown(run_id: str) -> PublishedOf[Any, Any] | None:
    """Return one published evaluation, None when there is none of that id."""
    run = published_runs(KINDS).filter(pk=run_id).values_list("pk", "published_at").first()
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
    """Show a run on the site, with its files to download; BrokenRun when it has not finished."""
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
    """Copy what a receipt consists of: config, summary, packed bargains, and how it was made."""
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
    """Find an evaluation to go on with; BrokenRun when there is neither row nor folder.

    A folder without a row (another database) gets one; a row without its folder is played anew.
    """
    run = known_run(name)
    if run.folder.startswith(lifecycle.RECEIPT):
        raise BrokenRun(f"{run.pk} is a receipt that came with the code; it is complete.")
    path = lifecycle.folder_of(run)
    if not (path / CONFIG).exists():
        path.mkdir(parents=True, exist_ok=True)
        write_json(path / CONFIG, msgspec.convert(run.config, Plan))
    return run


def known_run(name: str) -> Run:
    """Find an evaluation by its id or folder; BrokenRun lists the newest."""
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


TOLERANCE = 2e-6
"""Numbers are rounded to millionths; another machine may round the last digit the other way."""


LATER = frozenset({"grade", "solved_rate"})
"""Numbers of a card that summaries of older receipts do not have; where they are, they count."""


class Facts(msgspec.Struct, frozen=True):
    """What ``run.json`` must say; the rest of it is for people."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_-]{1,80}$")]
    name: Annotated[str, msgspec.Meta(pattern=f"^{lifecycle.NAME.pattern}$")]
    published_at: Annotated[dt.datetime, msgspec.Meta(tz=True)]
    machine: dict[str, Any] = {}
    kind: Literal["evaluate", "strangers", "ablation", "ceilings", "people", "market"] = "evaluate"


class Receipt(msgspec.Struct, frozen=True):
    """A receipt that holds: its summary follows from its rows."""

    name: str
    plan: Plan
    summary: SummaryOf[Any, Any]
    facts: Facts


def names() -> list[str]:
    """List the receipts of evaluations, and what is no stage's either, so that it is refused."""
    found = lifecycle.RECEIPTS.glob(f"*/{CONFIG}")
    return sorted(path.parent.name for path in found if not _is_of_a_stage(path))


def _is_of_a_stage(path: Path) -> bool:
    try:
        config = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and "stage" in config


def read(name: str) -> Receipt:
    """Read a receipt and sum its bargains up again; BadReceipt when it says what they do not."""
    path = lifecycle.RECEIPTS / name
    try:
        plan = msgspec.json.decode((path / CONFIG).read_bytes(), type=Plan)
        domain, summary = domain_of_plan(plan), (path / SUMMARY).read_bytes()
        written = msgspec.json.decode(summary, type=domain.summary)
        lines = gzip.decompress((path / PACKED).read_bytes()).splitlines()
        facts = msgspec.json.decode((path / RUN).read_bytes(), type=Facts)
        again = domain.summarise(plan, map(_row, lines))
    except (OSError, EOFError, zlib.error, ValueError, EvaluationError) as error:
        raise BadReceipt(f"The receipt {name} cannot be used: {error}") from error
    # As it is written, with what a reader of ours would pass over.
    where = differs(json.loads(summary), _plain(again))
    if where is not None:
        raise BadReceipt(
            f"The summary of the receipt {name} does not follow from its bargains: {where}. "
            "Publish the run again (manage.py publish_run) instead of editing files."
        )
    return Receipt(name, plan, written, facts)


def load(receipt: Receipt) -> bool:
    """Make the run of a receipt, or bring it up to date; False when it was there as it is."""
    facts = receipt.facts
    fields: dict[str, Any] = {
        "kind": facts.kind,
        "name": facts.name,
        "config": _plain(receipt.plan),
        "code_version": receipt.plan.commit,
        "seeds": lifecycle.seeds_of(
            receipt.plan.seed, {s.id: s.games for s in receipt.plan.suites}
        ),
        "machine": facts.machine,
        "summary": _plain(receipt.summary),
    }
    bargains = receipt.plan.bargains
    return take_in(facts.id, receipt.name, bargains, facts.published_at, fields)


def _row(line: bytes) -> Row:
    row = read_row(line)
    if wrong := row.contradiction():
        raise BadReceipt(
            f"In {row.suite}, seed {row.seed}, the row of {row.policy} has a {wrong} that does "
            "not follow from its other numbers."
        )
    return row


def _plain(value: msgspec.Struct) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def forget_replaced(current: Iterable[str]) -> int:
    """Take away runs whose receipt is not here any more: its files are another's now."""
    gone = Run.objects.filter(folder__startswith=lifecycle.RECEIPT).exclude(pk__in=list(current))
    return gone.delete()[0]


def differs(written: Any, again: Any, where: str = "it") -> str | None:
    """Return where two JSON values differ by more than the last digit; None if nowhere."""
    if isinstance(written, dict) and isinstance(again, dict):
        again = {key: one for key, one in again.items() if key in written or key not in LATER}
    if isinstance(written, dict) and isinstance(again, dict) and written.keys() == again.keys():
        pairs = [(f"{where}.{key}", written[key], again[key]) for key in written]
    elif isinstance(written, list) and isinstance(again, list) and len(written) == len(again):
        pairs = [(f"{where}[{n}]", *two) for n, two in enumerate(zip(written, again, strict=True))]
    elif isinstance(written, float) and isinstance(again, float):
        return None if abs(written - again) <= TOLERANCE else f"{where} is {again}, not {written}"
    else:
        return None if written == again else f"{where} is not what the bargains give"
    return next((found for place, a, b in pairs if (found := differs(a, b, place))), None)
