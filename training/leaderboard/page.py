"""What the board's page shows: one evaluation, its bots, and the people."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString

from training.evaluation.measures import Beside, beside
from training.evaluation.plan import SuiteFact
from training.evaluation.published import Published, newest
from training.evaluation.summary import Card, PolicyResult
from training.leaderboard import policy_table
from training.leaderboard.counting import REASONS
from training.leaderboard.frontier_chart import Spot, frontier, frontier_chart
from training.leaderboard.lines import lines_of, people_lines, policy_lines
from training.leaderboard.models import BoardName
from training.leaderboard.policy_table import source_of
from training.leaderboard.rating.points import MOST_HALF_WIDTH
from training.leaderboard.tables import Table, stored

MEAN = "mean"
"""Stands for all suites together in an address."""


class Board(msgspec.Struct, frozen=True):
    """What is published, and the ratings of it where they are ready (``is_late``: not yet)."""

    published: Published
    bots: tuple[policy_table.BotResult, ...]
    table: Table | None
    is_late: bool

    @property
    def results(self) -> tuple[PolicyResult, ...]:
        """All results that stand side by side."""
        return (*self.published.rows, *(bot.result for bot in self.bots))


class Tab(msgspec.Struct, frozen=True):
    """One suite, or all of them, to choose."""

    id: str
    title: str
    fact: SuiteFact | None = None


class SuiteLine(msgspec.Struct, frozen=True):
    """A policy in the chosen suite; ``of_best`` is its share over the best response's.

    ``is_bound``: it stands beside the others to be measured against, and is not rated.
    """

    title: str
    card: Card
    bot: policy_table.BotResult | None = None
    of_best: float | None = None
    is_bound: bool = False


def board() -> Board | None:
    """Read what can be shown; None while nothing is published."""
    published = newest()
    if published is None:
        return None
    found = tuple(policy_table.results(published))
    known = stored("policies")
    if known is None or not known[1].made_from.startswith(f"{published.run} "):
        return Board(published, found, None, is_late=True)
    return Board(published, found, known[0], known[1].made_from != source_of(published, found))


def page(shown: Board | None, suite: str, visitor: str) -> dict[str, Any]:
    """Gather everything the page is drawn from."""
    people = stored("people")
    return {
        "board": shown,
        "lines": policy_lines(shown.table, shown.results) if shown else (),
        "sellers": lines_of(shown.table.sellers) if shown and shown.table else (),
        "people": people_lines(people[0] if people else None, visitor),
        "most_half_width": MOST_HALF_WIDTH,
        **(suite_part(shown, suite) if shown else {}),
    }


def suite_part(shown: Board, suite: str) -> dict[str, Any]:
    """Gather the part of the page that changes with the suite."""
    tabs = tabs_of(shown.published)
    here = next((tab for tab in tabs if tab.id == suite), tabs[0])
    found = {bot.result.policy: bot for bot in shown.bots}
    suite_id, bounds = None if here.id == MEAN else here.id, beside(shown.published)
    rows = [
        SuiteLine(
            one.title,
            card,
            found.get(one.policy),
            bounds.of_best(card, suite_id) if bounds else None,
        )
        for one in shown.results
        if (card := one.mean if suite_id is None else one.suites.get(suite_id)) is not None
    ]
    spots = _spots(rows)
    rows += _bounds(bounds, suite_id, {one.policy for one in shown.results})
    rows.sort(key=lambda row: -row.card.share_of_winnable.mean if row.card.share_of_winnable else 1)
    title = f"Share of closed deals against deal rate: {here.title}"
    chart = frontier_chart(spots, title) if spots else SafeString()
    return {
        "tabs": tabs,
        "here": here,
        "rows": rows,
        "chart": chart,
        "best": frontier(spots),
        "has_bounds": bounds is not None,
        "is_patience": bool(bounds and suite_id and bounds.is_patience(suite_id)),
    }


def tabs_of(published: Published) -> tuple[Tab, ...]:
    """List what can be looked at: all suites together, then each."""
    suites = (Tab(one.id, one.title, one) for one in published.made.suites)
    return (Tab(MEAN, "All suites"), *suites)


def own_part(entry: BoardName | None) -> dict[str, Any]:
    """Gather which games of a visitor on the board count, and why the others do not."""
    if entry is None:
        return {"entry": None}
    reasons = list(entry.games.values_list("why_not", flat=True))
    spared = [(reasons.count(code), words) for code, words in REASONS.items() if code in reasons]
    return {"entry": entry, "counted": reasons.count(""), "spared": spared}


def _bounds(found: Beside | None, suite: str | None, others: set[str]) -> list[SuiteLine]:
    """Return the lines of the bounds, and of the waiter where it is not among the others."""
    if found is None:
        return []
    cards = [(one, found.card(one.policy, suite)) for _, one in found.results()]
    return [
        SuiteLine(one.title, card, None, found.of_best(card, suite), is_bound=True)
        for one, card in cards
        if card is not None and one.policy not in others
    ]


def _spots(rows: Sequence[SuiteLine]) -> list[Spot]:
    return [
        Spot(row.title, row.card.deal_rate, row.card.share_of_deals)
        for row in rows
        if row.card.deal_rate is not None and row.card.share_of_deals is not None
    ]
