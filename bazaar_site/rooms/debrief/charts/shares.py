"""How the zone was shared, by role: a row of points for people and for policies on each side."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from bazaar_site.rooms.debrief.charts.plot import (
    LETTER,
    WIDTH,
    dot,
    framed,
    percent,
    text,
)
from bazaar_site.rooms.debrief.charts.zones import Words
from bazaar_site.rooms.debrief.games import Played
from negotiation.charts.svg import element, line, stroke
from negotiation.engine.quantities import Side

BINS = 20
"""Columns of points: one for every five percent."""

ROW = 96.0


class Row:
    """One row: who it is of, its deals, and what its points are coloured as."""

    def __init__(self, side: Side, games: Sequence[Played], *, people: bool) -> None:
        self.side, self.people = side, people
        self.games = sorted(games, key=lambda game: (game.share(side), game.number))

    @property
    def name(self) -> str:
        """What the row is called."""
        if self.people:
            return gettext("People who sold") if self.side == "seller" else gettext("People who bought")
        return gettext("Policies that sold") if self.side == "seller" else gettext("Policies that bought")

    @property
    def mean(self) -> float:
        """Mean share."""
        return fmean(game.share(self.side) for game in self.games)

    @property
    def counts(self) -> list[int]:
        """Deals in each tenth of the zone."""
        counts = [0] * 10
        for game in self.games:
            counts[min(int(game.share(self.side) * 10), 9)] += 1
        return counts


def rows_of(found: Mapping[tuple[Side, bool], Sequence[Played]]) -> list[Row]:
    """Order the rows: people first, sellers first."""
    keys: list[tuple[Side, bool]] = [(s, p) for p in (True, False) for s in ("seller", "buyer")]
    return [Row(side, found[side, people], people=people) for side, people in keys if (side, people) in found]


def share_rows(rows: Sequence[Row], words: Words) -> SafeString:
    """Draw the rows over one scale from nothing to the whole zone."""
    left, right = LETTER * 0.5, WIDTH - LETTER * 1.6
    height = len(rows) * (ROW + LETTER * 1.6) + LETTER * 1.8
    parts: list[SafeString] = []
    base = 0.0
    for row in rows:
        base += ROW + LETTER * 1.6
        parts.append(_row(row, left, right, base, words))
    for part in (0, 0.25, 0.5, 0.75, 1):
        x = left + (right - left) * part
        anchor = "start" if part == 0 else "middle"
        parts.append(text(x, base + LETTER * 1.4, percent(part), anchor))
    title = gettext("How the zone was shared, by role")
    told = " ".join(
        gettext("%(who)s kept %(share)s on average, in %(count)d deals.")
        % {"who": row.name, "share": percent(row.mean), "count": len(row.games)}
        for row in rows
    )
    return framed("shares", title, told, *parts, height=height)


def _row(row: Row, left: float, right: float, base: float, words: Words) -> SafeString:
    wide = (right - left) / BINS
    stacks: dict[int, list[Played]] = {}
    for game in row.games:
        stacks.setdefault(min(int(game.share(row.side) * BINS), BINS - 1), []).append(game)
    tallest = max(map(len, stacks.values()))
    step = min(wide * 0.9, 15.0, ROW / tallest)
    colour = "chart-ask" if row.side == "seller" else "chart-bid"
    parts = [
        text(left, base - ROW - LETTER * 0.35, row.name, name=f"chart-end {colour}"),
        stroke({"class": "chart-line"}, line([(left, base), (right, base)]), 1),
        _half(left + (right - left) / 2, base),
    ]
    for place, stack in stacks.items():
        x = left + (place + 0.5) * wide
        for level, game in enumerate(stack):
            at = x, base - step * (level + 0.55)
            parts.append(dot(game, at, max(step * 0.45, 1.8), words(game), f"debrief-deal {colour}"))
    x = left + (right - left) * row.mean
    way = line([(x, base), (x, base - ROW)])
    parts.append(stroke({"class": "debrief-mean"}, way, 2))
    mean = f"⌀\N{NO-BREAK SPACE}{percent(row.mean)}"
    anchor = "end" if row.mean > 0.8 else "start"
    shift = -0.3 if anchor == "end" else 0.3
    parts.append(text(x + LETTER * shift, base - ROW + LETTER * 0.7, mean, anchor, "chart-end debrief-mean"))
    return element("g", {}, *parts)


def _half(x: float, base: float) -> SafeString:
    return stroke({"class": "chart-limit"}, line([(x, base), (x, base - ROW)]), 1, dash="2 4")
