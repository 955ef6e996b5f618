"""What a debrief shows of a case: all deals, who found the trade, what was left on the table."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import msgspec
from django.utils.translation import gettext

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Choice, Value
from bazaarbatna.cases.packages import grid_of
from negotiation.cases.game import language
from negotiation.cases.grading import worth_of
from negotiation.cases.table import case_context
from rooms.debrief.case_chart import deals_chart
from rooms.debrief.cases import Settled, called, in_words, settled_in
from rooms.models import Room

BEST_SHOWN = 5
"""Pairs that are named for having found the trade."""


class Line(msgspec.Struct, frozen=True):
    """A game as a row of a table."""

    game: Settled
    seller: str
    buyer: str
    terms: str
    trade: str
    found_by: str


class Spread(msgspec.Struct, frozen=True):
    """How an issue was settled: of each value how many deals have it, and what it brings both."""

    label: str
    kind: str
    values: tuple[tuple[str, int, float, float], ...]


def case_debrief(room: Room, case: Case) -> dict[str, Any]:
    """Return what the page draws."""
    games, named = settled_in(room, case), room.is_named
    counted = [game for game in games if not game.is_broken_off]
    lines = [_line(game, named=named) for game in games]
    deals = [line for line in lines if line.game.is_deal]
    found = sorted(deals, key=lambda line: -line.game.joint)
    worth, grid = worth_of(case), grid_of(case)
    best = grid.package(grid.best_joint) if worth.has_zone else {}
    told = case_context(case)
    return {
        "case": case,
        "case_title": told["title"],
        "roles": told["roles"],
        "guide": told["guide"],
        "games": games,
        "lines": lines,
        "chart": deals_chart(case, [(line.game, _said(line)) for line in deals]),
        "counted": len(counted),
        "deals": len(deals),
        "broken_off": len(games) - len(counted),
        "has_zone": worth.has_zone,
        "most": worth.best,
        "best": play.in_words(case, best, language()) if best else "",
        "mean_joint": fmean(line.game.joint for line in deals) if deals else None,
        "mean_a": fmean(game.points["a"] for game in counted) if counted else None,
        "mean_b": fmean(game.points["b"] for game in counted) if counted else None,
        "on_frontier": sum(line.game.is_on_frontier for line in deals),
        "losses": sum(line.game.is_loss(side) for line in deals for side in ("seller", "buyer")),
        "found": found[:BEST_SHOWN],
        "left": sum(game.left for game in counted),
        "trades": _trades(case, deals),
        "spreads": [_spread(case, at, deals) for at in range(len(case.issues))],
    }


def _line(game: Settled, *, named: bool) -> Line:
    trade, who = game.trade, game.found_by
    return Line(
        game,
        called(game, "seller", named=named),
        called(game, "buyer", named=named),
        in_words(game) if game.is_deal else "",
        play.in_words(game.case, trade.changes, language()) if trade else "",
        called(game, who, named=named) if who else "",
    )


def _said(line: Line) -> str:
    told = {"number": line.game.number, "seller": line.seller, "buyer": line.buyer}
    head = gettext("Game %(number)d, %(seller)s and %(buyer)s") % told
    return f"{head} · {line.terms}"


def _trades(case: Case, deals: Sequence[Line]) -> list[tuple[str, int]]:
    """Return which issues could have been traded to the gain of both, and in how many deals."""
    labels = {issue.key: play.words(issue.label, language()) for issue in case.issues}
    missed = Counter(
        " + ".join(label for key, label in labels.items() if key in trade.changes)
        for line in deals
        if (trade := line.game.trade)
    )
    return missed.most_common(3)


def _spread(case: Case, at: int, deals: Sequence[Line]) -> Spread:
    issue, kind = case.issues[at], grid_of(case).kinds()[at]
    counts = Counter(line.game.package[issue.key] for line in deals)
    values: list[Value] = [*issue.values]
    both = zip(values, issue.points("a"), issue.points("b"), strict=True)
    shown = tuple(
        (play.written(case, issue, value, language()), counts[value], a, b)
        for value, a, b in both
        if counts[value] or isinstance(issue, Choice)
    )
    return Spread(play.words(issue.label, language()), kind, shown)
