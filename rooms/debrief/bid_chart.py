"""The first bid of each deal against its price, both as parts of the opening ask."""

from collections.abc import Sequence

from django.utils.safestring import SafeString

from negotiation.charts.svg import line, stroke
from negotiation.sentences import sentences
from rooms.debrief.figures import Fit
from rooms.debrief.games import FinishedGame
from rooms.debrief.plot import LETTER, dot, framed, grid, paper, percent, percent_ticks, text
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
    axis = [
        text(
            place(at / 100, 0)[0],
            sheet.bottom + LETTER * 1.15,
            percent(at / 100),
            "end" if at == high else "middle",
        )
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
