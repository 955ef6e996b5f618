"""The paper the prices of a match are drawn on."""

import msgspec

from arena.charts.course import Course
from arena.charts.lanes import columns_of
from negotiation.charts.labels import text_width
from negotiation.money import rupees_text

LETTER = 21.0
"""Font size in user units of a sheet 640 wide: 10.5 CSS pixels on a phone."""
RESERVATION = "Reservation"


class MatchSheet(msgspec.Struct, frozen=True):
    """Maps rounds and rupees to user units. A round reaches from ``number - 1`` to ``number``."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    rounds: int
    low: float
    high: float

    def x(self, at: float) -> float:
        """Place a point of time, in rounds from 0."""
        return self.left + (self.right - self.left) * at / self.rounds

    def y(self, price: float) -> float:
        """Place a price in rupees."""
        return self.bottom - (self.bottom - self.top) * (price - self.low) / (self.high - self.low)

    def point(self, at: float, price: float) -> tuple[float, float]:
        """Place both."""
        return self.x(at), self.y(price)


def sheet_of(course: Course, width: float = 640, height: float = 360) -> MatchSheet:
    """Fit the paper to a match: all prices, all rounds that may come, words at the right edge."""
    shown = [ask.price for ask in course.asks]
    for lane in course.lanes:
        shown += [mark.price for mark in lane.marks if mark.price is not None]
        shown += [lane.budget] if lane.budget is not None else []
    shown.append(course.opening_ask * 0.6 if course.reservation is None else course.reservation)
    low, high = min(shown), max(shown)
    spare = (high - low) * 0.05 or high * 0.1
    longest = RESERVATION if course.ended_seq else "Ask"
    label = text_width(f"{longest} {rupees_text(course.opening_ask, course.currency)}", LETTER)
    return MatchSheet(
        width=width,
        height=height,
        left=LETTER * 0.4,
        right=width - label - LETTER,
        top=LETTER * 1.9,
        bottom=height - LETTER * 2.4,
        rounds=max(course.rounds, 1) if course.ended_seq else columns_of(course),
        low=low - spare,
        high=high + spare,
    )
