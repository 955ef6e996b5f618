"""Both sides' prices by round, from the opening ask to the deal.

Every moving part carries ``data-seq``, the event it shows: a page scrubs a finished game by
setting ``is-later`` on what has not happened yet (``charts.css`` hides it).
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from bazaarbatna.money import about_text
from negotiation.charts.course import Course, Ending, Mark, course_of
from negotiation.charts.reference_marks import Box, limits_of, reference_marks
from negotiation.charts.svg import (
    LINE_HEIGHT,
    Sheet,
    element,
    line,
    picture,
    sheet_for,
    spread,
    stroke,
    text_width,
)
from negotiation.sentences import sentences

say = sentences(__file__)


class Label(msgspec.Struct, frozen=True):
    """A caption and a price beside the point it names; ``price`` in rupees says how high."""

    name: str
    caption: str
    text: str
    price: float

    @property
    def line(self) -> str:
        """The whole label as it is read."""
        return f"{self.caption} {self.text}".strip()


def ending_texts(course: Course) -> list[str]:
    """List everything that may stand at the end of a path while this game is scrubbed."""
    return [label.line for moment in _each_moment(course) for label in _labels(moment)]


def moments(course: Course, sheet: Sheet) -> list[SafeString]:
    """Draw the labels of each moment; the page shows the last moment that is not later."""
    return [_moment(moment, sheet) for moment in _each_moment(course)]


def _each_moment(course: Course) -> list[Course]:
    if course.ending is None:
        return [course]
    seqs = [*(mark.seq for mark in course.marks), course.ending.seq]
    return [course.until(seq) for seq in seqs]


def _labels(course: Course) -> list[Label]:
    last = course.marks[-1]
    if last.kind == "accept":
        return [_label(course, "chart-deal", say("deal"), last.price)]
    labels = []
    captions = (
        ("seller", "chart-ask", pgettext("chart", "Ask")),
        ("buyer", "chart-bid", pgettext("chart", "Bid")),
    )
    for side, name, caption in captions:
        mark = course.standing(side)
        if mark is not None:
            labels.append(_label(course, name, caption, mark.price))
    if last.kind == "walk" or course.ending:
        middle = sum(label.price for label in labels) / len(labels)
        labels.append(Label("chart-walk", say("no_deal"), "", middle))
    return labels


def _label(course: Course, name: str, caption: str, price: float) -> Label:
    return Label(name, caption, about_text(price, course.currency), price)


def _ends(course: Course, sheet: Sheet) -> list[Box]:
    """Return where the labels of the last moment lie."""
    labels = _labels(course)
    x, half = sheet.x(course.marks[-1].at) + sheet.letter * 0.75, sheet.letter * 0.5
    return [
        Box(x, x + text_width(label.line, sheet.letter), y - half, y + half)
        for label, y in zip(labels, _middles(labels, sheet), strict=True)
    ]


def _middles(labels: list[Label], sheet: Sheet) -> list[float]:
    return spread(
        [sheet.y(label.price) for label in labels],
        sheet.letter * LINE_HEIGHT,
        sheet.letter * 0.8,
        sheet.axis - sheet.letter * 0.7,
    )


def _moment(course: Course, sheet: Sheet) -> SafeString:
    seq = course.ending.seq if course.ending else course.marks[-1].seq
    now = course.marks[-1].at
    labels = _labels(course)
    places = _middles(labels, sheet)
    x = sheet.x(now) + sheet.letter * 0.75
    return element(
        "g",
        sheet.since(seq, "chart-moment"),
        *_holds(course, sheet, now),
        *_starts(course, sheet, x),
        *(_text(label, x, y, sheet) for label, y in zip(labels, places, strict=True)),
    )


def _text(label: Label, x: float, middle: float, sheet: Sheet) -> SafeString:
    caption = element("tspan", {"class": "chart-caption"}, label.caption)
    figure = [" ", element("tspan", {"class": "chart-figure"}, label.text)] if label.text else []
    place = {"x": x, "y": middle + sheet.letter * 0.35}
    return element("text", {"class": f"chart-end {label.name}", **place}, caption, *figure)


def _holds(course: Course, sheet: Sheet, now: int) -> list[SafeString]:
    """Draw standing prices on to the present moment, dotted: they still can be taken."""
    drawn = []
    for side, name in (("seller", "chart-ask"), ("buyer", "chart-bid")):
        mark = course.standing(side)
        if mark is None or mark.at == now or course.marks[-1].kind == "accept":
            continue
        way = f"M{sheet.point(mark.at, mark.price)}H{sheet.x(now):.1f}"
        drawn.append(stroke({"class": f"chart-hold {name}"}, way, 2, dash="1 6", cap="round"))
    return drawn


def _starts(course: Course, sheet: Sheet, free_until: float) -> list[SafeString]:
    """Draw where both paths began, as soon as there is room left of the present labels."""
    first_bid = next((m for m in course.marks if m.actor == "buyer" and m.kind == "offer"), None)
    starts = [("chart-ask", course.marks[0], -0.75)]
    if first_bid is not None and course.ending is None:
        starts.append(("chart-bid", first_bid, 1.35))
    drawn = []
    for name, mark, below in starts:
        text = about_text(mark.price, course.currency)
        x = max(sheet.x(mark.at) - sheet.letter * 0.3, 0)
        if x + text_width(text, sheet.letter) + sheet.letter > free_until:
            continue
        place = {"x": x, "y": sheet.y(mark.price) + below * sheet.letter}
        drawn.append(element("text", {"class": f"chart-start {name}", **place}, text))
    return drawn


_DEEDS = {
    ("offer", "seller"): say.text("seller_asks_price"),
    ("offer", "buyer"): say.text("buyer_bids_price"),
    ("accept", "seller"): say.text("seller_accepts_price"),
    ("accept", "buyer"): say.text("buyer_accepts_price"),
    ("walk", "seller"): say.text("seller_walks_away"),
    ("walk", "buyer"): say.text("buyer_walks_away"),
}


def describe(course: Course) -> str:
    """Return every number of the chart in words."""
    is_closed = course.ending is not None and course.ending.is_closed
    made = [mark for mark in course.marks[1:] if not (is_closed and mark.kind == "walk")]
    sentences = [say("the_seller_opens_at_price", price=_price(course, course.opening_ask))]
    for number in sorted({mark.round for mark in made}):
        deeds = [_deed(course, mark) for mark in made if mark.round == number]
        told = {"round": number, "deeds": ", ".join(deeds)}
        sentences.append(say("round_round_deeds", **told))
    sentences.append(_ending_words(course))
    return " ".join(sentences)


def _deed(course: Course, mark: Mark) -> str:
    return gettext(_DEEDS[mark.kind, mark.actor]).format(price=_price(course, mark.price))


def _ending_words(course: Course) -> str:
    ending = course.ending
    if ending is None:
        return say("no_deal_yet")
    if ending.price is not None:
        told = say("deal_at_price", price=_price(course, ending.price))
    elif ending.is_closed:
        told = say("no_deal_the_table_was_closed")
    elif ending.by is None:
        told = say("no_deal_the_rounds_ran_out")
    elif ending.by == "seller":
        told = say("no_deal_the_seller_walked_away")
    else:
        told = say("no_deal_the_buyer_walked_away")
    return f"{told}{_limits(course, ending)}"


def _limits(course: Course, ending: Ending) -> str:
    if ending.reservation is None or ending.budget is None:
        return ""
    prices = {
        "reservation": _price(course, ending.reservation),
        "budget": _price(course, ending.budget),
    }
    return f" {say('the_sellers_floor_was_reservation_the', **prices)}"


def _price(course: Course, price: float) -> str:
    return about_text(price, course.currency)


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
        element("title", {}, say("as_it_was_played")),
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
    """Draw the price paths of one game, as one ``<svg>`` with a title and a description in words.

    Args:
        frames: the wire frames of the game in order, the first one ``opened``; prices in rupees.
        width: of the view box; the letters are sized to be legible at 320 CSS pixels.
        height: of the view box.
        references: named prices in rupees to draw as thin lines (theory, an own limit). After the
            end the reservation price and the budget are drawn without being asked for.
        upto: show the game as it stood after this sequence number; the scales stay.
        place: tells two charts of one game on the same page apart.
        ghost: frames of the game that this one left; its other path is drawn faintly behind.
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
        *reference_marks(course, sheet, lines, _ends(course, sheet)),
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
        say("prices_by_round_title", title=course.title),
        words,
        *parts,
    )
    return element("div", {"class": "chart"}, svg)


def _rounds(sheet: Sheet) -> SafeString:
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
                "x": min(sheet.x(2 * number - 0.5), sheet.right),
                "y": baseline,
                "text-anchor": "middle",
            },
            str(number),
        )
        for number in range(1, count + 1)
        if number == 1 or number % every == 0
    ]
    # Behind the last number: before the first one it would cover the second.
    place = {"class": "chart-round", "x": sheet.right + 0.75 * sheet.letter, "y": baseline}
    return element(
        "g", {"class": "chart-axis"}, ground, *numbers, element("text", place, say("round"))
    )


def _path(course: Course, sheet: Sheet, side: str, name: str) -> list[SafeString]:
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
