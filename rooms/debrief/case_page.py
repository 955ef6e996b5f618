"""What a debrief shows of a case: all deals, who found the trade, what was left on the table."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Choice, Value
from bazaarbatna.cases.packages import grid_of
from negotiation.cases.chart import LOOK, ground, nash
from negotiation.cases.game import language
from negotiation.cases.grading import worth_of
from negotiation.cases.table import case_context
from negotiation.charts.svg import element
from rooms.debrief.cases import Settled, called, in_words, settled_in
from rooms.debrief.plot import opens
from rooms.models import Room

RADIUS = 8.0


def deals_chart(case: Case, deals: Sequence[tuple[Settled, str]]) -> SafeString:
    """Draw deals, each with its words; the first role's points across, the other's upwards."""
    first, second = (
        gettext("points: %(who)s") % {"who": play.words(role.name, language())}
        for role in (case.a, case.b)
    )
    drawn, at = ground(case, "a", (first, second))
    dots = []
    for deal, words in deals:
        x, y = at(deal.points["a"], deal.points["b"])
        name = f"debrief-deal {'is-people' if deal.is_between_people else 'is-policy'}"
        shape = element("circle", {"class": name, "cx": x, "cy": y, "r": RADIUS})
        dots.append(opens(deal.game, words, shape))
    said = gettext(
        "Every small dot is a package, every large one a deal. No package lies beyond the line at "
        "the edge, the frontier. The dashed lines are what each role has without a deal."
    )
    named = {"aria-labelledby": "case-deals-title", "aria-describedby": "case-deals-words"}
    look: dict[str, object] = {**LOOK, "role": "group", **named}
    title = element("title", {"id": "case-deals-title"}, gettext("All deals of the room"))
    about = element("desc", {"id": "case-deals-words"}, said)
    svg = element("svg", look, title, about, *drawn, *nash(case, "a", at), *dots)
    return element("div", {"class": "chart debrief-chart case-picture"}, svg)


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
