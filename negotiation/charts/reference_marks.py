"""Prices that nobody named during the game: its opened limits and what theory says."""

import itertools
from collections.abc import Sequence

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from bazaarbatna.money import about_text, least_text, most_text, rupees_text
from negotiation.charts.course import Course, Mark
from negotiation.charts.svg import LINE_HEIGHT, Sheet, element, spread, stroke, text_width
from negotiation.sentences import sentences

say = sentences(__file__)

_STEPS = 24
"""Points of a piece of path that are looked at: fine enough for words of one line."""


class Box(msgspec.Struct, frozen=True):
    """A rectangle in user units."""

    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: "Box | None") -> bool:
        """Whether the two have a point in common."""
        return other is not None and not (
            self.right < other.left
            or other.right < self.left
            or self.bottom < other.top
            or other.bottom < self.top
        )

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def is_crossed(box: Box, course: Course, sheet: Sheet) -> bool:
    """Whether a side's path, or the price it holds to the end, touches the box."""
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


RESERVATION, BUDGET = say.text("floor"), say.text("budget")
LIMIT, THEORY = "chart-limit", "chart-theory"

_LONGEST = 22
"""Characters of a joined name; further names are counted."""


class Line(msgspec.Struct, frozen=True):
    """One price in rupees and all the names that share it."""

    price: float
    names: tuple[str, ...]


def limits_of(course: Course) -> dict[str, float]:
    """Return the opened limits of a finished game in rupees; nothing while they are sealed."""
    ending = course.ending
    if ending is None or ending.reservation is None or ending.budget is None:
        return {}
    return {RESERVATION: ending.reservation, BUDGET: ending.budget}


def reference_marks(
    course: Course, sheet: Sheet, references: dict[str, float], ends: Sequence[Box] = ()
) -> tuple[SafeString, ...]:
    """Draw the zone of possible agreement and the named prices, low in the pile of paper.

    ``ends`` is where the labels at the ends of the paths lie: no name is written over them.
    """
    named = {**limits_of(course), **references}
    if not named:
        return ()
    seq = course.ending.seq if course.ending else course.marks[0].seq
    lines = merged(named)
    # The opening ask's own label stands above its point at the same edge of the chart; a budget may
    # lie higher.
    opening = sheet.y(course.opening_ask) - sheet.letter * 0.75
    wanted = [sheet.y(line.price) - sheet.letter * 0.35 for line in lines]
    gap, highest = sheet.letter * LINE_HEIGHT, min([*wanted, opening])
    places = spread([*wanted, opening], gap, highest, sheet.axis - sheet.letter * 0.3)
    rules = [_rule(line, course, sheet) for line in lines]
    # Names lie above all lines: where the zone is narrow a rim of paper keeps them readable.
    names = []
    for number, line in enumerate(lines):
        others = [*places[:number], *places[number + 1 :]]
        below = sheet.y(line.price) + sheet.letter
        is_free = below < sheet.axis and all(abs(below - other) >= gap for other in others)
        rows = (places[number], below) if is_free else (places[number],)
        names.append(_name(line, rows, course, sheet, ends))
    zone = _zone(course, sheet)
    return (element("g", sheet.since(seq, "chart-references"), *zone, *rules, *names),)


def merged(named: dict[str, float]) -> list[Line]:
    """Join names of the same price (to the rupee's second decimal), in ascending order."""
    by_price: dict[float, list[str]] = {}
    for name, price in named.items():
        by_price.setdefault(round(price, 2), []).append(name)
    return [Line(price, tuple(names)) for price, names in sorted(by_price.items())]


def joined(names: tuple[str, ...]) -> str:
    """Write several names in at most about twenty letters.

    >>> joined(("Nash", "Equal split", "Kalai-Smorodinsky"))
    'Nash, Equal split +1'
    """
    text = names[0]
    for place, name in enumerate(names[1:], start=1):
        longer = f"{text}, {name}"
        if len(longer) > _LONGEST:
            return f"{text} +{len(names) - place}"
        text = longer
    return text


def _rule(line: Line, course: Course, sheet: Sheet) -> SafeString:
    y = sheet.y(line.price)
    told = f"{', '.join(map(gettext, line.names))}: {_figure(line, course.currency)}"
    return element(
        "g",
        {"class": _class(line)},
        element("title", {}, told),
        stroke(
            {},
            f"M{sheet.left:.1f} {y:.1f}H{sheet.right:.1f}",
            1.5,
            dash="6 5" if _class(line) == THEORY else None,
        ),
    )


def _name(
    line: Line, rows: Sequence[float], course: Course, sheet: Sheet, ends: Sequence[Box]
) -> SafeString:
    words = f"{joined(tuple(map(gettext, line.names)))} {_figure(line, course.currency)}"
    return element(
        "g",
        {"class": _class(line)},
        element(
            "text",
            {"class": "chart-reference", **_place(words, rows, course, sheet, ends)},
            words,
        ),
    )


def _figure(line: Line, currency: str) -> str:
    figures = {RESERVATION: least_text, BUDGET: most_text}
    return figures.get(line.names[0], about_text)(line.price, currency)


def _class(line: Line) -> str:
    return LIMIT if line.names[0] in (RESERVATION, BUDGET) else THEORY


def _place(
    words: str, rows: Sequence[float], course: Course, sheet: Sheet, ends: Sequence[Box]
) -> dict[str, object]:
    """Begin at the left edge or end at the right one, in the first row that is free there."""
    width = text_width(words, sheet.letter)
    taken = [*ends, _opening(course, sheet), _first_bid(course, sheet)]
    for baseline in rows:
        top, bottom = baseline - 0.8 * sheet.letter, baseline + 0.15 * sheet.letter
        for left in (sheet.left, sheet.right - width):
            box = Box(left, left + width, top, bottom)
            if is_crossed(box, course, sheet) or any(box.meets(other) for other in taken):
                continue
            if left == sheet.left:
                return {"x": left, "y": baseline}
            return {"x": sheet.right, "text-anchor": "end", "y": baseline}
    return {"x": sheet.left, "y": rows[0]}


def _opening(course: Course, sheet: Sheet) -> Box:
    """Return where the opening ask is written, above its point."""
    x, y = max(sheet.x(0) - sheet.letter * 0.3, 0), sheet.y(course.opening_ask)
    width = text_width(rupees_text(course.opening_ask, course.currency), sheet.letter)
    return Box(x, x + width, y - 1.55 * sheet.letter, y - 0.6 * sheet.letter)


def _first_bid(course: Course, sheet: Sheet) -> Box | None:
    """Return where the price of the first bid is written, below its point."""
    mark = next((m for m in course.marks if m.actor == "buyer" and m.kind == "offer"), None)
    if mark is None:
        return None
    x, y = sheet.x(mark.at), sheet.y(mark.price)
    width = text_width(rupees_text(mark.price, course.currency), sheet.letter)
    return Box(x, x + width, y, y + 1.5 * sheet.letter)


def _zone(course: Course, sheet: Sheet) -> list[SafeString]:
    limits = limits_of(course)
    if not limits or limits[BUDGET] <= limits[RESERVATION]:
        return []
    top = sheet.y(limits[BUDGET])
    box = {
        "class": "chart-zone",
        "x": sheet.left,
        "y": top,
        "width": sheet.right - sheet.left,
        "height": sheet.y(limits[RESERVATION]) - top,
    }
    return [element("rect", {**box, "fill": "currentColor", "fill-opacity": "0.08"})]
