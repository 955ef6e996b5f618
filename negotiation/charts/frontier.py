"""A chart of players by two rates: whiskers, the frontier, and where it means something, worth."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from django.utils.safestring import SafeString

from bazaarbatna.intervals import Interval
from negotiation.charts.svg import NARROWEST, SMALLEST_TEXT, element, line, picture, text_width
from negotiation.sentences import sentences

say = sentences(__file__)

WORTHS = (0.2, 0.4, 0.6, 0.8)  # Shares over all winnable bargains for which a line is drawn
STEPS = 24  # Pieces of such a line
Box = tuple[float, float, float, float]  # Left, top, right and bottom in user units
DOT = 6.0  # Radius of a spot in user units
Anchor = Literal["start", "middle", "end"]
TICKS = (0.02, 0.05, 0.1, 0.2, 0.5)
MOST_TICKS = 5


class Spot(msgspec.Struct, frozen=True):
    """A player on the chart and its two rates, 0..1; more is better in both."""

    name: str
    across: Interval
    up: Interval


class Axes(msgspec.Struct, frozen=True):
    """What the rates are, in the reader's language; ``said`` has {name}, {across} and {up}.

    ``has_worth``: the product of both rates is worth a line.
    """

    words: str
    said: str
    has_worth: bool = False


class Paper(msgspec.Struct, frozen=True):
    """Maps both rates to user units; ``letter`` is the font size."""

    width: float
    height: float
    letter: float
    low_x: float
    low_y: float
    high_y: float
    has_worth: bool = False

    @property
    def left(self) -> float:
        """Where the lowest rate across lies."""
        return self.letter * 3.2

    @property
    def bottom(self) -> float:
        """Where the lowest rate up lies."""
        return self.height - self.letter * 2.9

    def x(self, rate: float) -> float:
        """Place a rate across."""
        right = self.width - self.letter * 1.2
        return self.left + (right - self.left) * (rate - self.low_x) / (1 - self.low_x)

    def y(self, share: float) -> float:
        """Place a rate up."""
        top = self.letter * 1.4
        part = (share - self.low_y) / (self.high_y - self.low_y)
        return self.bottom - (self.bottom - top) * part

    @property
    def worths(self) -> Iterator[tuple[float, list[float]]]:
        """The lines of equal worth that lie on the paper: the worth, and deal rates along it."""
        for worth in WORTHS if self.has_worth else ():
            first = max(self.low_x, worth, 1e-9)
            rates = [first + (1 - first) * at / STEPS for at in range(STEPS + 1)]
            seen = [rate for rate in rates if self.low_y <= worth / rate <= self.high_y]
            if len(seen) > 1:
                yield worth, seen

    def worth_place(self, worth: float, rate: float) -> tuple[float, float]:
        """Return where the words of a line begin: left and baseline."""
        return self.x(rate) + self.letter * 0.3, self.y(worth / rate) - self.letter * 0.4


class Name(msgspec.Struct, frozen=True):
    """A spot's name in its box; ``anchor`` is the side of the box it holds to."""

    spot: Spot
    box: Box
    anchor: Anchor

    @property
    def at(self) -> float:
        """Where the text is anchored."""
        left, _, right, _ = self.box
        return {"start": left, "end": right, "middle": (left + right) / 2}[self.anchor]


def frontier_chart(
    spots: Sequence[Spot],
    title: str,
    axes: Axes,
    *,
    key: str = "frontier",
    width: float = 560,
    height: float = 520,
) -> SafeString:
    """Draw players by two rates; ``key`` begins the ids of title and description."""
    paper = paper_for(spots, width, height, has_worth=axes.has_worth)
    best = frontier(spots)
    return picture(
        {"viewBox": f"0 0 {width:g} {height:g}", "font-size": paper.letter},
        key,
        title,
        _in_words(spots, best, axes),
        *_worth_lines(paper),
        *_axes(paper, axes),
        _frontier_line(paper, best),
        *(_spot(paper, spot, axes, is_best=spot in best) for spot in spots),
        *(_name(paper, name, best) for name in names(paper, spots, best)),
    )


