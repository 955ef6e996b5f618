"""The prices at the right edge of a match's chart: what stands at each moment."""

from django.utils.safestring import SafeString

from arena.charts.course import Course
from arena.charts.glyphs import seat_shape
from arena.charts.match_sheet import LETTER, RESERVATION, MatchSheet
from negotiation.charts.labels import LINE_HEIGHT, spread
from negotiation.charts.svg import element
from negotiation.money import rupees_text


def moments(course: Course, sheet: MatchSheet) -> list[SafeString]:
    """Draw one group of labels per change of prices; only the newest that happened is shown."""
    changes = [(ask.seq, ask.round - 1) for ask in course.asks]
    changes += [(seq, number) for number, seq in course.reveals.items()]
    changes += [(course.ended_seq, course.rounds)] if course.ended_seq else []
    return [_moment(course, sheet, seq, number) for seq, number in sorted(changes)]


def _moment(course: Course, sheet: MatchSheet, seq: int, opened: int) -> SafeString:
    ask = [mark.price for mark in course.asks if mark.seq <= seq][-1]
    labels: list[tuple[str, int, float]] = [("Ask", 0, ask)]
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
    course: Course, sheet: MatchSheet, label: tuple[str, int, float], middle: float
) -> SafeString:
    name, place, price = label
    x = sheet.right + LETTER * 0.6
    words = rupees_text(price, course.currency)
    if not place:
        caption = element("tspan", {"class": "chart-caption"}, f"{name} ")
        tone = "chart-limit" if name == RESERVATION else "chart-ask"
        text = {"class": f"chart-end {tone}", "x": x, "y": middle + LETTER * 0.35}
        return element("text", text, caption, words)
    shape = seat_shape(place, x + LETTER * 0.35, middle, LETTER * 0.3)
    mark = element("path", {"class": "chart-mark", "d": shape})
    text = {"class": "chart-end", "x": x + LETTER, "y": middle + LETTER * 0.35}
    return element("g", {"class": name}, mark, element("text", text, words))
