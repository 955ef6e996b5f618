"""Both sides' prices by round, from the opening ask to the deal.

Every moving part carries ``data-seq``, the event it shows: a page scrubs a finished game by
setting ``is-later`` on what has not happened yet (``charts.css`` hides it).
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from django.utils.safestring import SafeString

from negotiation.charts.course import Course, Mark, course_of
from negotiation.charts.ghost_path import ghost_paths, left_behind
from negotiation.charts.path_labels import ending_texts, moments
from negotiation.charts.price_words import describe
from negotiation.charts.reference_marks import limits_of, reference_marks
from negotiation.charts.sheet import Sheet, sheet_for
from negotiation.charts.svg import element

SIDES = (("seller", "chart-ask"), ("buyer", "chart-bid"))


FIRST_LABEL = 4.6
"""Width of "Round 1" with room behind it, in letter sizes."""


def price_path(
    frames: Sequence[dict[str, Any]],
    *,
    width: float = 640,
    height: float = 280,
    references: dict[str, float] | None = None,
    upto: int | None = None,
    place: str = "",
    ghost: Sequence[dict[str, Any]] | None = None,
) -> SafeString:
    """Draw the price paths of one game.

    Args:
        frames: the wire frames of the game in order, the first one ``opened``; prices in rupees.
        width: width of the view box; the letters are sized to be legible at 320 CSS pixels.
        height: height of the view box.
        references: named prices in rupees to draw as thin lines (theory, an own limit). After the
            end the reservation price and the budget are drawn without being asked for.
        upto: show the game as it stood after this sequence number; the scales stay.
        place: tells two charts of one game on the same page apart.
        ghost: frames of the game that this one left; its other path is drawn faintly behind.

    Returns:
        ``<div class="chart">`` around one ``<svg>`` with a title and a description in words.
    """
    course = course_of(frames)
    lines = references or {}
    limits = limits_of(course)
    left = left_behind(course, course_of(ghost)) if ghost else ()
    prices = [*lines.values(), *limits.values(), *(mark.price for mark in left)]
    last_at = max([course.last_at, *(mark.at for mark in left)])
    sheet = sheet_for(course, (width, height), prices, ending_texts(course), upto, last_at)
    parts = [
        _rounds(sheet),
        *reference_marks(course, sheet, lines),
        *ghost_paths(sheet, left),
        *(part for side, name in SIDES for part in _path(course, sheet, side, name)),
        *(_dot(sheet, mark) for mark in course.marks),
        *moments(course, sheet),
    ]
    return _framed(course.until(upto), sheet, parts, place)


def _framed(course: Course, sheet: Sheet, parts: list[SafeString], place: str) -> SafeString:
    words = describe(course)
    # Charts on a page differ in their words, size or place, and so in their ids.
    name = sha256(f"{words} {sheet.width} {sheet.upto} {place}".encode()).hexdigest()[:10]
    title, described = f"price-path-{name}-title", f"price-path-{name}-words"
    svg = element(
        "svg",
        {
            "class": "chart-price-path",
            "viewBox": f"0 0 {sheet.width:g} {sheet.height:g}",
            "font-size": sheet.letter,
            "role": "img",
            "aria-labelledby": title,
            "aria-describedby": described,
        },
        element("title", {"id": title}, f"Prices by round: {course.title}"),
        element("desc", {"id": described}, words),
        *parts,
    )
    return element("div", {"class": "chart"}, svg)


def _rounds(sheet: Sheet) -> SafeString:
    """Draw the time axis: a hairline and the numbers of the rounds that fit."""
    count = (sheet.last_at + 1) // 2
    line = element(
        "path",
        {
            "class": "chart-line",
            "d": f"M{sheet.left:.1f} {sheet.axis:.1f}H{sheet.right:.1f}",
            "fill": "none",
            "stroke": "currentColor",
            "stroke-width": 1,
        },
    )
    room = sheet.x(2) - sheet.x(0)
    every = next(n for n in (1, 2, 3, 5, 10, count) if n * room >= 1.9 * sheet.letter or n == count)
    baseline = sheet.axis + sheet.letter * 1.15
    numbers = [
        element(
            "text",
            {
                "class": "chart-round",
                "x": sheet.x(2 * number - 0.5),
                "y": baseline,
                "text-anchor": "start" if number == 1 else "middle",
            },
            "Round 1" if number == 1 else str(number),
        )
        for number in range(1, count + 1)
        if number == 1
        or (number % every == 0 and sheet.x(2 * number) - sheet.x(2) > FIRST_LABEL * sheet.letter)
    ]
    return element("g", {"class": "chart-axis"}, line, *numbers)


def _path(course: Course, sheet: Sheet, side: str, name: str) -> list[SafeString]:
    """Draw a side's path as one piece for each event, so that a page can scrub it."""
    pieces = []
    last: Mark | None = None
    for mark in course.marks:
        # When one side accepts, the other's path goes on to the point where they meet.
        if mark.actor == side or mark.kind == "accept":
            if last is not None:
                pieces.append(_piece(sheet, last, mark, name))
            last = mark
    return pieces


def _piece(sheet: Sheet, last: Mark, mark: Mark, name: str) -> SafeString:
    return element(
        "path",
        {
            **sheet.since(mark.seq, f"chart-path {name}"),
            "d": f"M{sheet.point(last.at, last.price)}L{sheet.point(mark.at, mark.price)}",
            "fill": "none",
            "stroke": "currentColor",
            "stroke-width": 3,
            "stroke-linecap": "round",
        },
    )


def _dot(sheet: Sheet, mark: Mark) -> SafeString:
    if mark.kind == "walk":
        return _cross(sheet, mark)
    name = "chart-deal" if mark.kind == "accept" else dict(SIDES)[mark.actor]
    return element(
        "circle",
        {
            **sheet.since(mark.seq, f"chart-dot {name}"),
            "cx": sheet.x(mark.at),
            "cy": sheet.y(mark.price),
            "r": sheet.letter * (0.42 if mark.kind == "accept" else 0.24),
            "fill": "currentColor",
        },
    )


def _cross(sheet: Sheet, mark: Mark) -> SafeString:
    x, y, arm = sheet.x(mark.at), sheet.y(mark.price), sheet.letter * 0.34
    across = f"M{x - arm:.1f} {y - arm:.1f}L{x + arm:.1f} {y + arm:.1f}"
    back = f"M{x - arm:.1f} {y + arm:.1f}L{x + arm:.1f} {y - arm:.1f}"
    return element(
        "path",
        {
            **sheet.since(mark.seq, "chart-walk"),
            "d": across + back,
            "fill": "none",
            "stroke": "currentColor",
            "stroke-width": 3,
            "stroke-linecap": "round",
        },
    )
