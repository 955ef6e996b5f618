"""All prices of a match in one picture: the ask coming down, every buyer's bids going up."""

import itertools

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from arena.auction.charts.course import LEFT, Course, Lane, lane_words
from arena.auction.charts.glyphs import cross, seat_shape
from arena.words import say
from bazaarbatna.money import least_text, most_text, rupees_text
from negotiation.charts.svg import LINE_HEIGHT, Paper, element, labelled, line, spread, text_width

WIDTH, LETTER = 640.0, 21.0
"""Font size in user units of a sheet so wide: 10.5 CSS pixels on a phone."""
RESERVATION = say.text("reservation")
LOW_SHEET = 250.0
"""Height while its reader plays: all of it in sight beside the envelope."""


def sheet_of(course: Course, height: float = 360) -> Paper:
    """Fit the paper to a match: all prices, all rounds that may come, words at the right edge."""
    shown = [ask.price for ask in course.asks]
    for lane in course.lanes:
        shown += [mark.price for mark in lane.marks if mark.price is not None]
        shown += [lane.budget] if lane.budget is not None else []
    if _is_played(course) and course.budget is not None:
        shown.append(course.budget)
    shown.append(course.opening_ask * 0.6 if course.reservation is None else course.reservation)
    low, high = min(shown), max(shown)
    spare = (high - low) * 0.05 or high * 0.1
    longest = say("reservation") if course.ended_seq else pgettext("chart", "Ask")
    label = text_width(f"{longest} {rupees_text(course.opening_ask, course.currency)}", LETTER)
    return Paper(
        width=WIDTH,
        height=height,
        left=LETTER * 0.4,
        right=WIDTH - label - LETTER,
        top=LETTER * 1.9,
        bottom=height - LETTER * 2.4,
        last_at=max(course.rounds, 1) if course.ended_seq else course.max_rounds,
        low=low - spare,
        high=high + spare,
    )


def match_path(course: Course, *, place: str = "live") -> SafeString:
    """Draw the prices of a match; ``place`` tells two charts on one page apart."""
    sheet = sheet_of(course, height=LOW_SHEET) if _is_played(course) else sheet_of(course)
    parts = [
        *_axis(sheet),
        *_reservation(course, sheet),
        *_own_budget(course, sheet),
        *_asks(course, sheet),
        *(part for lane in course.lanes for part in _bids(course, sheet, lane)),
        *moments(course, sheet),
    ]
    box = f"0 0 {sheet.width:g} {sheet.height:g}"
    svg = labelled(
        {"class": "match-path", "viewBox": box, "font-size": LETTER},
        f"prices-{place}",
        say("prices_by_round_item", item=course.title),
        describe(course),
        *parts,
    )
    return element("div", {"class": "chart"}, svg)


def describe(course: Course) -> str:
    """Return every number of the chart in words."""
    asks = ", ".join(rupees_text(ask.price, course.currency) for ask in course.asks)
    told = [say("the_seller_asks_prices", prices=asks)]
    told += [f"{lane.name}: {lane_words(course, lane)}" for lane in course.lanes if lane.marks]
    if course.reservation is not None:
        limit = least_text(course.reservation, course.currency)
        told.append(say("the_seller_s_floor_was_price", price=limit))
    return " ".join(told)


def _axis(sheet: Paper) -> list[SafeString]:
    y = sheet.height - LETTER * 1.5
    rule = {"class": "chart-line"}
    every = 1 if sheet.last_at <= 8 else 2
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
        for number in range(1, sheet.last_at + 1, every)
    ]
    ground = line([(sheet.left, y), (sheet.right, y)])
    return [element("path", {**rule, "d": ground}), *numbers]


def _reservation(course: Course, sheet: Paper) -> list[SafeString]:
    if course.reservation is None:
        return []
    y = sheet.y(course.reservation)
    rule = {
        "class": "chart-limit",
        "data-seq": course.ended_seq,
        "d": line([(sheet.left, y), (sheet.right, y)]),
    }
    return [element("path", rule)]


def _is_played(course: Course) -> bool:
    return course.own is not None and not course.ended_seq


