"""What the page of a run shows: facts, curves, figures, files and the end of its log."""

from typing import Any

import msgspec

from negotiation.secret_values import scrub
from training import runs
from training.artifacts import artifacts_of
from training.curves.chart import charts
from training.curves.reading import METRICS, read_series
from training.evaluation.folder import LOG, PACKED
from training.evaluation.published import KINDS
from training.evaluation.summary import Card, Summary
from training.models import Run
from training.run_figures import figures_of, settings_of

LOG_TAIL = 6_000
"""Bytes of the log's end that are shown."""

RATES: tuple[tuple[str, str], ...] = (
    ("Share of winnable", "share_of_winnable"),
    ("Share of deals", "share_of_deals"),
    ("Deal rate", "deal_rate"),
    ("Wins", "win_rate"),
    ("Mutual loss", "mutual_loss_rate"),
)


def page_of(run: Run) -> dict[str, Any]:
    """Gather what everybody may see who may see the run."""
    return live_of(run) | {
        "figures": figures_of(run),
        "settings": settings_of(run),
        "artifacts": artifacts_of(run) if run.what.is_stage else (),
        "headings": [heading for heading, _ in RATES],
        "rows": _rows(run),
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


def _rows(run: Run) -> list[tuple[str, list[str]]]:
    """Give one row per policy, best first, in percent with intervals."""
    if run.summary is None or run.kind not in KINDS:
        return []
    results = msgspec.convert(run.summary, Summary).policies
    ranked = sorted(results, key=lambda one: _mean(one.mean), reverse=True)
    return [(one.title, [_words(one.mean, name) for _, name in RATES]) for one in ranked]


def _mean(card: Card) -> float:
    return card.share_of_winnable.mean if card.share_of_winnable else 0.0


def _words(card: Card, name: str) -> str:
    rate = getattr(card, name)
    if rate is None:
        return "–"
    return f"{100 * rate.mean:.1f} ({100 * rate.low:.1f} to {100 * rate.high:.1f})"
