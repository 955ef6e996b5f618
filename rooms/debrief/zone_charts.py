"""Every game from the reservation price to the budget, and what the missed deals cost."""

import math
from collections.abc import Callable, Sequence
from statistics import fmean

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext

from bazaarbatna.bargain.theory import finite_share
from bazaarbatna.money import rupees_text
from negotiation.charts.svg import Paper, element, line, round_ticks, stroke, text_width
from rooms.debrief.figures import MissedDeal
from rooms.debrief.games import FinishedGame
from rooms.debrief.plot import (
    LETTER,
    WIDTH,
    Label,
    cross,
    dot,
    framed,
    grid,
    opens,
    paper,
    percent,
    percent_ticks,
    radius_for,
    references,
    text,
)

Words = Callable[[FinishedGame], str]
"""Says in one line who played a game and how it ended."""

MOST = 8
"""Bars that are drawn; the table behind has all."""

ROW = LETTER * 1.5


def lost_chart(missed: Sequence[MissedDeal], words: Words, currency: str) -> SafeString:
    """Draw a bar for each missed deal, the dearest first."""
    shown = [one for one in missed if one.game.currency == currency][:MOST]
    most = max(one.game.zone for one in shown)
    amounts = [rupees_text(one.game.zone, currency) for one in shown]
    names = [gettext("Game %(number)d") % {"number": one.game.number} for one in shown]
    left = max(text_width(name, LETTER) for name in names) + LETTER * 0.8
    right = WIDTH - max(text_width(amount, LETTER) for amount in amounts) - LETTER
    height = len(shown) * ROW + LETTER * 0.6
    parts: list[SafeString] = []
    for place, (one, amount, name) in enumerate(zip(shown, amounts, names, strict=True)):
        top = place * ROW + LETTER * 0.3
        wide = max((right - left) * one.game.zone / most, 2.0)
        box = {"x": left, "y": top, "width": wide, "height": ROW * 0.72, "rx": 3}
        bar = element("rect", {"class": "debrief-lost", **box})
        parts.append(opens(one.game.game, words(one.game), bar))
        baseline = top + ROW * 0.56
        parts.append(text(left - LETTER * 0.5, baseline, name, "end"))
        parts.append(
            text(left + wide + LETTER * 0.4, baseline, amount, name="chart-end chart-walk")
        )
    total = rupees_text(
        sum(one.game.zone for one in missed if one.game.currency == currency), currency
    )
    told = gettext("Deals that were missed held %(total)s in all.") % {"total": total}
    return framed("lost", gettext("What missed deals cost"), told, *parts, height=height)


WIDE_RANGE = 8.0
"""Prices whose largest is so many times the smallest stand on a scale of equal ratios."""


def share_chart(games: Sequence[FinishedGame], words: Words) -> SafeString:
    """Draw all games that had a zone, each zone as tall as the others."""
    blocks = _blocks(games)
    ticks = percent_ticks(0, 100, 25)
    labels = _references(games)
    columns = _columns(blocks)
    sheet = paper((0.0, 1.0), columns, ticks=ticks, labels=labels, below=1.7, above=1.7)
    step = (sheet.right - sheet.left) / columns
    radius = radius_for(step)
    parts: list[SafeString] = [
        grid(sheet, ticks),
        text(sheet.left, sheet.top - LETTER * 0.7, gettext("Budget: the seller keeps all")),
        text(sheet.left, sheet.bottom + LETTER * 1.2, gettext("Floor: the buyer keeps all")),
    ]
    points: list[SafeString] = []
    for place, game in _placed(blocks):
        x = sheet.x(place + 0.5)
        wide = min(step * 0.5, 6)
        parts.append(_bar("debrief-column", x, wide, (sheet.top, sheet.bottom)))
        if game.is_deal:
            points.append(dot(game, (x, sheet.y(game.place)), radius, words(game), "debrief-deal"))
        else:
            below = x, sheet.bottom + LETTER * 0.42
            points.append(cross(game, below, radius * 0.75, words(game)))
    parts.append(references(sheet, labels, (gettext("Rubinstein"),)))
    parts += points
    return framed("zones", gettext("Where in its zone each deal lies"), _told(games), *parts)


def _references(games: Sequence[FinishedGame]) -> list[Label]:
    labels: list[Label] = [(0.5, gettext("Even split"), "chart-limit")]
    rounds = {game.max_rounds for game in games}
    if len(rounds) == 1:
        patient = 1 - finite_share(rounds.pop())
        labels.append((patient, gettext("Rubinstein"), "chart-theory"))
    places = [game.place for game in games if game.is_deal]
    if len(places) > 1:
        mean = pgettext("chart", "Mean %(share)s") % {"share": percent(fmean(places))}
        labels.append((fmean(places), mean, "debrief-mean"))
    return labels


