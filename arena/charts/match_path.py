"""All prices of a match in one picture: the ask coming down, every buyer's bids going up."""

import itertools

from django.utils.safestring import SafeString

from arena.charts.course import LEFT, Course, Lane
from arena.charts.glyphs import cross, line, seat_shape
from arena.charts.lane_words import lane_words
from arena.charts.match_labels import moments
from arena.charts.match_sheet import LETTER, MatchSheet, sheet_of
from negotiation.charts.svg import element
from negotiation.money import rupees_text


def match_path(course: Course, *, place: str = "live") -> SafeString:
    """Draw the prices of a match.

    Args:
        course: the match so far; budgets and the reservation price appear once it has ended.
        place: tells two charts on one page apart.

    Returns:
        ``<div class="chart">`` around one ``<svg>`` with a title and a description in words.
    """
    sheet = sheet_of(course)
    title, described = f"prices-{place}-title", f"prices-{place}-desc"
    parts = [
        *_axis(sheet),
        *_reservation(course, sheet),
        *_asks(course, sheet),
        *(part for lane in course.lanes for part in _bids(course, sheet, lane)),
        *moments(course, sheet),
    ]
    svg = element(
        "svg",
        {
            "class": "match-path",
            "viewBox": f"0 0 {sheet.width:g} {sheet.height:g}",
            "font-size": LETTER,
            "role": "img",
            "aria-labelledby": f"{title} {described}",
        },
        element("title", {"id": title}, f"Prices by round: {course.title}"),
        element("desc", {"id": described}, describe(course)),
        *parts,
    )
    return element("div", {"class": "chart"}, svg)


def describe(course: Course) -> str:
    """Say every number of the chart in words."""
    asks = ", ".join(rupees_text(ask.price, course.currency) for ask in course.asks)
    told = [f"The seller asks {asks}."]
    told += [f"{lane.name}: {lane_words(course, lane)}" for lane in course.lanes if lane.marks]
    if course.reservation is not None:
        limit = rupees_text(course.reservation, course.currency)
        told.append(f"The seller's reservation price was {limit}.")
    return " ".join(told)


def _axis(sheet: MatchSheet) -> list[SafeString]:
    y = sheet.height - LETTER * 1.5
    rule = {"class": "chart-line"}
    every = 1 if sheet.rounds <= 8 else 2
    numbers = [
        element(
            "text",
            {
                "class": "chart-round",
                "x": sheet.x(number - 0.5),
                "y": sheet.height - LETTER * 0.3,
                "text-anchor": "middle",
            },
            str(number),
        )
        for number in range(1, sheet.rounds + 1, every)
    ]
    ground = line([(sheet.left, y), (sheet.right, y)])
    return [element("path", {**rule, "d": ground}), *numbers]


def _reservation(course: Course, sheet: MatchSheet) -> list[SafeString]:
    if course.reservation is None:
        return []
    y = sheet.y(course.reservation)
    rule = {
        "class": "chart-limit",
        "data-seq": course.ended_seq,
        "d": line([(sheet.left, y), (sheet.right, y)]),
    }
    return [element("path", rule)]


def _asks(course: Course, sheet: MatchSheet) -> list[SafeString]:
    drawn = []
    before: float | None = None
    for ask in course.asks:
        y, points = sheet.y(ask.price), []
        if before is not None:
            points.append((sheet.x(ask.round - 1), sheet.y(before)))
        points += [(sheet.x(ask.round - 1), y), (sheet.x(ask.round), y)]
        before = ask.price
        # The last ask of a match that ended early has no round of its own.
        points = [(min(x, sheet.right), y) for x, y in points]
        look = {"class": "chart-path chart-ask", "data-seq": ask.seq, "d": line(points)}
        drawn.append(element("path", look))
    first = course.asks[0].price
    start = {"class": "chart-start chart-ask", "x": sheet.left, "y": sheet.y(first) - LETTER * 0.5}
    return [*drawn, element("text", start, rupees_text(first, course.currency))]


def _bids(course: Course, sheet: MatchSheet, lane: Lane) -> list[SafeString]:
    priced = [(mark, mark.price) for mark in lane.marks if mark.price is not None]
    drawn = []
    for (one, low), (other, high) in itertools.pairwise(priced):
        ends = [sheet.point(one.round - 0.5, low), sheet.point(other.round - 0.5, high)]
        drawn.append(
            element(
                "path",
                {
                    "class": "chart-path",
                    "data-seq": other.seq,
                    "d": line(ends),
                },
            )
        )
    for mark, price in priced:
        if mark.action != "hold":
            x, y = sheet.point(mark.round - 0.5, price)
            dot = {"class": "chart-dot", "data-seq": mark.seq}
            drawn.append(element("path", {**dot, "d": seat_shape(lane.place, x, y, 6)}))
    drawn += _fate(course, sheet, lane, priced[-1][1] if priced else None)
    return [element("g", {"class": f"of-{lane.actor}"}, *drawn)] if drawn else []


def _fate(course: Course, sheet: MatchSheet, lane: Lane, price: float | None) -> list[SafeString]:
    if lane.last is None or price is None:
        return []
    at = lane.last.round - 0.5
    x, y = sheet.point(at, price)
    drawn = []
    if lane.fate == LEFT:
        drawn.append(element("g", {"data-seq": lane.last.seq}, cross(x, y, 8)))
    if lane.won is not None:
        ring = {"class": "chart-won", "data-seq": course.sold_seq, "cx": x, "cy": y, "r": 13}
        drawn.append(element("circle", ring))
    if lane.budget is not None:
        # What was left in its pocket: from its last bid up (or down) to its budget.
        across = x + (lane.place - 2.5) * 5
        top = sheet.y(lane.budget)
        path = line([(across, y), (across, top)]) + line([(across - 7, top), (across + 7, top)])
        words = f"{lane.name}'s budget was {rupees_text(lane.budget, course.currency)}"
        look = {"class": "match-pocket", "data-seq": course.ended_seq}
        pocket = element("path", {"d": path})
        drawn.append(element("g", look, element("title", {}, words), pocket))
    return drawn
