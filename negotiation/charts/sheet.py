"""The paper a price chart is drawn on: margins, scales and the size of its letters."""

from collections.abc import Iterable

import msgspec

from negotiation.charts.course import Course
from negotiation.charts.svg import text_width

NARROWEST = 320
"""CSS pixels of the narrowest screen the letters must be legible on."""

SMALLEST_TEXT = 11.0
"""CSS pixels of a letter there."""


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """Maps time, from 0 to ``last_at``, and rupees to user units."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    last_at: int
    low: float
    high: float

    def x(self, at: float) -> float:
        """Return where a moment lies."""
        return self.left + (self.right - self.left) * at / self.last_at

    def y(self, price: float) -> float:
        """Return where a price in rupees lies."""
        return self.bottom - (self.bottom - self.top) * (price - self.low) / (self.high - self.low)

    def spot(self, at: float, price: float) -> tuple[float, float]:
        """Return where a price at a moment lies."""
        return self.x(at), self.y(price)


class Sheet(Paper, frozen=True, kw_only=True):
    """A sale's paper: time is in half rounds, ``letter`` is the font size."""

    letter: float
    upto: int | None = None

    def since(self, seq: int, names: str) -> dict[str, object]:
        """Return a part's classes and the event it appears with."""
        later = self.upto is not None and seq > self.upto
        return {"class": f"{names} is-later" if later else names, "data-seq": seq}

    @property
    def axis(self) -> float:
        """Where the time axis lies."""
        return self.height - self.letter * 1.6

    def point(self, at: float, price: float) -> str:
        """Write a place as path coordinates."""
        return f"{self.x(at):.1f} {self.y(price):.1f}"


def sheet_for(
    course: Course,
    size: tuple[float, float],
    prices: Iterable[float],
    endings: Iterable[str],
    upto: int | None,
    last_at: int | None = None,
) -> Sheet:
    """Fit the paper to a whole game, so that the scales hold still while a reader scrubs.

    Args:
        course: the game.
        size: width and height in user units.
        prices: further prices in rupees that must lie on the paper.
        endings: the texts at the ends of the paths; the right margin holds them.
        upto: the last event to show, None for all.
        last_at: half rounds the time axis must hold, where they are more than the game's own.
    """
    width, height = size
    letter = max(13.0, SMALLEST_TEXT * width / NARROWEST)
    shown = [mark.price for mark in course.marks] + list(prices)
    if not any(mark.actor == "buyer" for mark in course.marks):
        shown.append(course.opening_ask * 0.6)
    low, high = min(shown), max(shown)
    spare = (high - low) * 0.04 or high * 0.1
    label = max(text_width(text, letter) for text in endings)
    return Sheet(
        width=width,
        height=height,
        letter=letter,
        left=letter * 0.6,
        right=width - label - letter * 1.0,
        top=letter * 2.1,
        bottom=height - letter * 3.1,
        last_at=course.last_at if last_at is None else last_at,
        low=low - spare,
        high=high + spare,
        upto=upto,
    )
