"""Means with their intervals, one under the other: dots with whiskers on a common scale."""

import math
from collections.abc import Iterator, Sequence

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.svg import element, picture
from negotiation.statistics import Interval

WIDTH, ROW, TOP, FOOT = 320.0, 24.0, 10.0, 24.0
LEFT, RIGHT = 142.0, 308.0
CAP = 4.0
STEPS = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0)
MOST_MARKS = 5


class Whisker(msgspec.Struct, frozen=True):
    """A row: its name, a mean with its 95 % interval, and whether it is set off from the others."""

    name: str
    rate: Interval
    is_lead: bool = False


def whiskers(title: str, rows: Sequence[Whisker], *, key: str) -> SafeString:
    """Draw rows in their order; numbers are said in its description.

    >>> "Expert: 0.50, 0.40 to 0.60." in whiskers(
    ...     "Return", [Whisker("Expert", Interval(0.5, 0.4, 0.6))], key="x"
    ... )
    True
    """
    low = min(0.0, *(row.rate.low for row in rows))
    high = max(0.0, *(row.rate.high for row in rows))
    step = next((one for one in STEPS if (high - low) / one <= MOST_MARKS), STEPS[-1])
    ends = (math.floor(low / step) * step, max(math.ceil(high / step), 1) * step)
    height = TOP + ROW * len(rows) + FOOT
    return picture(
        {"class": "market-whiskers", "viewBox": f"0 0 {WIDTH:g} {height:g}"},
        key,
        title,
        _words(rows),
        *_marks(ends, step, height - FOOT),
        *(part for place, row in enumerate(rows) for part in _row(row, place, ends)),
    )


def _words(rows: Sequence[Whisker]) -> str:
    return " ".join(
        f"{row.name}: {row.rate.mean:.2f}, {row.rate.low:.2f} to {row.rate.high:.2f}."
        for row in rows
    )


def _marks(ends: tuple[float, float], step: float, ground: float) -> Iterator[SafeString]:
    for number in range(round((ends[1] - ends[0]) / step) + 1):
        value = ends[0] + number * step
        x = _x(value, ends)
        name = "whisker-zero" if abs(value) < step / 2 else "whisker-grid"
        yield element("path", {"class": name, "d": f"M{x:.1f} {TOP:g}V{ground:.1f}"})
        text = f"{value + 0.0:g}" if abs(value) >= step / 2 else "0"
        place = {"x": x, "y": ground + 15, "text-anchor": "middle"}
        yield element("text", {"class": "whisker-mark", **place}, text.replace("-", "−"))


def _row(row: Whisker, place: int, ends: tuple[float, float]) -> Iterator[SafeString]:
    y = TOP + ROW * (place + 0.5)
    low, mean, high = (_x(one, ends) for one in (row.rate.low, row.rate.mean, row.rate.high))
    name = {"x": LEFT - 10, "y": y + 4, "text-anchor": "end"}
    lead = " whisker-lead" if row.is_lead else ""
    yield element("text", {"class": f"whisker-name{lead}", **name}, row.name)
    caps = "".join(f"M{x:.1f} {y - CAP:.1f}V{y + CAP:.1f}" for x in (low, high))
    way = f"M{low:.1f} {y:.1f}H{high:.1f}{caps}"
    yield element("path", {"class": f"whisker-span{lead}", "d": way})
    yield element("circle", {"class": f"whisker-dot{lead}", "cx": mean, "cy": y, "r": 3.4})


def _x(value: float, ends: tuple[float, float]) -> float:
    return LEFT + (RIGHT - LEFT) * (value - ends[0]) / (ends[1] - ends[0])
