"""An evaluation of the market as tables for a terminal."""

from collections.abc import Iterator
from itertools import pairwise

from rich.table import Table

from negotiation.engine.scoring import Interval
from training.markets.summary import MarketResult, MarketSummary

COLUMNS: tuple[tuple[str, str, float, int], ...] = (
    ("return", "reward", 1, 3),
    ("over best plan", "over_best", 1, 3),
    ("utility", "utility", 1, 1),
    ("jobs done %", "finished", 100, 1),
    ("contracts", "contracts", 1, 2),
    ("coalitions", "coalitions", 1, 2),
    ("refused", "refusals", 1, 2),
)
"""Heading, rate, times, decimals."""


def tables_of(summary: MarketSummary) -> Iterator[Table]:
    """Draw the mean over tasks, the return per task, and what tells neighbours apart."""
    ranked = sorted(summary.policies, key=_return, reverse=True)
    yield _means(summary, ranked)
    yield _suites(summary, ranked)
    yield _differences(summary, ranked)


def _return(result: MarketResult) -> float:
    return result.mean.reward.mean if result.mean.reward else 0.0


def _means(summary: MarketSummary, ranked: list[MarketResult]) -> Table:
    suites = len(summary.config.suites)
    table = Table(
        title=f"Mean over {suites} tasks, {ranked[0].mean.n:,} markets each; 95 % intervals of "
        "returns"
    )
    table.add_column("policy", no_wrap=True)
    for heading, *_ in COLUMNS:
        table.add_column(heading, justify="right")
    for result in ranked:
        cells = [
            _ends(getattr(result.mean, rate), times, digits, short=rate not in SPREAD)
            for _, rate, times, digits in COLUMNS
        ]
        table.add_row(result.policy, *cells)
    return table


SPREAD = ("reward", "over_best")
"""Rates that show their intervals in a terminal."""


def _suites(summary: MarketSummary, ranked: list[MarketResult]) -> Table:
    table = Table(title="Return per task")
    table.add_column("policy", no_wrap=True)
    for one in summary.config.suites:
        table.add_column(one.title.lower(), justify="right")
    for result in ranked:
        cards = [result.suites[one.id].reward for one in summary.config.suites]
        table.add_row(result.policy, *(_ends(rate, 1, 3) for rate in cards))
    return table


def _differences(summary: MarketSummary, ranked: list[MarketResult]) -> Table:
    found = {(d.first, d.second): d for d in summary.differences if d.suite == "mean"}
    table = Table(title="Each minus the next, in the same worlds (return)")
    table.add_column("policies")
    table.add_column("difference", justify="right")
    for upper, lower in pairwise(ranked):
        key = (upper.policy, lower.policy)
        difference, sign = (found[key], 1) if key in found else (found[key[::-1]], -1)
        gap = difference.reward
        if gap is not None:
            low, high = sorted((sign * gap.low, sign * gap.high))
            words = f"{sign * gap.mean:+.3f} [{low:+.3f}, {high:+.3f}]"
            table.add_row(" − ".join(key), words)
    return table


def _ends(rate: Interval | None, times: float, digits: int, *, short: bool = False) -> str:
    if rate is None:
        return "–"
    mean, low, high = (f"{times * one:.{digits}f}" for one in (rate.mean, rate.low, rate.high))
    return mean if short else f"{mean} [{low}, {high}]"
