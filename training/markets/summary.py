"""What may be said about policies of the market: cards, means over tasks, paired differences."""

import msgspec

from arena.gpu_market.engine import CODES, COLUMNS
from negotiation.statistics import Interval
from training.evaluation.summing import (
    MILLION,
    Counted,
    Counting,
    Intervals,
    Paired,
    ResultOf,
    SummaryOf,
    Summing,
)
from training.markets.rows import MarketRow

FORMAT = "market-evaluation-summary@1"
CREDIT = 100

COUNTED = (
    "value",
    "energy",
    "paid",
    "received",
    "utility",
    "jobs",
    "finished",
    "contracts",
    "coalitions",
    "breaches",
    "rounds",
    "turns",
)
"""Whole numbers of a row that are summed as they are."""

RATES: dict[str, tuple[str, str, int]] = {
    "reward": ("normalized_reward", "n", MILLION),
    "over_best": ("over_best", "n", MILLION),
    "utility": ("utility", "n", CREDIT),
    "finished": ("finished", "jobs", 1),
    "contracts": ("contracts", "n", 1),
    "coalitions": ("coalitions", "n", 1),
    "breaches": ("breaches", "n", 1),
    "refusals": ("refusals", "n", 1),
    "rounds": ("rounds", "n", 1),
    "turns": ("turns", "n", 1),
    **{name: (name, "n", MILLION) for name in COLUMNS},
}
"""Every number of a card: what is summed, over what, in which unit."""


class MarketCard(msgspec.Struct, frozen=True, kw_only=True):
    """A policy in one task, or its mean over tasks.

    Attributes:
        n: markets.
        games: markets that were drawn from; the intervals rest on them.
        reward: mean return of an episode, the sum of ``normalized_reward``.
        over_best: mean true utility over the value of the best plan.
        utility: mean true utility, credits.
        finished: finished jobs per job.
        contracts: mean trades.
        coalitions: mean memberships.
        breaches: mean broken promises.
        refusals: mean refused actions.
        refused: refused actions in all, by code.
        rounds: mean rounds of a market.
        turns: mean turns the policy took.
        columns: the mean sums of the eleven reward columns.
    """

    n: int
    games: int
    reward: Interval | None
    over_best: Interval | None
    utility: Interval | None
    finished: Interval | None
    contracts: Interval | None
    coalitions: Interval | None
    breaches: Interval | None
    refusals: Interval | None
    refused: dict[str, int]
    rounds: Interval | None
    turns: Interval | None
    columns: dict[str, Interval | None]


class MarketDifference(Paired, frozen=True, kw_only=True):
    """One policy minus another in the same worlds."""

    reward: Interval | None
    over_best: Interval | None


MarketResult = ResultOf[MarketCard]
MarketSummary = SummaryOf[MarketCard, MarketDifference]


def _card(counted: Counted, games: int, rates: Intervals) -> MarketCard:
    return MarketCard(
        n=int(counted["n"]),
        games=games,
        refused={code: int(counted[code]) for code in CODES if counted[code]},
        columns={name: rates[name] for name in COLUMNS},
        **{name: rate for name, rate in rates.items() if name not in COLUMNS},
    )


def _numbers(row: MarketRow) -> tuple[int, ...]:
    return (
        1,
        *(getattr(row, name) for name in COUNTED),
        round(MILLION * row.over_best),
        sum(row.refused.values()),
        *(round(MILLION * getattr(row.columns, name)) for name in COLUMNS),
        *(row.refused.get(code, 0) for code in CODES),
    )


MARKETS = Counting(("n", *COUNTED, "over_best", "refusals", *COLUMNS, *CODES), _numbers)
"""What is counted of markets; shares and rewards in millionths."""

SUMMING = Summing(
    format=FORMAT, counting=MARKETS, rates=RATES, card=_card, difference=MarketDifference
)
"""How markets are summed up."""
