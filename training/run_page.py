"""What the page of a run shows: facts, curves, figures, files and the end of its log."""

from typing import Any

import msgspec

from negotiation.secret_values import scrub
from training import runs
from training.artifacts import artifacts_of
from training.curves.chart import charts
from training.curves.reading import METRICS, read_series
from training.evaluation.domain import Shown, domain_of_plan
from training.evaluation.folder import LOG, PACKED
from training.evaluation.plan import Plan
from training.evaluation.published import KINDS
from training.models import Run
from training.run_figures import figures_of, settings_of

LOG_TAIL = 6_000
"""Bytes of the log's end that are shown."""


def page_of(run: Run) -> dict[str, Any]:
    """Gather what everybody may see who may see the run."""
    headings, rows = _table(run)
    return live_of(run) | {
        "figures": figures_of(run),
        "settings": settings_of(run),
        "artifacts": artifacts_of(run) if run.what.is_stage else (),
        "headings": headings,
        "rows": rows,
        "has_files": (runs.folder_of(run) / PACKED).is_file(),
    }


def live_of(run: Run) -> dict[str, Any]:
    """Gather what changes while a run is at work."""
    chain = chain_of(run)
    return {
        "run": run,
        "percent": round(100 * run.progress),
        "charts": charts(read_series(runs.folder_of(run) / METRICS), run.pk, run.kind),
        "chain": chain,
        "is_chain_at_work": any(one.is_at_work for one in chain),
        "blocked_by": run.blocked_by,
        "is_live": run.is_at_work and run.blocked_by is None,
    }


def staff_of(run: Run) -> dict[str, Any]:
    """Gather what only staff may see."""
    return {
        "log": _tail(run),
        "resumable": run.status in ("interrupted", "cancelled", "failed", "queued"),
    }


def chain_of(run: Run) -> list[Run]:
    """List the runs that were asked for together with this one, in their order."""
    if not run.chain:
        return []
    return list(Run.objects.filter(chain=run.chain).order_by("created_at", "pk"))


def _tail(run: Run) -> str:
    path = runs.folder_of(run) / LOG
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LOG_TAIL))
            return scrub(file.read().decode(errors="replace"))
    except OSError:
        return ""


def _table(run: Run) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Give headings and one row per policy, best first, with intervals."""
    if run.summary is None or run.kind not in KINDS:
        return [], []
    domain = domain_of_plan(msgspec.convert(run.config, Plan))
    results = msgspec.convert(run.summary, domain.summary).policies
    ranked = sorted(results, key=lambda one: _mean(one.mean, domain.lead), reverse=True)
    return [one.heading for one in domain.shown], [
        (one.title, [_words(one.mean, column) for column in domain.shown]) for one in ranked
    ]


def _mean(card: Any, lead: str) -> float:
    found = getattr(card, lead)
    return found.mean if found else 0.0


def _words(card: Any, column: Shown) -> str:
    rate = getattr(card, column.rate)
    if rate is None:
        return "–"
    times, digits = (100, 1) if column.style == "percent" else (1, 2)
    mean, low, high = (f"{times * one:.{digits}f}" for one in (rate.mean, rate.low, rate.high))
    return f"{mean} ({low} to {high})"
