"""Whether a path of prices runs through a place where words should stand."""

import itertools

import msgspec

from negotiation.charts.course import Course, Mark
from negotiation.charts.sheet import Sheet

_STEPS = 24
"""Points of a piece of path that are looked at: fine enough for words of one line."""


class Box(msgspec.Struct, frozen=True):
    """A rectangle in user units."""

    left: float
    right: float
    top: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a point lies inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def is_crossed(box: Box, course: Course, sheet: Sheet) -> bool:
    """Tell whether a side's path, or the price it holds to the end, touches the box."""
    return any(_touches(box, course, sheet, side) for side in ("seller", "buyer"))


def _touches(box: Box, course: Course, sheet: Sheet, side: str) -> bool:
    marks = [mark for mark in course.marks if mark.actor == side or mark.kind == "accept"]
    if not marks:
        return False
    held = msgspec.structs.replace(marks[-1], at=course.marks[-1].at)
    route = [*marks, held]
    return any(_runs_through(box, sheet, start, end) for start, end in itertools.pairwise(route))


def _runs_through(box: Box, sheet: Sheet, start: Mark, end: Mark) -> bool:
    x, y = sheet.x(start.at), sheet.y(start.price)
    across, down = sheet.x(end.at) - x, sheet.y(end.price) - y
    return any(
        box.holds(x + across * step / _STEPS, y + down * step / _STEPS)
        for step in range(_STEPS + 1)
    )
