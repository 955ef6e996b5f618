"""The mean path of both sides by round, with the middle half of the games around it."""

import math
from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import ngettext, pgettext

from negotiation.charts.svg import Paper, closed, element, line, spread, stroke
from negotiation.sentences import sentences
from rooms.debrief.figures import Stop
from rooms.debrief.plot import LETTER, framed, grid, paper, percent, percent_ticks, text

say = sentences(__file__)


def course_chart(asks: Sequence[Stop], bids: Sequence[Stop]) -> SafeString:
    """Draw how far both sides had come after each round, as parts of the opening ask."""
    values = [v for s in (*asks, *bids) for v in (s.mean, s.low, s.high) if v is not None]
    step = 10 if min(values) > 0.6 else 20
    low = 100 - step * max(math.ceil((100 - 100 * min(values)) / step), 1)
    ticks = percent_ticks(low, 100, step)
    last = max([stop.round for stop in (*asks, *bids)] + [1])
    ask, bid = pgettext("chart", "Ask"), pgettext("chart", "Bid")
    labels = [(0.0, ask, "chart-ask"), (0.0, bid, "chart-bid")]
    sheet = paper((low / 100, 1.0), last, ticks=ticks, labels=labels, above=1.8, below=2.6)
    parts = [
        grid(sheet, ticks),
        text(sheet.left, sheet.top - LETTER * 0.75, say("standing_price_of_the_opening_ask")),
        *_rounds(sheet, last),
        *_band(sheet, asks, "chart-ask"),
        *_band(sheet, bids, "chart-bid"),
        *_path(sheet, asks, "chart-ask"),
        *_path(sheet, bids, "chart-bid"),
        *_ends(sheet, asks, bids, ask, bid),
    ]
    return framed("course", say("how_both_sides_came_closer"), _told(asks, bids), *parts)


def _rounds(sheet: Paper, last: int) -> list[SafeString]:
    every = 1 if last <= 12 else 2 + last // 12
    parts = [
        text(sheet.x(number), sheet.bottom + LETTER * 1.15, str(number), "middle")
        for number in range(0, last + 1, every)
    ]
    return [*parts, text(sheet.right, sheet.bottom + LETTER * 2.4, say("round"), "end")]


def _band(sheet: Paper, stops: Sequence[Stop], name: str) -> list[SafeString]:
    wide = [stop for stop in stops if stop.low is not None]
    if len(wide) < 2:
        return []
    top = [sheet.spot(stop.round, stop.high or 0) for stop in wide]
    bottom = [sheet.spot(stop.round, stop.low or 0) for stop in reversed(wide)]
    look: dict[str, object] = {
        "class": f"{name} debrief-band",
        "d": closed([*top, *bottom]),
        "fill": "currentColor",
    }
    return [element("path", look)]


def _path(sheet: Paper, stops: Sequence[Stop], name: str) -> list[SafeString]:
    points = [sheet.spot(stop.round, stop.mean) for stop in stops]
    parts = [stroke({"class": name}, line(points), 3, cap="round")] if len(points) > 1 else []
    for stop, (x, y) in zip(stops, points, strict=True):
        told = ngettext(
            "Round %(round)d: %(share)s, %(count)d game",
            "Round %(round)d: %(share)s, %(count)d games",
            stop.n,
        ) % {"round": stop.round, "share": percent(stop.mean), "count": stop.n}
        look = {"class": f"chart-dot {name}", "cx": x, "cy": y, "r": 5, "fill": "currentColor"}
        parts.append(element("circle", look, element("title", {}, told)))
    return parts


def _ends(
    sheet: Paper, asks: Sequence[Stop], bids: Sequence[Stop], ask: str, bid: str
) -> list[SafeString]:
    ends = [
        (stops[-1], words, name)
        for stops, words, name in ((asks, ask, "chart-ask"), (bids, bid, "chart-bid"))
        if stops
    ]
    wanted = [sheet.y(stop.mean) for stop, _, _ in ends]
    places = spread(wanted, LETTER * 1.2, sheet.top, sheet.bottom)
    return [
        text(sheet.x(stop.round) + LETTER * 0.5, y + LETTER * 0.35, words, name=f"chart-end {name}")
        for (stop, words, name), y in zip(ends, places, strict=True)
    ]


def _told(asks: Sequence[Stop], bids: Sequence[Stop]) -> str:
    told = []
    for words, stops in (
        (say("the_sellers_mean_ask_went_from"), asks),
        (say("the_buyers_mean_bid_went_from"), bids),
    ):
        if stops:
            ends = {"first": percent(stops[0].mean), "last": percent(stops[-1].mean)}
            told.append(words % ends)
    return " ".join(told)
