"""The words at the ends of the price paths: what stands at each moment of a game."""

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.course import Course
from negotiation.charts.labels import LINE_HEIGHT, spread, text_width
from negotiation.charts.sheet import Sheet
from negotiation.charts.svg import element
from negotiation.money import rupees_text


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
    """Draw the labels of each moment; the page shows the last moment that is not later.

    A game that goes on has only its present moment.
    """
    return [_moment(moment, sheet) for moment in _each_moment(course)]


def _each_moment(course: Course) -> list[Course]:
    if course.ending is None:
        return [course]
    seqs = [*(mark.seq for mark in course.marks), course.ending.seq]
    return [course.until(seq) for seq in seqs]


def _labels(course: Course) -> list[Label]:
    last = course.marks[-1]
    if last.kind == "accept":
        return [_label(course, "chart-deal", "Deal", last.price)]
    labels = []
    for side, name, caption in (("seller", "chart-ask", "Ask"), ("buyer", "chart-bid", "Bid")):
        mark = course.standing(side)
        if mark is not None:
            labels.append(_label(course, name, caption, mark.price))
    if last.kind == "walk" or course.ending:
        middle = sum(label.price for label in labels) / len(labels)
        labels.append(Label("chart-walk", "No deal", "", middle))
    return labels


def _label(course: Course, name: str, caption: str, price: float) -> Label:
    return Label(name, caption, rupees_text(price, course.currency), price)


def _moment(course: Course, sheet: Sheet) -> SafeString:
    seq = course.ending.seq if course.ending else course.marks[-1].seq
    now = course.marks[-1].at
    labels = _labels(course)
    places = spread(
        [sheet.y(label.price) for label in labels],
        sheet.letter * LINE_HEIGHT,
        sheet.letter * 0.8,
        sheet.axis - sheet.letter * 0.7,
    )
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
        line = f"M{sheet.point(mark.at, mark.price)}H{sheet.x(now):.1f}"
        drawn.append(
            element(
                "path",
                {
                    "class": f"chart-hold {name}",
                    "d": line,
                    "fill": "none",
                    "stroke": "currentColor",
                    "stroke-width": 2,
                    "stroke-dasharray": "1 6",
                    "stroke-linecap": "round",
                },
            )
        )
    return drawn


def _starts(course: Course, sheet: Sheet, free_until: float) -> list[SafeString]:
    """Name where both paths began, as soon as there is room left of the present labels."""
    first_bid = next((m for m in course.marks if m.actor == "buyer" and m.kind == "offer"), None)
    starts = [("chart-ask", course.marks[0], -0.75)]
    if first_bid is not None and course.ending is None:
        starts.append(("chart-bid", first_bid, 1.35))
    drawn = []
    for name, mark, below in starts:
        text = rupees_text(mark.price, course.currency)
        x = max(sheet.x(mark.at) - sheet.letter * 0.3, 0)
        if x + text_width(text, sheet.letter) + sheet.letter > free_until:
            continue
        place = {"x": x, "y": sheet.y(mark.price) + below * sheet.letter}
        drawn.append(element("text", {"class": f"chart-start {name}", **place}, text))
    return drawn
