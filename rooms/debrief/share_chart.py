"""How the zone was shared, by role: a row of points for people and for programs on each side."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from django.utils.safestring import SafeString
from django.utils.translation import ngettext, pgettext

from bazaarbatna.bargain.quantities import Side
from negotiation.charts.svg import element, line, stroke
from negotiation.sentences import sentences
from rooms.debrief.games import FinishedGame
from rooms.debrief.plot import LETTER, WIDTH, dot, framed, percent, text
from rooms.debrief.zone_charts import Words

say = sentences(__file__)

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
