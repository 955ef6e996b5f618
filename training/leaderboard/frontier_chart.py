"""The chart of share against deal rate: whiskers, the frontier, and lines of equal worth."""

from collections.abc import Iterator, Sequence

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.labels import text_width
from negotiation.charts.sheet import NARROWEST, SMALLEST_TEXT
from negotiation.charts.svg import element
from training.leaderboard.frontier import Spot, frontier

WORTHS = (0.2, 0.4, 0.6, 0.8)
"""Shares over all winnable bargains for which a line is drawn."""

TICKS = (0.02, 0.05, 0.1, 0.2, 0.5)
MOST_TICKS = 5
STEPS = 24
DOT = 6.0


class Paper(msgspec.Struct, frozen=True):
    """Maps rates and shares to user units; ``letter`` is the font size."""

    width: float
    height: float
    letter: float
    low_x: float
    low_y: float

    @property
    def left(self) -> float:
        """Where the lowest deal rate lies."""
        return self.letter * 2.8

    @property
    def bottom(self) -> float:
        """Where the lowest share lies."""
        return self.height - self.letter * 2.9

    def x(self, rate: float) -> float:
        """Place a deal rate."""
        right = self.width - self.letter * 1.2
        return self.left + (right - self.left) * (rate - self.low_x) / (1 - self.low_x)

    def y(self, share: float) -> float:
        """Place a share."""
        top = self.letter * 1.4
        return self.bottom - (self.bottom - top) * (share - self.low_y) / (1 - self.low_y)


def frontier_chart(
    spots: Sequence[Spot], title: str, *, width: float = 560, height: float = 520
) -> SafeString:
    """Draw policies by how often they close and what they get when they do.

    Args:
        spots: at least one.
        title: what is shown, for readers without eyes.
        width: of the view box.
        height: of the view box.
    """
    letter = SMALLEST_TEXT * width / NARROWEST
    paper = Paper(
        width=width,
        height=height,
        letter=letter,
        low_x=_floor(min(spot.deals.low for spot in spots)),
        low_y=_floor(min(spot.share.low for spot in spots)),
    )
    best = frontier(spots)
    return element(
        "svg",
        {"viewBox": f"0 0 {width:g} {height:g}", "role": "img", "font-size": letter},
        element("title", {}, title),
        element("desc", {}, _in_words(spots, best)),
        *_worth_lines(paper),
        *_axes(paper),
        _frontier_line(paper, best),
        *(_spot(paper, spot, is_best=spot in best) for spot in spots),
        *_labels(paper, spots, best),
    )


def _floor(value: float) -> float:
    return min(max(int(value * 10) / 10, 0.0), 0.9)


def _axes(paper: Paper) -> Iterator[SafeString]:
    bottom, left, letter = paper.bottom, paper.left, paper.letter
    right = paper.x(1)
    yield _path("chart-line", f"M{left:.1f} {paper.y(1):.1f}V{bottom:.1f}H{right:.1f}")
    for tick in _ticks(paper.low_x):
        yield _text(_percent(tick), paper.x(tick), bottom + letter * 1.2, "middle")
    for tick in _ticks(paper.low_y):
        yield _text(_percent(tick), left - letter * 0.4, paper.y(tick) + letter * 0.35, "end")
    middle = (left + right) / 2
    yield _text("Deals per winnable bargain", middle, bottom + letter * 2.5, "middle")


def _ticks(low: float) -> list[float]:
    step = next(one for one in TICKS if (1 - low) / one <= MOST_TICKS)
    return [1 - step * at for at in range(int((1 - low) / step + 1e-6) + 1)]


def _worth_lines(paper: Paper) -> Iterator[SafeString]:
    for worth in WORTHS:
        seen = _worth_course(paper, worth)
        if len(seen) < 2:
            continue
        line = "L".join(f"{paper.x(rate):.1f} {paper.y(worth / rate):.1f}" for rate in seen)
        left, top = _worth_place(paper, worth, seen[0])
        yield element(
            "g",
            {"class": "frontier-worth"},
            element("path", {"d": f"M{line}", "fill": "none", "stroke": "currentColor"}),
            _text(_worth_words(worth), left, top, "start"),
        )


def _worth_course(paper: Paper, worth: float) -> list[float]:
    first = max(paper.low_x, worth, 1e-9)
    rates = [first + (1 - first) * at / STEPS for at in range(STEPS + 1)]
    return [rate for rate in rates if paper.low_y <= worth / rate <= 1]


