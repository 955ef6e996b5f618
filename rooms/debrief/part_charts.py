"""Pictures in parts: of the zone by role, of the opening ask from bid to deal and by round."""

import math
from collections.abc import Mapping, Sequence
from statistics import fmean

from django.utils.safestring import SafeString
from django.utils.translation import ngettext, pgettext

from bazaarbatna.bargain.quantities import Side
from negotiation.charts.svg import Paper, closed, element, line, spread, stroke
from negotiation.sentences import sentences
from rooms.debrief.figures import Fit, Stop
from rooms.debrief.games import FinishedGame
from rooms.debrief.plot import LETTER, WIDTH, dot, framed, grid, paper, percent, percent_ticks, text
from rooms.debrief.zone_charts import Words

say = sentences(__file__)


Point = tuple[FinishedGame, float, float]
FINE = 1000
"""Steps across the paper."""


def bid_chart(points: Sequence[Point], fit: Fit | None, words: Words) -> SafeString:
    """Draw one point for each deal, and the line through them where there are enough."""
    xs, ys = [x for _, x, _ in points], [y for _, _, y in points]
    across, up = _ticks(xs), _ticks(ys)
    low, high = across[0], across[-1]
    ticks = percent_ticks(up[0], up[-1], up[1] - up[0])
    sheet = paper((up[0] / 100, up[-1] / 100), FINE, ticks=ticks, above=1.8, below=2.6)

    def place(x: float, y: float) -> tuple[float, float]:
        return sheet.x(FINE * (x * 100 - low) / (high - low)), sheet.y(y)

    radius = 7.0 if len(points) < 60 else 4.5
    under = sheet.bottom + LETTER * 1.15
    axis = [
        text(place(at / 100, 0)[0], under, percent(at / 100), "end" if at == high else "middle")
        for at in across
    ]
    parts = [
        grid(sheet, ticks),
        *axis,
        text(sheet.left, sheet.top - LETTER * 0.75, say("deal_price_of_the_opening_ask")),
        text(sheet.right, sheet.bottom + LETTER * 2.4, say("first_bid_of_the_opening_ask"), "end"),
    ]
    if fit is not None and fit.is_sure:
        ends = [place(x, fit.start + fit.slope * x) for x in (min(xs), max(xs))]
        parts.append(stroke({"class": "debrief-mean"}, line(ends), 2, dash="7 5"))
    parts += [dot(game, place(x, y), radius, words(game), "debrief-deal") for game, x, y in points]
    title = say("first_bid_and_deal_price")
    told = say("first_bids_from_low_to_high", low=percent(min(xs)), high=percent(max(xs)))
    return framed("bids", title, told, *parts)


def _ticks(values: Sequence[float]) -> range:
    step = 10 if max(values) - min(values) < 0.45 else 20
    low = int(min(values) * 100 // step) * step
    high = -int(-max(values) * 100 // step) * step
    return range(low, max(high, low + step) + 1, step)


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
    look = {"class": f"{name} debrief-band", "d": closed([*top, *bottom]), "fill": "currentColor"}
    return [element("path", dict[str, object](look))]


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


BINS = 20
"""Columns of points: one for every five percent."""

ROW = 96.0


class Row:
    """One row: who it is of, its deals, and what its points are coloured as."""

    def __init__(self, side: Side, games: Sequence[FinishedGame], *, people: bool) -> None:
        self.side, self.people = side, people
        self.games = sorted(games, key=lambda game: (game.share(side), game.number))

    @property
    def name(self) -> str:
        """What the row is called."""
        if self.people:
            return say("people_who_sold") if self.side == "seller" else say("people_who_bought")
        return say("programs_that_sold") if self.side == "seller" else say("programs_that_bought")

    @property
    def mean(self) -> float:
        """Mean share."""
        return fmean(game.share(self.side) for game in self.games)

    @property
    def stacks(self) -> dict[int, list[FinishedGame]]:
        """Deals by the column they stand in."""
        stacks: dict[int, list[FinishedGame]] = {}
        for game in self.games:
            stacks.setdefault(min(int(game.share(self.side) * BINS), BINS - 1), []).append(game)
        return stacks

    @property
    def counts(self) -> list[int]:
        """Deals in each tenth of the zone."""
        counts = [0] * 10
        for game in self.games:
            counts[min(int(game.share(self.side) * 10), 9)] += 1
        return counts


def rows_of(found: Mapping[tuple[Side, bool], Sequence[FinishedGame]]) -> list[Row]:
    """Order the rows: people first, sellers first."""
    keys: list[tuple[Side, bool]] = [(s, p) for p in (True, False) for s in ("seller", "buyer")]
    return [
        Row(side, found[side, people], people=people)
        for side, people in keys
        if (side, people) in found
    ]


def share_rows(rows: Sequence[Row], words: Words) -> SafeString:
    """Draw the rows over one scale from nothing to the whole zone."""
    left, right = LETTER * 0.5, WIDTH - LETTER * 1.6
    tallest = max(max(map(len, row.stacks.values())) for row in rows)
    step = min((right - left) / BINS * 0.9, 15.0, ROW / tallest)
    tall = max(step * tallest + 6, LETTER * 1.5)
    parts: list[SafeString] = []
    base = 0.0
    for row in rows:
        base += tall + LETTER * 1.7
        parts.append(_row(row, (left, right), (base, tall, step), words))
    for part in (0, 0.25, 0.5, 0.75, 1):
        x = left + (right - left) * part
        anchor = "start" if part == 0 else "middle"
        parts.append(text(x, base + LETTER * 1.2, percent(part), anchor))
    title = say("how_the_zone_was_shared_by")
    told = " ".join(
        ngettext(
            "%(who)s: %(share)s, in %(count)d deal.",
            "%(who)s: %(share)s on average, in %(count)d deals.",
            len(row.games),
        )
        % {"who": row.name, "share": percent(row.mean), "count": len(row.games)}
        for row in rows
    )
    return framed("shares", title, told, *parts, height=base + LETTER * 1.8)


def _row(
    row: Row, across: tuple[float, float], up: tuple[float, float, float], words: Words
) -> SafeString:
    (left, right), (base, tall, step) = across, up
    wide = (right - left) / BINS
    colour = "chart-ask" if row.side == "seller" else "chart-bid"
    mean = percent(row.mean)
    if len(row.games) > 1:
        mean = pgettext("chart", "Mean %(share)s") % {"share": mean}
    head = element("tspan", {"class": "chart-caption"}, f" · {mean}")
    look = {"class": f"chart-end {colour}", "x": left, "y": base - tall - LETTER * 0.3}
    parts = [
        element("text", look, row.name, head),
        stroke({"class": "chart-line"}, line([(left, base), (right, base)]), 1),
        _upright(left + (right - left) / 2, base, tall, "chart-limit", dash="2 4"),
    ]
    if len(row.games) > 1:
        parts.append(_upright(left + (right - left) * row.mean, base, tall, "debrief-mean"))
    for place, stack in row.stacks.items():
        alone = len(stack) == 1
        x = left + ((right - left) * stack[0].share(row.side) if alone else (place + 0.5) * wide)
        for level, game in enumerate(stack):
            at = x, base - step * (level + 0.55)
            name = f"debrief-deal {colour}"
            parts.append(dot(game, at, max(step * 0.45, 1.8), words(game), name))
    return element("g", {}, *parts)


def _upright(x: float, base: float, tall: float, name: str, dash: str | None = None) -> SafeString:
    return stroke({"class": name}, line([(x, base), (x, base - tall)]), 2, dash=dash)
