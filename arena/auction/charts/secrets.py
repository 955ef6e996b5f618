"""What was sealed, opened: a small picture for each buyer, its true value above what it bid."""

import math

from django.utils.safestring import SafeString

from arena.auction.charts.course import Course, Lane, lane_words
from arena.auction.charts.glyphs import cross
from arena.words import say
from bazaarbatna.money import least_text, most_text, rupees_text
from negotiation.charts.svg import element, labelled, text_width

WIDTH, HEIGHT, LETTER = 340.0, 190.0, 13.0
TOP, BOTTOM = 22.0, HEIGHT - 24.0


def ticks_of(most: float) -> list[float]:
    """Return the marks of an axis from 0 that has room for ``most``: three to six round numbers.

    >>> ticks_of(2492), ticks_of(90)
    ([0, 1000, 2000, 3000], [0, 20, 40, 60, 80, 100])
    """
    ten = 10 ** math.floor(math.log10(most))
    step = next(ten * part for part in (0.2, 0.5, 1, 2) if most <= 5 * ten * part)
    return [round(step * number, 2) for number in range(math.ceil(most / step) + 1)]


def secret_picture(course: Course, lane: Lane) -> SafeString:
    """Draw one buyer of a finished match, in rupees by round; all of a match share the axis."""
    assert lane.budget is not None
    assert course.reservation is not None
    most = max(course.opening_ask, *(one.budget or 0.0 for one in course.lanes))
    ticks = ticks_of(most)
    left = text_width(rupees_text(ticks[-1], course.currency), LETTER) + 8
    cell = (WIDTH - left) / max(course.rounds, 1)

    def y(price: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * price / ticks[-1]

    def across(kind: str, price: float) -> SafeString:
        return element("path", {"class": kind, "d": f"M{left:.1f} {y(price):.1f}H{WIDTH:g}"})

    parts = []
    for tick in ticks:
        at = {"class": "secret-tick", "x": left - 6, "y": y(tick) + 4, "text-anchor": "end"}
        parts += [
            across("secret-grid", tick),
            element("text", at, rupees_text(tick, course.currency)),
        ]
    for mark in lane.marks:
        x = left + cell * (mark.round - 0.5)
        number = {"class": "secret-tick", "x": x, "y": HEIGHT - 6, "text-anchor": "middle"}
        parts.append(element("text", number, str(mark.round)))
        if mark.action == "walk":
            parts.append(cross(x, BOTTOM - 12, 6))
        elif mark.price is not None:
            wide = min(cell * 0.7, 34)
            top = y(mark.price)
            box = {"x": x - wide / 2, "y": top, "width": wide, "height": BOTTOM - top, "rx": 2}
            won = " is-won" if lane.won is not None and mark.round == course.rounds else ""
            parts.append(element("rect", {"class": f"secret-bid{won}", **box}))
    budget, least = (
        most_text(lane.budget, course.currency),
        least_text(course.reservation, course.currency),
    )
    words = {"class": "secret-words", "x": WIDTH, "y": y(lane.budget) - 5, "text-anchor": "end"}
    parts += [
        across("secret-least", course.reservation),
        across("secret-value", lane.budget),
        element("text", words, say("worth_price_to_it", price=budget)),
    ]
    return labelled(
        {"class": f"secret of-{lane.actor}", "viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}"},
        f"secret-{lane.actor}",
        say("who_the_true_value_and_the_bids", who=lane.name),
        say(
            "worth_budget_bids_the_seller_needed_least",
            budget=budget,
            bids=lane_words(course, lane),
            least=least,
        ),
        *parts,
    )
