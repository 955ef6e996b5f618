"""A price chart for people who listen: one description, and a table of the same numbers."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString

from negotiation.charts.course import Course, Ending, Mark, course_of
from negotiation.charts.svg import element
from negotiation.money import rupees_text

_DEEDS = {
    ("offer", "seller"): "seller asks {price}",
    ("offer", "buyer"): "buyer bids {price}",
    ("accept", "seller"): "seller accepts {price}",
    ("accept", "buyer"): "buyer accepts {price}",
    ("walk", "seller"): "seller walks away",
    ("walk", "buyer"): "buyer walks away",
}


def describe(course: Course) -> str:
    """Say every number of the chart in words.

    Args:
        course: the game so far.
    """
    sentences = [f"The seller opens at {_price(course, course.opening_ask)}."]
    for number in sorted({mark.round for mark in course.marks[1:]}):
        deeds = [_deed(course, mark) for mark in course.marks[1:] if mark.round == number]
        sentences.append(f"Round {number}: {', '.join(deeds)}.")
    sentences.append(_ending(course))
    return " ".join(sentences)


def price_table(frames: Sequence[dict[str, Any]], *, upto: int | None = None) -> SafeString:
    """Draw the numbers of the price chart as a table.

    Args:
        frames: the wire frames of one game in order, prices in rupees.
        upto: the last sequence number to show, None for all.

    Returns:
        A ``<table class="visually-hidden">``.
    """
    course = course_of(frames).until(upto)
    heads = [element("th", {"scope": "col"}, text) for text in ("Round", "Buyer", "Seller")]
    rows = [_row("Opening", "", _price(course, course.opening_ask))]
    for number in sorted({mark.round for mark in course.marks[1:]}):
        cells = {
            mark.actor: _cell(course, mark) for mark in course.marks[1:] if mark.round == number
        }
        rows.append(_row(str(number), cells.get("buyer", ""), cells.get("seller", "")))
    return element(
        "table",
        {"class": "visually-hidden chart-table"},
        element("caption", {}, f"Prices by round: {course.title}. {_ending(course)}"),
        element("thead", {}, element("tr", {}, *heads)),
        element("tbody", {}, *rows),
    )


def _row(head: str, *cells: str) -> SafeString:
    return element(
        "tr",
        {},
        element("th", {"scope": "row"}, head),
        *(element("td", {}, cell) for cell in cells),
    )


def _cell(course: Course, mark: Mark) -> str:
    price = _price(course, mark.price)
    return {"offer": price, "accept": f"accepts {price}", "walk": "walks away"}[mark.kind]


def _deed(course: Course, mark: Mark) -> str:
    return _DEEDS[mark.kind, mark.actor].format(price=_price(course, mark.price))


def _ending(course: Course) -> str:
    ending = course.ending
    if ending is None:
        return "No deal yet."
    limits = _limits(course, ending)
    if ending.price is not None:
        return f"Deal at {_price(course, ending.price)}.{limits}"
    if ending.by is not None:
        return f"No deal: the {ending.by} walked away.{limits}"
    return f"No deal: the rounds ran out.{limits}"


def _limits(course: Course, ending: Ending) -> str:
    if ending.reservation is None or ending.budget is None:
        return ""
    return (
        f" The seller's reservation price was {_price(course, ending.reservation)}, "
        f"the buyer's budget {_price(course, ending.budget)}."
    )


def _price(course: Course, price: float) -> str:
    return rupees_text(price, course.currency)
