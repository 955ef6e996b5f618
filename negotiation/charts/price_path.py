"""Both sides' prices by round, from the opening ask to the deal.

Every moving part carries ``data-seq``, the event it shows: a page scrubs a finished game by
setting ``is-later`` on what has not happened yet (``charts.css`` hides it).
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from django.utils.safestring import SafeString

from negotiation.charts.course import Course, Mark, course_of
from negotiation.charts.path_labels import describe, ending_texts, moments
from negotiation.charts.reference_marks import limits_of, reference_marks
from negotiation.charts.sheet import Sheet, sheet_for
from negotiation.charts.svg import element, line, picture, stroke


def left_behind(course: Course, other: Course) -> tuple[Mark, ...]:
    """Return the moves of another game from the last ones that both have in common."""
    same = 0
    for mine, theirs in zip(course.marks, other.marks, strict=False):
        if mine != theirs:
            break
        same += 1
    if same == len(other.marks):
        return ()
    # Each side's path starts where it last stood in both games.
    roots = {mark.actor: mark for mark in other.marks[:same]}
    return (*sorted(roots.values(), key=lambda mark: mark.at), *other.marks[same:])


def ghost_paths(sheet: Sheet, marks: tuple[Mark, ...]) -> list[SafeString]:
    """Draw the moves of the other game, one faint line for each side."""
    drawn = []
    for side, name in SIDES:
        # When one side accepts, the other's path goes on to the point where they meet.
        points = [mark for mark in marks if mark.actor == side or mark.kind == "accept"]
        if len(points) > 1:
            drawn.append(_line(sheet, points, name))
    if marks and marks[-1].kind == "accept":
        drawn.append(_end(sheet, marks[-1]))
    return drawn


def _line(sheet: Sheet, points: list[Mark], name: str) -> SafeString:
    return stroke(
        {"class": f"chart-ghost {name}"},
        line([sheet.spot(mark.at, mark.price) for mark in points]),
        2,
        element("title", {}, "As it was played"),
        dash="2 5",
        cap="round",
        opacity="0.6",
    )


def _end(sheet: Sheet, mark: Mark) -> SafeString:
    return element(
        "circle",
        {
            "class": "chart-ghost chart-limit",
            "cx": sheet.x(mark.at),
            "cy": sheet.y(mark.price),
            "r": sheet.letter * 0.3,
            "fill": "none",
            "stroke": "currentColor",
            "stroke-width": 2,
            "opacity": "0.7",
        },
    )


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
    box = f"0 0 {sheet.width:g} {sheet.height:g}"
    svg = picture(
        {"class": "chart-price-path", "viewBox": box, "font-size": sheet.letter},
        f"price-path-{name}",
        f"Prices by round: {course.title}",
        words,
        *parts,
    )
    return element("div", {"class": "chart"}, svg)


def _rounds(sheet: Sheet) -> SafeString:
    """Draw the time axis: a hairline and the numbers of the rounds that fit."""
    count = (sheet.last_at + 1) // 2
    way = f"M{sheet.left:.1f} {sheet.axis:.1f}H{sheet.right:.1f}"
    ground = stroke({"class": "chart-line"}, way, 1)
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
    return element("g", {"class": "chart-axis"}, ground, *numbers)


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
    way = f"M{sheet.point(last.at, last.price)}L{sheet.point(mark.at, mark.price)}"
    return stroke(sheet.since(mark.seq, f"chart-path {name}"), way, 3, cap="round")


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
    across = line([(x - arm, y - arm), (x + arm, y + arm)])
    back = line([(x - arm, y + arm), (x + arm, y - arm)])
    return stroke(sheet.since(mark.seq, "chart-walk"), across + back, 3, cap="round")
