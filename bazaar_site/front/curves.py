"""Training curves from the metrics that finished runs have left, one for each stage."""

import functools
import math
from pathlib import Path

import msgspec
from django.utils.safestring import SafeString

from bazaar_site.front.stages import STAGES, TRAINED
from negotiation.charts.svg import element
from negotiation.short_memory import kept
from training import runs
from training.models import Run

LOOK_EVERY_S = 10.0
METRICS = "metrics.jsonl"
"""File of a run's folder: one JSON object a line with ``step`` and what was measured."""

DRAWN: tuple[tuple[str, str], ...] = (("reward", "mean reward"), ("loss", "loss"))
"""What is drawn of a stage, the first that its metrics have, and its words."""

MOST_BYTES = 8_000_000
MOST_POINTS = 400
WIDTH, HEIGHT, FOOT = 360, 180, 24

Point = tuple[float, float]


class Curve(msgspec.Struct, frozen=True):
    """One stage's curve, drawn."""

    title: str
    run: str
    drawn: SafeString


def curves() -> tuple[Curve, ...]:
    """Draw the newest finished run of every stage that left metrics."""
    return kept("curves", LOOK_EVERY_S, _curves)


def _curves() -> tuple[Curve, ...]:
    newest: dict[str, Run] = {}
    finished = Run.objects.filter(kind__in=TRAINED, status=Run.Status.DONE)
    for run in finished.order_by("ended_at", "pk"):
        newest[run.kind] = run
    ordered = [(label, newest[kind]) for kind, label, _ in STAGES if kind in newest]
    found = [_curve(label, run.pk, runs.folder_of(run) / METRICS) for label, run in ordered]
    return tuple(one for one in found if one is not None)


@functools.lru_cache(maxsize=16)
def _curve(label: str, run: str, path: Path) -> Curve | None:
    for name, words in DRAWN:
        points = read_points(path, name)
        if len(points) > 1:
            return Curve(f"{label}, {words}", run, draw_curve(points, f"{label}: {words}", run))
    return None


def read_points(path: Path, name: str) -> list[Point]:
    """Read what was measured under a name, by step; broken lines are left out."""
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return []
    points = []
    for line in path.read_bytes().splitlines():
        try:
            row = msgspec.json.decode(line, type=dict[str, object])
        except msgspec.DecodeError:
            continue  # the last line of a run that was killed
        step, value = row.get("step"), row.get(name)
        if (
            isinstance(step, int | float)
            and isinstance(value, int | float)
            and math.isfinite(value)
        ):
            points.append((float(step), float(value)))
    every = max(1, -(-len(points) // MOST_POINTS))
    return points[::every] + points[-1:] if every > 1 else points


def draw_curve(points: list[Point], title: str, key: str) -> SafeString:
    """Draw values by step between their extremes."""
    steps, values = [step for step, _ in points], [value for _, value in points]
    first, last, low, high = min(steps), max(steps), min(values), max(values)
    wide, tall = (last - first) or 1.0, (high - low) or 1.0

    def place(point: Point) -> str:
        x = 4 + (point[0] - first) / wide * (WIDTH - 8)
        y = 18 + (high - point[1]) / tall * (HEIGHT - FOOT - 26)
        return f"{x:.1f} {y:.1f}"

    words = f"From {values[0]:.3g} at step {first:g} to {values[-1]:.3g} at step {last:g}."
    name = f"curve-{key}"
    about: dict[str, object] = {
        "viewBox": f"0 0 {WIDTH} {HEIGHT}",
        "role": "img",
        "aria-labelledby": f"{name}-title",
        "aria-describedby": f"{name}-words",
    }
    svg = element(
        "svg",
        about,
        element("title", {"id": f"{name}-title"}, title),
        element("desc", {"id": f"{name}-words"}, words),
        element("path", {"class": "curve-axis", "d": f"M4 {HEIGHT - FOOT}H{WIDTH - 4}"}),
        element("path", {"class": "curve-line", "d": "M" + "L".join(map(place, points))}),
        _label(4, 12, f"{high:.3g}", "start"),
        _label(4, HEIGHT - FOOT - 4, f"{low:.3g}", "start"),
        _label(4, HEIGHT - 6, f"step {first:g}", "start"),
        _label(WIDTH - 4, HEIGHT - 6, f"{last:g}", "end"),
    )
    return element("div", {"class": "diagram"}, svg)


def _label(x: float, y: float, words: str, anchor: str) -> SafeString:
    return element("text", {"class": "curve-label", "x": x, "y": y, "text-anchor": anchor}, words)
