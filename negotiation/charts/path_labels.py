"""The words of the price paths: at their ends, at each moment of a game, and as a description."""

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.course import Course, Ending, Mark
from negotiation.charts.sheet import Sheet
from negotiation.charts.svg import LINE_HEIGHT, element, spread, stroke, text_width
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
        text = rupees_text(mark.price, course.currency)
        x = max(sheet.x(mark.at) - sheet.letter * 0.3, 0)
        if x + text_width(text, sheet.letter) + sheet.letter > free_until:
            continue
        place = {"x": x, "y": sheet.y(mark.price) + below * sheet.letter}
        drawn.append(element("text", {"class": f"chart-start {name}", **place}, text))
    return drawn


_DEEDS = {
    ("offer", "seller"): "seller asks {price}",
    ("offer", "buyer"): "buyer bids {price}",
    ("accept", "seller"): "seller accepts {price}",
    ("accept", "buyer"): "buyer accepts {price}",
    ("walk", "seller"): "seller walks away",
    ("walk", "buyer"): "buyer walks away",
}


def describe(course: Course) -> str:
    """Return every number of the chart in words."""
    sentences = [f"The seller opens at {_price(course, course.opening_ask)}."]
    for number in sorted({mark.round for mark in course.marks[1:]}):
        deeds = [_deed(course, mark) for mark in course.marks[1:] if mark.round == number]
        sentences.append(f"Round {number}: {', '.join(deeds)}.")
    sentences.append(_ending_words(course))
    return " ".join(sentences)


def _deed(course: Course, mark: Mark) -> str:
    return _DEEDS[mark.kind, mark.actor].format(price=_price(course, mark.price))


def _ending_words(course: Course) -> str:
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