def frontier(spots: Sequence[Spot]) -> tuple[Spot, ...]:
    """Return the spots that no other beats in one and equals in the other, from left to right.

    >>> one, two = Interval(0.5, 0.4, 0.6), Interval(0.9, 0.8, 1.0)
    >>> [spot.name for spot in frontier([Spot("a", one, one), Spot("b", two, one)])]
    ['b']
    """
    kept = [spot for spot in spots if not any(_beats(other, spot) for other in spots)]
    return tuple(sorted(kept, key=lambda spot: (spot.across.mean, -spot.up.mean)))


def paper_for(
    spots: Sequence[Spot], width: float, height: float, *, has_worth: bool = False
) -> Paper:
    """Fit the scales to what is drawn, to the next ten percent."""
    return Paper(
        width=width,
        height=height,
        letter=SMALLEST_TEXT * width / NARROWEST,
        low_x=_floor(min(spot.across.low for spot in spots)),
        low_y=_floor(min(spot.up.low for spot in spots)),
        high_y=_ceiling(max(spot.up.high for spot in spots)),
        has_worth=has_worth,
    )


def names(paper: Paper, spots: Sequence[Spot], best: Sequence[Spot]) -> Iterator[Name]:
    """Name as many spots as fit, those of the frontier first; no whisker is covered."""
    taken = [one for spot in spots for one in _spot_boxes(paper, spot)]
    taken += _worth_boxes(paper)
    for spot in (*best, *(one for one in spots if one not in best)):
        for box_, anchor in _places(paper, spot):
            left, _, right, bottom = box_
            if left < paper.left or right > paper.width or bottom > paper.bottom:
                continue
            if any(_touch(box_, other) for other in taken):
                continue
            taken.append(box_)
            yield Name(spot, box_, anchor)
            break


def _beats(one: Spot, other: Spot) -> bool:
    across, up = one.across.mean - other.across.mean, one.up.mean - other.up.mean
    return across >= 0 and up >= 0 and across + up > 0


def _worth_words(worth: float) -> str:
    return say("worth_share", share=percent(worth))


def _worth_boxes(paper: Paper) -> Iterator[Box]:
    for worth, seen in paper.worths:
        left, bottom = paper.worth_place(worth, seen[0])
        wide = text_width(_worth_words(worth), paper.letter * 0.9)
        yield box(left, bottom - paper.letter * 0.8, wide, paper.letter)


def box(left: float, top: float, wide: float, high: float) -> Box:
    """Make a box from its corner and its size."""
    return left, top, left + wide, top + high


def percent(part: float) -> str:
    r"""Write a share or rate in whole percent.

    >>> percent(0.414)
    '41\xa0%'
    """
    return f"{round(part * 100)}\N{NO-BREAK SPACE}%"


def _floor(value: float) -> float:
    return min(max(int(value * 10) / 10, 0.0), 0.9)


def _ceiling(value: float) -> float:
    return min(math.ceil(value * 10 - 1e-9) / 10, 1.0)


def _places(paper: Paper, spot: Spot) -> Iterator[tuple[Box, Anchor]]:
    # The clearest first: at the end of a whisker, then around.
    x, y = paper.x(spot.across.mean), paper.y(spot.up.mean)
    wide, high, gap = text_width(spot.name, paper.letter) * 0.9, paper.letter, DOT * 1.6
    after = max(paper.x(spot.across.high), x + DOT) + gap / 2
    before = min(paper.x(spot.across.low), x - DOT) - gap / 2
    yield box(after, y - high * 0.5, wide, high), "start"
    yield box(before - wide, y - high * 0.5, wide, high), "end"
    for top in (y - high * 1.1, y + high * 0.15):
        yield box(x - gap - wide, top, wide, high), "end"
        yield box(x + gap, top, wide, high), "start"
    for top in (y - high * 1.9, y + high * 0.9):
        yield box(x - wide / 2, top, wide, high), "middle"


