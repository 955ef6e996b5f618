"""The paper the frontier is drawn on: its scales, and where the lines of equal worth run."""

import math
from collections.abc import Iterator, Sequence

import msgspec

from negotiation.charts.sheet import NARROWEST, SMALLEST_TEXT
from negotiation.charts.svg import text_width
from training.leaderboard.frontier import Spot

WORTHS = (0.2, 0.4, 0.6, 0.8)
"""Shares over all winnable bargains for which a line is drawn."""

STEPS = 24
"""Pieces of such a line."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in user units."""


class Paper(msgspec.Struct, frozen=True):
    """Maps rates and shares to user units; ``letter`` is the font size."""

    width: float
    height: float
    letter: float
    low_x: float
    low_y: float
    high_y: float

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
        part = (share - self.low_y) / (self.high_y - self.low_y)
        return self.bottom - (self.bottom - top) * part

    @property
    def worths(self) -> Iterator[tuple[float, list[float]]]:
        """The lines of equal worth that lie on the paper: the worth, and deal rates along it."""
        for worth in WORTHS:
            first = max(self.low_x, worth, 1e-9)
            rates = [first + (1 - first) * at / STEPS for at in range(STEPS + 1)]
            seen = [rate for rate in rates if self.low_y <= worth / rate <= self.high_y]
            if len(seen) > 1:
                yield worth, seen

    def worth_place(self, worth: float, rate: float) -> tuple[float, float]:
        """Give where the words of a line begin: left and baseline."""
        return self.x(rate) + self.letter * 0.3, self.y(worth / rate) - self.letter * 0.4


def paper_for(spots: Sequence[Spot], width: float, height: float) -> Paper:
    """Fit the scales to what is drawn, to the next ten percent."""
    return Paper(
        width=width,
        height=height,
        letter=SMALLEST_TEXT * width / NARROWEST,
        low_x=_floor(min(spot.deals.low for spot in spots)),
        low_y=_floor(min(spot.share.low for spot in spots)),
        high_y=_ceiling(max(spot.share.high for spot in spots)),
    )


def worth_words(worth: float) -> str:
    """Name a line of equal worth."""
    return f"worth {percent(worth)}"


def worth_boxes(paper: Paper) -> Iterator[Box]:
    """Give the room that the words of the lines take."""
    for worth, seen in paper.worths:
        left, bottom = paper.worth_place(worth, seen[0])
        wide = text_width(worth_words(worth), paper.letter * 0.9)
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
