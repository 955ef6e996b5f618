"""Curves of the lab's runs: how it climbed, what SFT lost, six panels of GRPO."""

import math
from collections.abc import Callable
from typing import Any

import msgspec

from training.models import Run
from training.pages.curves import LINEAR, LOGARITHMIC, Chart, Scale, chart
from training.runs import lifecycle
from training.runs.metrics import METRICS, Point, Series, read_series


class Panel(msgspec.Struct, frozen=True):
    """What one panel shows: which metric, under which title, on which scale."""

    metric: str
    title: str
    scale: Scale = LINEAR
    made: Callable[[list[Point]], list[Point]] = list


def sizes(points: list[Point]) -> list[Point]:
    """Take the size of every value; a logarithm knows no zero, so that is left out.

    >>> sizes([(1, -0.5), (2, 0.0), (3, 2.0)])
    [(1, 0.5), (3, 2.0)]
    """
    return [(step, abs(value)) for step, value in points if value]


SFT_PANELS = (
    Panel("loss", "SFT: loss of the teacher’s tokens", LOGARITHMIC, sizes),
    Panel("accuracy", "SFT: tokens told right"),
)
GRPO_PANELS = (
    Panel("return", "Reward: mean return"),
    Panel("valid_json", "JSON compliance"),
    Panel("spread", "Spread within a group"),
    Panel("reward", "Combined: return less format"),
    Panel("loss", "Size of the loss, log scale", LOGARITHMIC, sizes),
    Panel("learning_rate", "Learning rate"),
)
"""The six panels of the dashboard."""


def panels_of(run: Run | None, panels: tuple[Panel, ...]) -> tuple[Chart, ...]:
    """Draw what a run has measured; a panel with fewer than two values is left out."""
    if run is None:
        return ()
    series = read_series(lifecycle.folder_of(run) / METRICS)
    return tuple(one for panel in panels if (one := _panel(series, panel, run.kind)) is not None)


def trajectory(grpo: Run | None) -> Chart | None:
    """Draw the return on unseen markets, check after check; None where there are fewer than two."""
    points = checked(grpo)
    if len(points) < 2:
        return None
    return chart(points, "Return on unseen markets", "lab-trajectory")


def checked(grpo: Run | None) -> list[Point]:
    """Read the mean returns by which the kept step was chosen, by step."""
    told = (grpo.summary or {}).get("checks") if grpo is not None else None
    found = [_check(step, one) for step, one in told.items()] if isinstance(told, dict) else []
    return sorted(point for point in found if point is not None)


def _check(step: str, told: Any) -> Point | None:
    found = told.get("return") if isinstance(told, dict) else None
    mean = found.get("mean") if isinstance(found, dict) else None
    if not step.isdecimal() or not isinstance(mean, int | float) or not math.isfinite(mean):
        return None
    return float(step), float(mean)


def _panel(series: Series, panel: Panel, kind: str) -> Chart | None:
    points = panel.made(series.get(panel.metric, []))
    if len(points) < 2:
        return None
    return chart(points, panel.title, f"{kind}-{panel.metric}", panel.scale)