def _own_budget(course: Course, sheet: Paper) -> list[SafeString]:
    """Draw the reader's own limit while it plays: what lies below it is gained."""
    if not _is_played(course) or course.budget is None:
        return []
    y = sheet.y(course.budget)
    ends = [(sheet.left, y), (sheet.right, y)]
    rule = element("path", {"class": "chart-limit chart-budget", "d": line(ends)})
    budget = say("your_budget_price", price=most_text(course.budget, course.currency))
    place: dict[str, object] = {"x": sheet.right, "y": y - LETTER * 0.4, "text-anchor": "end"}
    return [rule, element("text", {"class": "chart-start chart-budget", **place}, budget)]


def _asks(course: Course, sheet: Paper) -> list[SafeString]:
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


def _bids(course: Course, sheet: Paper, lane: Lane) -> list[SafeString]:
    priced = [(mark, mark.price) for mark in lane.marks if mark.price is not None]
    drawn = []
    for (one, low), (other, high) in itertools.pairwise(priced):
        ends = [sheet.spot(one.round - 0.5, low), sheet.spot(other.round - 0.5, high)]
        look = {"class": "chart-path", "data-seq": other.seq, "d": line(ends)}
        drawn.append(element("path", look))
    for mark, price in priced:
        if mark.action != "hold":
            x, y = sheet.spot(mark.round - 0.5, price)
            dot = {"class": "chart-dot", "data-seq": mark.seq}
            drawn.append(element("path", {**dot, "d": seat_shape(lane.place, x, y, 6)}))
    drawn += _fate(course, sheet, lane, priced[-1][1] if priced else None)
    return [element("g", {"class": f"of-{lane.actor}"}, *drawn)] if drawn else []


def _fate(course: Course, sheet: Paper, lane: Lane, price: float | None) -> list[SafeString]:
    if lane.last is None or price is None:
        return []
    at = lane.last.round - 0.5
    x, y = sheet.spot(at, price)
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
        budget = most_text(lane.budget, course.currency)
        words = say("who_s_budget_was_budget", who=lane.name, budget=budget)
        look = {"class": "match-pocket", "data-seq": course.ended_seq}
        pocket = element("path", {"d": path})
        drawn.append(element("g", look, element("title", {}, words), pocket))
    return drawn


def moments(course: Course, sheet: Paper) -> list[SafeString]:
    """Draw one group of labels per change of prices; only the newest that happened is shown."""
    changes = [(ask.seq, ask.round - 1) for ask in course.asks]
    changes += [(seq, number) for number, seq in course.reveals.items()]
    changes += [(course.ended_seq, course.rounds)] if course.ended_seq else []
    return [_moment(course, sheet, seq, number) for seq, number in sorted(changes)]


def _moment(course: Course, sheet: Paper, seq: int, opened: int) -> SafeString:
    ask = [mark.price for mark in course.asks if mark.seq <= seq][-1]
    labels: list[tuple[str, int, float]] = [(pgettext("chart", "Ask"), 0, ask)]
    for lane in course.lanes:
        bid = lane.bid_after(opened)
        if bid is not None:
            labels.append((f"of-{lane.actor}", lane.place, bid))
    if course.reservation is not None and seq >= course.ended_seq:
        labels.append((RESERVATION, 0, course.reservation))
    places = spread(
        [sheet.y(price) for _, _, price in labels],
        LETTER * LINE_HEIGHT,
        LETTER * 0.8,
        sheet.height - LETTER * 2,
    )
    drawn = [_label(course, sheet, label, y) for label, y in zip(labels, places, strict=True)]
    return element("g", {"class": "chart-moment", "data-seq": seq}, *drawn)


def _label(
    course: Course, sheet: Paper, label: tuple[str, int, float], middle: float
) -> SafeString:
    name, place, price = label
    x = sheet.right + LETTER * 0.6
    words = rupees_text(price, course.currency)
    if not place:
        caption = element("tspan", {"class": "chart-caption"}, f"{_(name)} ")
        tone = "chart-limit" if name == RESERVATION else "chart-ask"
        text = {"class": f"chart-end {tone}", "x": x, "y": middle + LETTER * 0.35}
        if name == RESERVATION:
            words = least_text(price, course.currency)
        return element("text", text, caption, words)
    shape = seat_shape(place, x + LETTER * 0.35, middle, LETTER * 0.3)
    mark = element("path", {"class": "chart-mark", "d": shape})
    text = {"class": "chart-end", "x": x + LETTER, "y": middle + LETTER * 0.35}
    return element("g", {"class": name}, mark, element("text", text, words))
