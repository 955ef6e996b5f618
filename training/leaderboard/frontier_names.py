"""Where the names of the frontier's spots go: beside their whiskers, over nothing."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from negotiation.charts.svg import text_width
from training.leaderboard.frontier import Spot
from training.leaderboard.frontier_paper import Box, Paper, box, worth_boxes

DOT = 6.0
"""Radius of a spot in user units."""

Anchor = Literal["start", "middle", "end"]


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


def names(paper: Paper, spots: Sequence[Spot], best: Sequence[Spot]) -> Iterator[Name]:
    """Name as many spots as fit, those of the frontier first; no whisker is covered."""
    taken = [one for spot in spots for one in _spot_boxes(paper, spot)]
    taken += worth_boxes(paper)
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


def _places(paper: Paper, spot: Spot) -> Iterator[tuple[Box, Anchor]]:
    """Give the places for a name, the clearest first: at the end of a whisker, then around."""
    x, y = paper.x(spot.deals.mean), paper.y(spot.share.mean)
    wide, high, gap = text_width(spot.name, paper.letter) * 0.9, paper.letter, DOT * 1.6
    after = max(paper.x(spot.deals.high), x + DOT) + gap / 2
    before = min(paper.x(spot.deals.low), x - DOT) - gap / 2
    yield box(after, y - high * 0.5, wide, high), "start"
    yield box(before - wide, y - high * 0.5, wide, high), "end"
    for top in (y - high * 1.1, y + high * 0.15):
        yield box(x - gap - wide, top, wide, high), "end"
        yield box(x + gap, top, wide, high), "start"
    for top in (y - high * 1.9, y + high * 0.9):
        yield box(x - wide / 2, top, wide, high), "middle"


def _spot_boxes(paper: Paper, spot: Spot) -> Iterator[Box]:
    x, y = paper.x(spot.deals.mean), paper.y(spot.share.mean)
    left, top = paper.x(spot.deals.low), paper.y(spot.share.high)
    yield box(x - DOT, y - DOT, 2 * DOT, 2 * DOT)
    yield box(left, y - 1, paper.x(spot.deals.high) - left, 2)
    yield box(x - 1, top, 2, paper.y(spot.share.low) - top)


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
