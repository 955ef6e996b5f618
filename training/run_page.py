"""What the page of a run shows: facts, figures and the end of its log."""

from typing import Any

import msgspec

from training import runs
from training.evaluation.folder import LOG, PACKED
from training.evaluation.published import KIND
from training.evaluation.summary import Card, Summary
from training.models import Run

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
    """Gather what the template shows."""
    return {
        "run": run,
        "percent": round(100 * run.progress),
        "log": _tail(run),
        "headings": [heading for heading, _ in RATES],
        "rows": _rows(run),
        "has_files": (runs.folder_of(run) / PACKED).is_file(),
        "resumable": run.status in ("interrupted", "cancelled", "failed", "queued"),
    }


def _tail(run: Run) -> str:
    path = runs.folder_of(run) / LOG
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LOG_TAIL))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _rows(run: Run) -> list[tuple[str, list[str]]]:
    """Give one row per policy, best first, in percent with intervals."""
    if run.summary is None or run.kind != KIND:
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
