"""The market's baselines for ``/market/``: a table with whiskers, and the published mix.

The market's own room knows nothing of evaluations; its page asks the tag ``market_baselines``.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.safestring import SafeString

from negotiation.statistics import Interval
from negotiation.ttl_cache import cached
from training.evaluation.domain import domain_of_plan
from training.figures import number_text
from training.market_whiskers import Whisker, whiskers
from training.markets.elsewhere import ELSEWHERE, Elsewhere
from training.markets.newest import Published, newest
from training.markets.players import MODEL, title_of
from training.markets.summary import MarketCard, MarketResult

LOOK_EVERY_S = 10.0
MEAN = "Mean over tasks"

COLUMNS: tuple[tuple[str, str, float, int, str], ...] = (
    ("Over the best plan", "over_best", 1.0, 2, ""),
    ("Utility, credits", "utility", 1.0, 1, ""),
    ("Jobs done", "finished", 100.0, 0, "\N{NO-BREAK SPACE}%"),
    ("Contracts", "contracts", 1.0, 2, ""),
    ("Coalitions", "coalitions", 1.0, 2, ""),
    ("Refused", "refusals", 1.0, 2, ""),
)
"""Heading, rate, times, decimals, unit."""


class Cell(msgspec.Struct, frozen=True):
    """A mean and its 95 % interval, in words."""

    heading: str
    text: str
    low: str
    high: str


class Line(msgspec.Struct, frozen=True):
    """One policy: ``returns`` are the mean over tasks and one per task, ``others`` the rest."""

    policy: str
    title: str
    version: str
    returns: tuple[Cell, ...]
    others: tuple[Cell, ...]


class Baselines(msgspec.Struct, frozen=True):
    """An evaluation as the page shows it; ``lines`` best first, ``charts`` titled."""

    run: str
    receipt: str
    seeds: int
    first_seed: int
    command: str
    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    charts: tuple[tuple[str, SafeString], ...]


class Beside(msgspec.Struct, frozen=True):
    """A policy there and here, as texts; ``""`` where it did not play.

    ``ours`` is what the nearest policy here is called, where that is another name.
    """

    title: str
    ours: str
    theirs: tuple[str, ...]
    same_seeds: tuple[str, ...]
    many_seeds: tuple[str, ...]


class Comparison(msgspec.Struct, frozen=True):
    """The published mix there and here; ``words`` say whether the orders agree."""

    headings: tuple[str, ...]
    rows: tuple[Beside, ...]
    words: tuple[str, ...]
    few: str
    many: str
    few_seeds: int
    many_seeds: int


def market_figures() -> dict[str, Any]:
    """Gather what the page shows, made at most every few seconds; None for what nobody ran yet."""
    return cached("market-figures", LOOK_EVERY_S, _figures)


def _figures() -> dict[str, Any]:
    # Scripts alone, where somebody measured them alone: trained labs have a section of their own.
    ours = newest("default", trained=False) or newest("default")
    few, many = newest("published", small=True), newest("published")
    return {
        "baselines": baselines_of(ours) if ours else None,
        "comparison": comparison_of(few, many) if few and many else None,
    }


def baselines_of(found: Published, place: str = "market") -> Baselines:
    """Write an evaluation for the page.

    Args:
        found: the evaluation.
        place: tells its drawings from others on one page.
    """
    ranked = sorted(found.rows, key=lambda one: -_mean(one.mean))
    suites = found.made.suites
    headings = (MEAN, *(suite.title for suite in suites))
    charts = [("mean", MEAN, [one.mean for one in ranked])]
    charts += [(f"of-{place}", suite.title, [one.suites[suite.id] for one in ranked])
               for place, suite in enumerate(suites)]  # fmt: skip
    return Baselines(
        run=found.run,
        receipt=reverse("receipt", args=[found.run]),
        seeds=found.made.episodes,
        first_seed=found.made.seed,
        command=domain_of_plan(found.made).command(found.made),
        headings=headings,
        lines=tuple(_line(one, headings, [suite.id for suite in suites]) for one in ranked),
        charts=tuple(
            (title, _chart(f"{place}-{key}", title, ranked, cards)) for key, title, cards in charts
        ),
    )


def comparison_of(few: Published, many: Published) -> Comparison:
    """Set the published figures beside ours under the same mix.

    Args:
        few: as many seeds as they had.
        many: enough seeds to tell.
    """
    here, more = ({row.policy: row for row in one.rows} for one in (few, many))
    named = {one.policy for one in ELSEWHERE}
    rows = [
        Beside(
            one.title,
            _other_name(one),
            _theirs(one),
            _ours(here.get(one.policy), few),
            _ours(more.get(one.policy), many),
        )
        for one in ELSEWHERE
    ]
    rows += [
        Beside(row.title, "", (), _ours(here.get(row.policy), few), _ours(row, many))
        for row in sorted(many.rows, key=lambda one: -_mean(one.mean))
        if row.policy not in named
    ]
    return Comparison(
        headings=("All", *(suite.title.split()[0] for suite in many.made.suites)),
        rows=tuple(rows),
        words=tuple(order_words(many.rows)),
        few=reverse("receipt", args=[few.run]),
        many=reverse("receipt", args=[many.run]),
        few_seeds=few.made.episodes,
        many_seeds=many.made.episodes,
    )


def _other_name(one: Elsewhere) -> str:
    ours = title_of(one.policy) if one.policy else ""
    return "" if ours == one.title else ours


def order_words(rows: Sequence[MarketResult]) -> Iterator[str]:
    """Say what the published mix makes of the policies both have, and of those that exploit it."""
    means = {row.policy: _mean(row.mean) for row in rows}
    theirs = [one.policy for one in ELSEWHERE if one.policy in means]
    ours = sorted(theirs, key=lambda name: -means[name])
    if not ours:
        return
    yield f"There: {_listed(theirs)}."
    yield f"Here: {_listed(ours)}."
    if ours == theirs:
        yield "The order is the same."
    else:
        first = "The same policy is first" if ours[0] == theirs[0] else "Another policy is first"
        last = "the same is last" if ours[-1] == theirs[-1] else "another is last"
        yield f"{first} and {last}."
    above = [one for one in means if one not in theirs and means[one] > means[ours[0]]]
    if above:
        best = _listed(sorted(above, key=lambda name: -means[name]))
        yield f"Above the first of them here, by holes of the mix or by planning: {best}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(title_of(name).lower() for name in names)


def _mean(card: MarketCard) -> float:
    return card.reward.mean if card.reward else 0.0


def _line(result: MarketResult, headings: Sequence[str], suites: Sequence[str]) -> Line:
    cards = (result.mean, *(result.suites[suite] for suite in suites))
    return Line(
        policy=result.policy,
        title=result.title,
        version=result.version,
        returns=tuple(_cell(name, card.reward, 1.0, 2, "")
                      for name, card in zip(headings, cards, strict=True)),
        others=tuple(_cell(heading, getattr(result.mean, rate), times, digits, unit)
                     for heading, rate, times, digits, unit in COLUMNS),
    )  # fmt: skip


def _cell(heading: str, rate: Interval | None, times: float, digits: int, unit: str) -> Cell:
    if rate is None:
        return Cell(heading, "–", "", "")
    mean, low, high = (number_text(times * one, digits) for one in (rate.mean, rate.low, rate.high))
    return Cell(heading, f"{mean}{unit}", low, high)


def _chart(
    key: str, title: str, ranked: Sequence[MarketResult], cards: Sequence[MarketCard]
) -> SafeString:
    rows = [
        Whisker(result.title, card.reward, result.kind == MODEL)
        for result, card in zip(ranked, cards, strict=True)
        if card.reward is not None
    ]
    return whiskers(f"Return: {title}", rows, key=key)


def _theirs(one: Elsewhere) -> tuple[str, ...]:
    tasks = one.tasks or (None, None, None)
    return tuple("–" if value is None else number_text(value, 3) for value in (one.overall, *tasks))


def _ours(result: MarketResult | None, found: Published) -> tuple[str, ...]:
    if result is None:
        return ()
    cards = (result.mean, *(result.suites[suite.id] for suite in found.made.suites))
    return tuple(number_text(_mean(card), 3) for card in cards)
