"""Receipts that ship with the code: checked against their own rows, then shown."""

import datetime as dt
import gzip
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from training.evaluation.domain import domain_of_plan, read_row
from training.evaluation.errors import BadReceipt, EvaluationError
from training.evaluation.folder import CONFIG, PACKED, RUN, SUMMARY
from training.evaluation.plan import Plan
from training.evaluation.rows import Row
from training.evaluation.summing import SummaryOf
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import take_in

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
    """List the receipts of evaluations that ship with the code; stages have receipts of their own.

    What is neither is listed too, so that it is refused and not passed over.
    """
    found = lifecycle.RECEIPTS.glob(f"*/{CONFIG}")
    return sorted(path.parent.name for path in found if not _is_of_a_stage(path))


def _is_of_a_stage(path: Path) -> bool:
    try:
        config = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and "stage" in config


def read(name: str) -> Receipt:
    """Read a receipt and sum its bargains up again.

    Raises:
        BadReceipt: it cannot be read, or it says what its bargains do not.
    """
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
    """Make the run of a receipt, or bring it up to date.

    Returns:
        False when it was there already as it is.
    """
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
    """Return a value as JSON reads it: lists, no tuples."""
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