def _blocks(games: Sequence[FinishedGame]) -> list[list[FinishedGame]]:
    """Sort games into those of people and those with a policy, each by how the zone was split."""
    shown = [game for game in games if game.has_zone and not game.is_broken_off]
    blocks = [
        sorted(
            (game for game in shown if game.is_between_people == people),
            key=lambda game: (not game.is_deal, game.place, game.number),
        )
        for people in (True, False)
    ]
    return [block for block in blocks if block]


def _columns(blocks: Sequence[Sequence[FinishedGame]]) -> int:
    gap = _gap(blocks)
    count = sum(map(len, blocks)) + gap * max(len(blocks) - 1, 0)
    return max(count, 1)


def _gap(blocks: Sequence[Sequence[FinishedGame]]) -> int:
    return 1 + sum(map(len, blocks)) // 30


def _placed(blocks: Sequence[Sequence[FinishedGame]]) -> list[tuple[int, FinishedGame]]:
    placed, at = [], 0
    for block in blocks:
        placed += [(at + index, game) for index, game in enumerate(block)]
        at += len(block) + _gap(blocks)
    return placed


def _told(games: Sequence[FinishedGame]) -> str:
    deals = [game for game in games if game.is_deal]
    missed = sum(game.is_missed for game in games)
    told = [
        ngettext("%(count)d deal.", "%(count)d deals.", len(deals)) % {"count": len(deals)},
        ngettext("%(count)d missed deal.", "%(count)d missed deals.", missed) % {"count": missed},
    ]
    if deals:
        mean = percent(fmean(game.place for game in deals))
        words = (
            gettext("On average the seller kept %(share)s of the zone.")
            if len(deals) > 1
            else gettext("The seller kept %(share)s of the zone.")
        )
        told.append(words % {"share": mean})
    return " ".join(told)


def rupee_chart(games: Sequence[FinishedGame], words: Words, currency: str) -> SafeString:
    """Draw all games in money: zones as bars, deals as points, games without a zone dashed."""
    shown = [game for game in games if game.currency == currency and not game.is_broken_off]
    shown.sort(key=lambda game: (game.reservation + game.budget, game.number))
    low = min(min(game.reservation, game.budget) for game in shown)
    high = max(max(game.reservation, game.budget) for game in shown)
    scale, values = _scale(low, high)
    ticks = [(scale(value), rupees_text(value, currency)) for value in values]
    ends = (min(scale(low), ticks[0][0]), max(scale(high), ticks[-1][0]))
    sheet = paper(ends, len(shown), ticks=ticks, above=0.8, below=0.4)
    step = (sheet.right - sheet.left) / len(shown)
    parts: list[SafeString] = [grid(sheet, ticks)]
    for place, game in enumerate(shown):
        x = sheet.x(place + 0.5)
        parts.append(_column(game, sheet, x, step, scale, words(game)))
    title = gettext("Every game in money")
    told = gettext("Zones from %(low)s to %(high)s.") % {
        "low": rupees_text(low, currency),
        "high": rupees_text(high, currency),
    }
    return framed("money", title, told, *parts)


def _column(
    game: FinishedGame,
    sheet: Paper,
    x: float,
    step: float,
    scale: Callable[[float], float],
    words: str,
) -> SafeString:
    ends = sheet.y(scale(game.reservation)), sheet.y(scale(game.budget))
    wide = max(1.5, min(step * 0.55, 14))
    radius = radius_for(step)
    if not game.has_zone:
        bar = stroke({"class": "chart-walk"}, line([(x, ends[0]), (x, ends[1])]), 2, dash="3 4")
        middle = x, (ends[0] + ends[1]) / 2
        target = element(
            "circle", {"cx": middle[0], "cy": middle[1], "r": radius * 1.4, "fill": "transparent"}
        )
        return opens(game.game, words, target, bar)
    bar = _bar("debrief-zone", x, wide, (ends[1], ends[0]))
    if game.price is None:
        return element("g", {}, bar, cross(game, (x, sum(ends) / 2), radius * 0.8, words))
    point = dot(game, (x, sheet.y(scale(game.price))), radius, words, "debrief-deal")
    return element("g", {}, bar, point)


def _bar(name: str, x: float, wide: float, ends: tuple[float, float]) -> SafeString:
    """Draw an upright bar, whose width grows with the picture as that of a line would not."""
    top, bottom = ends
    box = {"x": x - wide / 2, "y": top, "width": wide, "height": bottom - top}
    return element("rect", {"class": name, **box, "fill": "currentColor"})


def _scale(low: float, high: float) -> tuple[Callable[[float], float], list[float]]:
    """Return how prices become heights, and the prices that are written."""
    if high <= WIDE_RANGE * low:
        return float, round_ticks(low, high, about=5)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = [m * 10.0**e for e in range(first, last + 1) for m in (1, 2, 5)]
    inside = [value for value in steps if low * 0.7 <= value <= high * 1.4]
    return math.log10, inside[:: 2 if len(inside) > 7 else 1]