def _worth_place(paper: Paper, worth: float, rate: float) -> tuple[float, float]:
    return paper.x(rate) + paper.letter * 0.3, paper.y(worth / rate) - paper.letter * 0.4


def _worth_words(worth: float) -> str:
    return f"worth {_percent(worth)}"


def _worth_boxes(paper: Paper) -> Iterator["Box"]:
    for worth in WORTHS:
        if len(seen := _worth_course(paper, worth)) > 1:
            left, bottom = _worth_place(paper, worth, seen[0])
            wide = text_width(_worth_words(worth), paper.letter * 0.9)
            yield _box(left, bottom - paper.letter * 0.8, wide, paper.letter)


def _frontier_line(paper: Paper, best: Sequence[Spot]) -> SafeString:
    line = "L".join(f"{paper.x(s.deals.mean):.1f} {paper.y(s.share.mean):.1f}" for s in best)
    return _path("frontier-line", f"M{line}")


def _spot(paper: Paper, spot: Spot, *, is_best: bool) -> SafeString:
    x, y = paper.x(spot.deals.mean), paper.y(spot.share.mean)
    whiskers = (
        f"M{paper.x(spot.deals.low):.1f} {y:.1f}H{paper.x(spot.deals.high):.1f}"
        f"M{x:.1f} {paper.y(spot.share.low):.1f}V{paper.y(spot.share.high):.1f}"
    )
    return element(
        "g",
        {"class": "frontier-spot is-best" if is_best else "frontier-spot"},
        element("title", {}, _said(spot)),
        element("path", {"d": whiskers, "fill": "none", "stroke": "currentColor"}),
        element("circle", {"cx": x, "cy": y, "r": DOT, "fill": "currentColor"}),
    )


def _labels(paper: Paper, spots: Sequence[Spot], best: Sequence[Spot]) -> Iterator[SafeString]:
    """Name as many spots as fit, those of the frontier first."""
    taken = [_box(paper.x(s.deals.mean) - DOT, paper.y(s.share.mean) - DOT, 2 * DOT, 2 * DOT)
             for s in spots]  # fmt: skip
    taken += _worth_boxes(paper)
    for spot in (*best, *(one for one in spots if one not in best)):
        x, y = paper.x(spot.deals.mean), paper.y(spot.share.mean)
        wide, high, gap = text_width(spot.name, paper.letter) * 0.9, paper.letter, DOT * 1.8
        for left, top, anchor, at in (
            (x - gap - wide, y - high * 1.05, "end", x - gap),
            (x + gap, y - high * 1.05, "start", x + gap),
            (x - gap - wide, y + high * 0.1, "end", x - gap),
            (x + gap, y + high * 0.1, "start", x + gap),
            (x - wide / 2, y - high * 1.9, "middle", x),
            (x - wide / 2, y + high * 0.9, "middle", x),
        ):
            box = _box(left, top, wide, high)
            if left < paper.left or left + wide > paper.width or top + high > paper.bottom:
                continue
            if any(_touch(box, other) for other in taken):
                continue
            taken.append(box)
            kind = "frontier-name is-best" if spot in best else "frontier-name"
            yield element("g", {"class": kind, "aria-hidden": "true"},
                          _text(spot.name, at, top + high * 0.8, anchor))  # fmt: skip
            break


Box = tuple[float, float, float, float]


def _box(left: float, top: float, wide: float, high: float) -> Box:
    return left, top, left + wide, top + high


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _in_words(spots: Sequence[Spot], best: Sequence[Spot]) -> str:
    names = ", ".join(_said(spot) for spot in best)
    others = len(spots) - len(best)
    return (
        f"Nobody is better in both than: {names}. "
        f"{others} others lie below that line; the table has their numbers."
    )


def _said(spot: Spot) -> str:
    return (
        f"{spot.name}: deals in {_percent(spot.deals.mean)} of winnable bargains, "
        f"{_percent(spot.share.mean)} of the zone in a deal"
    )


def _percent(part: float) -> str:
    return f"{round(part * 100)}\N{NO-BREAK SPACE}%"


def _path(name: str, d: str) -> SafeString:
    path = element("path", {"d": d, "fill": "none", "stroke": "currentColor"})
    return element("g", {"class": name}, path)


def _text(words: str, x: float, y: float, anchor: str) -> SafeString:
    return element("text", {"x": x, "y": y, "text-anchor": anchor}, words)