def _spot_boxes(paper: Paper, spot: Spot) -> Iterator[Box]:
    x, y = paper.x(spot.across.mean), paper.y(spot.up.mean)
    left, top = paper.x(spot.across.low), paper.y(spot.up.high)
    yield box(x - DOT, y - DOT, 2 * DOT, 2 * DOT)
    yield box(left, y - 1, paper.x(spot.across.high) - left, 2)
    yield box(x - 1, top, 2, paper.y(spot.up.low) - top)


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _axes(paper: Paper, axes: Axes) -> Iterator[SafeString]:
    bottom, left, letter = paper.bottom, paper.left, paper.letter
    right = paper.x(1)
    yield _path("chart-line", f"M{left:.1f} {paper.y(paper.high_y):.1f}V{bottom:.1f}H{right:.1f}")
    for tick in _ticks(paper.low_x, 1):
        yield _text(percent(tick), paper.x(tick), bottom + letter * 1.2, "middle")
    for tick in _ticks(paper.low_y, paper.high_y):
        yield _text(percent(tick), left - letter * 0.4, paper.y(tick) + letter * 0.35, "end")
    middle = (left + right) / 2
    yield _text(axes.words, middle, bottom + letter * 2.5, "middle")


def _ticks(low: float, high: float) -> list[float]:
    step = next(one for one in TICKS if (high - low) / one <= MOST_TICKS)
    return [high - step * at for at in range(int((high - low) / step + 1e-6) + 1)]


def _worth_lines(paper: Paper) -> Iterator[SafeString]:
    for worth, seen in paper.worths:
        way = line([(paper.x(rate), paper.y(worth / rate)) for rate in seen])
        yield element(
            "g",
            {"class": "frontier-worth"},
            element("path", {"d": way, "fill": "none", "stroke": "currentColor"}),
            _text(_worth_words(worth), *paper.worth_place(worth, seen[0]), "start"),
        )


def _frontier_line(paper: Paper, best: Sequence[Spot]) -> SafeString:
    return _path(
        "frontier-line", line([(paper.x(s.across.mean), paper.y(s.up.mean)) for s in best])
    )


def _spot(paper: Paper, spot: Spot, axes: Axes, *, is_best: bool) -> SafeString:
    x, y = paper.x(spot.across.mean), paper.y(spot.up.mean)
    whiskers = (
        f"M{paper.x(spot.across.low):.1f} {y:.1f}H{paper.x(spot.across.high):.1f}"
        f"M{x:.1f} {paper.y(spot.up.low):.1f}V{paper.y(spot.up.high):.1f}"
    )
    return element(
        "g",
        {"class": "frontier-spot is-best" if is_best else "frontier-spot"},
        element("title", {}, _said(spot, axes)),
        element("path", {"d": whiskers, "fill": "none", "stroke": "currentColor"}),
        element("circle", {"cx": x, "cy": y, "r": DOT, "fill": "currentColor"}),
    )


def _name(paper: Paper, name: Name, best: Sequence[Spot]) -> SafeString:
    kind = "frontier-name is-best" if name.spot in best else "frontier-name"
    words = _text(name.spot.name, name.at, name.box[1] + paper.letter * 0.8, name.anchor)
    return element("g", {"class": kind, "aria-hidden": "true"}, words)


def _in_words(spots: Sequence[Spot], best: Sequence[Spot], axes: Axes) -> str:
    said = ", ".join(_said(spot, axes) for spot in best)
    others = len(spots) - len(best)
    return say("nobody_is_better_in_both_than", best=said, others=others)


def _said(spot: Spot, axes: Axes) -> str:
    across, up = percent(spot.across.mean), percent(spot.up.mean)
    return axes.said.format(name=spot.name, across=across, up=up)


def _path(name: str, d: str) -> SafeString:
    path = element("path", {"d": d, "fill": "none", "stroke": "currentColor"})
    return element("g", {"class": name}, path)


def _text(words: str, x: float, y: float, anchor: str) -> SafeString:
    return element("text", {"x": x, "y": y, "text-anchor": anchor}, words)
