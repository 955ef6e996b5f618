"""An evaluation as tables for a terminal: the means, the lead per suite, neighbours apart."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from rich.table import Table

from bazaarbatna.intervals import Interval
from training.evaluation.plan import SuiteFact
from training.evaluation.summing import MEAN, ResultOf, SummaryOf

NOTHING = "–"


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """How a rate is written; ``times`` is 100 for a share in percent."""

    times: float = 1
    digits: int = 1
    spread: bool = False
    short: bool = False

    def of(self, rate: Interval | None) -> str:
        """Write a rate."""
        if rate is None:
            return NOTHING
        mean, low, high = map(self._number, (rate.mean, rate.low, rate.high))
        return f"{mean} [{low}, {high}]" if self.spread else mean

    def gap(self, rate: Interval, sign: int) -> str:
        """Write a difference with its interval; ``sign`` -1 turns it round."""
        low, high = sorted((sign * rate.low, sign * rate.high))
        told = [f"{self.times * one:+.{self.digits}f}" for one in (sign * rate.mean, low, high)]
        return f"{told[0]} [{told[1]}, {told[2]}]"

    def _number(self, value: float) -> str:
        text = f"{self.times * value:.{self.digits}f}"
        return text.removesuffix(f".{'0' * self.digits}") if self.short else text


class Column(msgspec.Struct, frozen=True):
    """A column of the means: its heading, and which rate stands in it."""

    heading: str
    rate: str
    figure: Figure


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How tables of a domain look; the lead is the rate that its policies are ranked by.

    ``means`` is the first title, with ``{suites}`` and ``{rows}``; ``counted`` heads how many rows
    a difference rests on, empty where that is not told.
    """

    means: str
    columns: tuple[Column, ...]
    suites: str
    name: Callable[[SuiteFact], str]
    figure: Figure
    gaps: str
    counted: str = ""


def tables_of(summary: SummaryOf[Any, Any], lead: str, look: Look) -> Iterator[Table]:
    """Draw the mean over suites, the lead per suite, and what tells neighbours apart."""
    ranked = sorted(summary.policies, key=lambda one: _mean(one, lead), reverse=True)
    yield _means(summary, ranked, look)
    yield _suites(summary, ranked, lead, look)
    yield _differences(summary, ranked, lead, look)


def _mean(result: ResultOf[Any], lead: str) -> float:
    rate: Interval | None = getattr(result.mean, lead)
    return rate.mean if rate else float("-inf")


def _means(summary: SummaryOf[Any, Any], ranked: Sequence[ResultOf[Any]], look: Look) -> Table:
    suites, rows = len(summary.config.suites), ranked[0].mean.n
    table = Table(title=look.means.format(suites=suites, rows=f"{rows:,}"))
    table.add_column("policy", no_wrap=True)
    for column in look.columns:
        table.add_column(column.heading, justify="right")
    for one in ranked:
        cells = [column.figure.of(getattr(one.mean, column.rate)) for column in look.columns]
        table.add_row(one.policy, *cells)
    return table


def _suites(
    summary: SummaryOf[Any, Any], ranked: Sequence[ResultOf[Any]], lead: str, look: Look
) -> Table:
    table = Table(title=look.suites)
    table.add_column("policy", no_wrap=True)
    for suite in summary.config.suites:
        table.add_column(look.name(suite), justify="right")
    for one in ranked:
        cards = [one.suites[suite.id] for suite in summary.config.suites]
        table.add_row(one.policy, *(look.figure.of(getattr(card, lead)) for card in cards))
    return table


def _differences(
    summary: SummaryOf[Any, Any], ranked: Sequence[ResultOf[Any]], lead: str, look: Look
) -> Table:
    found = {(d.first, d.second): d for d in summary.differences if d.suite == MEAN}
    table = Table(title=look.gaps)
    table.add_column("policies")
    table.add_column("difference", justify="right")
    if look.counted:
        table.add_column(look.counted, justify="right")
    for upper, lower in pairwise(ranked):
        key = (upper.policy, lower.policy)
        difference, sign = (found[key], 1) if key in found else (found[key[::-1]], -1)
        gap = getattr(difference, lead)
        if gap is not None:
            counted = [f"{difference.n:,}"] if look.counted else []
            table.add_row(" − ".join(key), look.figure.gap(gap, sign), *counted)
    return table
