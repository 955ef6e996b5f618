"""What may be said about an evaluation: cards, means over suites, paired differences."""

from collections.abc import Iterable
from itertools import combinations

import msgspec
import numpy as np

from negotiation.engine.scoring import RESAMPLES, Interval
from training.evaluation.plan import Plan, PolicyFact
from training.evaluation.resampling import Floats, interval, ratio, resampled_sums
from training.evaluation.rows import EpisodeRow
from training.evaluation.tally import COUNTS, MILLION, Tally

FORMAT = "evaluation-summary@1"
METHOD = (
    f"Intervals: 95 % percentile bootstrap, {RESAMPLES} draws of whole suite games (bargains of "
    "one career are drawn together), each suite apart, the same draws for all policies. "
    "The mean over suites weighs every suite alike."
)

RATES: dict[str, tuple[str, str, int]] = {
    "share_of_winnable": ("share", "winnable", MILLION),
    "share_of_deals": ("share", "deals", MILLION),
    "deal_rate": ("deals", "winnable", 1),
    "win_rate": ("wins", "winnable", 1),
    "mutual_loss_rate": ("losses", "winnable", 1),
    "rational_walk_rate": ("rational_walks", "hopeless", 1),
    "rounds": ("rounds", "n", 1),
    "reward": ("reward", "n", MILLION),
}
"""Every number of a card: what is summed, over what, in which unit."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A policy in one suite, or its mean over suites, from the buyer's side.

    Attributes:
        n: bargains.
        games: games of suites that were drawn from; they are what the intervals rest on.
        winnable: bargains with a zone of possible agreement.
        deals: deals among the winnable.
        share_of_winnable: mean buyer share over all winnable bargains, no deal counting 0.
        share_of_deals: mean buyer share over closed deals.
        deal_rate: deals per winnable bargain.
        win_rate: bargains with a share above 0.6 per winnable bargain.
        mutual_loss_rate: winnable bargains without a deal, per winnable bargain.
        rational_walk_rate: bargains without a deal per bargain without a zone.
        rounds: mean rounds of all bargains.
        reward: mean reward of a bargain.

    What no bargain speaks of is None.
    """

    n: int
    games: int
    winnable: int
    deals: int
    share_of_winnable: Interval | None
    share_of_deals: Interval | None
    deal_rate: Interval | None
    win_rate: Interval | None
    mutual_loss_rate: Interval | None
    rational_walk_rate: Interval | None
    rounds: Interval | None
    reward: Interval | None


class PolicyResult(msgspec.Struct, frozen=True, kw_only=True):
    """One policy: its mean over suites and a card per suite, by the suite's id."""

    policy: str
    title: str
    version: str
    kind: str
    mean: Card
    suites: dict[str, Card]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """``first`` minus ``second`` on the same games; ``suite`` is an id, or "mean".

    ``games`` is the number of pairs drawn from, ``n`` the bargains in them.
    """

    first: str
    second: str
    suite: str
    games: int
    n: int
    share_of_winnable: Interval | None
    deal_rate: Interval | None


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """An evaluation in numbers. It holds no time and no machine: same bargains, same bytes."""

    format: str = FORMAT
    config: Plan
    method: str = METHOD
    policies: tuple[PolicyResult, ...]
    differences: tuple[Difference, ...]


def summarise(plan: Plan, rows: Iterable[EpisodeRow]) -> Summary:
    """Sum an evaluation up.

    Args:
        plan: what was played.
        rows: all its bargains, in any order.

    Raises:
        MixedVersions: the rows are not all of the plan's versions and games.
        BrokenRun: bargains are missing or doubled.
    """
    tally = Tally(plan)
    for row in rows:
        tally.add(row)
    drawn = {one.id: resampled_sums(one.id, tally.counts(one.id)) for one in plan.suites}
    stats = {rate: {id_: _statistic(sums, rate) for id_, sums in drawn.items()} for rate in RATES}
    return Summary(
        config=plan,
        policies=tuple(
            _result(plan, number, buyer, drawn, stats) for number, buyer in enumerate(plan.policies)
        ),
        differences=tuple(_differences(plan, stats)),
    )


def to_bytes(summary: Summary) -> bytes:
    """Write a summary as people can read it; the same summary gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(summary), indent=1) + b"\n"


def _statistic(sums: Floats, rate: str) -> Floats:
    """Give a rate of every policy in the sample and all resamples: (1 + RESAMPLES, policies)."""
    part, whole, unit = RATES[rate]
    return ratio(sums[:, :, COUNTS.index(part)], unit * sums[:, :, COUNTS.index(whole)])


def _over_suites(by_suite: dict[str, Floats], policy: int) -> Floats:
    """Average the suites that say something of a policy."""
    columns = [stat[:, policy] for stat in by_suite.values()]
    said = [column for column in columns if not np.isnan(column[0])]
    return np.mean(said, axis=0) if said else np.full(1, np.nan)


def _result(
    plan: Plan,
    number: int,
    buyer: PolicyFact,
    drawn: dict[str, Floats],
    stats: dict[str, dict[str, Floats]],
) -> PolicyResult:
    cards = {}
    for one in plan.suites:
        counted = dict(zip(COUNTS, drawn[one.id][0, number].tolist(), strict=True))
        rates = {rate: interval(stats[rate][one.id][:, number]) for rate in RATES}
        cards[one.id] = _card(counted, one.games, rates)
    total = {name: sum(sums[0, number, place] for sums in drawn.values())
             for place, name in enumerate(COUNTS)}  # fmt: skip
    means = {rate: interval(_over_suites(stats[rate], number)) for rate in RATES}
    games = sum(one.games for one in plan.suites)
    return PolicyResult(
        policy=buyer.name,
        title=buyer.title,
        version=buyer.version,
        kind=buyer.kind,
        mean=_card(total, games, means),
        suites=cards,
    )


def _card(counted: dict[str, float], games: int, rates: dict[str, Interval | None]) -> Card:
    return Card(
        n=int(counted["n"]),
        games=games,
        winnable=int(counted["winnable"]),
        deals=int(counted["deals"]),
        **rates,
    )


def _differences(plan: Plan, stats: dict[str, dict[str, Floats]]) -> Iterable[Difference]:
    names = [buyer.name for buyer in plan.policies]
    for first, second in combinations(range(len(names)), 2):
        for one in plan.suites:
            yield Difference(
                first=names[first],
                second=names[second],
                suite=one.id,
                games=one.games,
                n=one.bargains,
                **{rate: interval(stats[rate][one.id][:, first] - stats[rate][one.id][:, second])
                   for rate in ("share_of_winnable", "deal_rate")},
            )  # fmt: skip
        yield Difference(
            first=names[first],
            second=names[second],
            suite="mean",
            games=sum(one.games for one in plan.suites),
            n=sum(one.bargains for one in plan.suites),
            **{rate: interval(
                _over_suites(stats[rate], first) - _over_suites(stats[rate], second))
               for rate in ("share_of_winnable", "deal_rate")},
        )  # fmt: skip
