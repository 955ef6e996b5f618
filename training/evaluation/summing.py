"""Rates of any domain with their intervals: in a suite, over suites, and differences of two."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from bazaarbatna.intervals import RESAMPLES, Floats, Interval, interval, ratio, resampled_sums
from negotiation.sentences import sentences
from training.evaluation import BrokenRun, MixedVersions
from training.evaluation.plan import Plan, SuiteFact
from training.evaluation.rows import Row

say = sentences(__file__)

MILLION = 1_000_000

Counts = npt.NDArray[np.float64]
"""Shape (games, policies, counts); whole numbers below 2**53, so that sums are exact."""

MEAN = "mean"  # Stands for all suites where a difference names its suite

METHOD = say.text("method")
assert str(RESAMPLES) in METHOD

AnyCard = TypeVar("AnyCard")
AnyDifference = TypeVar("AnyDifference", bound="Paired")

Rates = Mapping[str, tuple[str, str, int]]
"""Every rate of a card: which count is summed, over which, in which unit."""

Counted = dict[str, float]
Intervals = dict[str, Interval | None]


class Counting(msgspec.Struct, frozen=True):
    """What is counted of a row: ``numbers`` gives one whole number for each of ``names``.

    ``of_games`` gets a suite's id and counts, and adds to them what can only be said of whole
    games.
    """

    names: tuple[str, ...]
    numbers: Callable[[Any], tuple[int, ...]]
    of_games: Callable[[str, Counts], None] | None = None


class Tally:
    """Takes the rows of a plan in any order and keeps only their counts."""

    def __init__(self, plan: Plan, counting: Counting) -> None:
        self._plan = plan
        self._suites = {one.id: _SuiteTally(plan, one, counting) for one in plan.suites}

    def add(self, row: Row) -> None:
        """Count a row; BrokenRun when it is not of this plan, or counted already."""
        suite = self._suites.get(row.suite)
        if suite is None:
            raise BrokenRun(f"A row of {row.suite} is not of this run.")
        suite.add(row)

    def counts(self, suite_id: str) -> Counts:
        """Return the counts of a suite: (games, policies, counts), in the order of the plan."""
        return self._suites[suite_id].counts()


class _SuiteTally:
    def __init__(self, plan: Plan, fact: SuiteFact, counting: Counting) -> None:
        policies, in_a_row = len(plan.policies), fact.bargains // fact.games
        self._first, self._fact = plan.seed, fact
        self._numbers, self._of_games = counting.numbers, counting.of_games
        self._place = {buyer.name: number for number, buyer in enumerate(plan.policies)}
        self._versions = {buyer.name: buyer.version for buyer in plan.policies}
        self._counts = np.zeros((fact.games, policies, len(counting.names)))
        self._seen = np.zeros((fact.games, in_a_row, policies), dtype=bool)
        self._dealt: dict[tuple[int, int], tuple[int, ...]] = {}

    def add(self, row: Row) -> None:
        fact, unit, game = self._fact, row.seed - self._first, row.game
        policy = self._place.get(row.policy)
        is_ours = 0 <= unit < fact.games and 0 <= game < self._seen.shape[1]
        if policy is None or not is_ours or self._seen[unit, game, policy]:
            raise BrokenRun(
                f"{fact.id}: the row of {row.policy}, seed {row.seed}, place {game}, is "
                "doubled or not of this run."
            )
        self._check_versions(row)
        self._check_pairs(row, unit)
        self._seen[unit, game, policy] = True
        self._counts[unit, policy] += self._numbers(row)

    def counts(self) -> Counts:
        there, wanted = int(self._seen.sum()), self._seen.size
        if there != wanted:
            raise BrokenRun(
                f"{self._fact.id} has {there} rows of {wanted}; finish the run with --resume."
            )
        counts = self._counts.copy()
        if self._of_games is not None:
            self._of_games(self._fact.id, counts)
        return counts

    def _check_versions(self, row: Row) -> None:
        for what, found, pinned in (
            ("the opponent", row.opponent, self._fact.seller),
            (f"the policy {row.policy}", row.policy_version, self._versions[row.policy]),
        ):
            if found != pinned:
                raise MixedVersions(
                    f"{row.suite} holds results of two versions of {what}: {pinned} and {found}. A "
                    "table never mixes versions; evaluate all policies anew in one run."
                )

    def _check_pairs(self, row: Row, unit: int) -> None:
        if self._dealt.setdefault((unit, row.game), row.dealt) != row.dealt:
            raise MixedVersions(
                f"In {row.suite}, seed {row.seed}, {row.policy} met another game than the others: "
                "differences would not be paired. Evaluate all policies anew in one run."
            )


class ResultOf(msgspec.Struct, Generic[AnyCard], frozen=True, kw_only=True):
    """One policy: its mean over suites and a card per suite, by the suite's id."""

    policy: str
    title: str
    version: str
    kind: str
    mean: AnyCard
    suites: dict[str, AnyCard]


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """``first`` minus ``second`` on the same games; ``suite`` is an id, or "mean".

    ``n`` rows in ``games`` pairs; a domain adds the rates that it compares.
    """

    first: str
    second: str
    suite: str
    games: int
    n: int


class SummaryOf(msgspec.Struct, Generic[AnyCard, AnyDifference], frozen=True, kw_only=True):
    """An evaluation in numbers. It holds no time and no machine: same rows, same bytes."""

    format: str
    config: Plan
    method: str = METHOD
    policies: tuple[ResultOf[AnyCard], ...]
    differences: tuple[AnyDifference, ...]


class Sums:
    """All rows of a plan, counted, and all rates in the sample and in its resamples."""

    def __init__(self, plan: Plan, counting: Counting, rates: Rates, rows: Iterable[Row]) -> None:
        tally = Tally(plan, counting)
        for row in rows:
            tally.add(row)
        self._plan, self._names, self._rates = plan, counting.names, rates
        self._drawn = {one.id: resampled_sums(one.id, tally.counts(one.id)) for one in plan.suites}
        self._stats = {
            rate: {id_: self._statistic(sums, rate) for id_, sums in self._drawn.items()}
            for rate in rates
        }

    def results(
        self, card: Callable[[Counted, int, Intervals], AnyCard]
    ) -> tuple[ResultOf[AnyCard], ...]:
        """Make the cards of all policies."""
        games = sum(one.games for one in self._plan.suites)
        return tuple(
            ResultOf(
                policy=one.name,
                title=one.title,
                version=one.version,
                kind=one.kind,
                mean=card(self._total(number), games, self._mean_rates(number)),
                suites={
                    suite.id: card(
                        self._counted(number, suite.id),
                        suite.games,
                        self._rates_in(number, suite.id),
                    )
                    for suite in self._plan.suites
                },
            )
            for number, one in enumerate(self._plan.policies)
        )

    def differences(self, make: type[AnyDifference]) -> Iterator[AnyDifference]:
        """Subtract every later policy from every earlier one, per suite and in the mean."""
        suites = self._plan.suites
        wanted = [rate for rate in make.__struct_fields__ if rate not in Paired.__struct_fields__]
        for (first, one), (second, other) in combinations(enumerate(self._plan.policies), 2):
            for suite in suites:
                found = {rate: self._stats[rate][suite.id] for rate in wanted}
                yield make(
                    first=one.name,
                    second=other.name,
                    suite=suite.id,
                    games=suite.games,
                    n=suite.bargains,
                    **{rate: interval(stat[:, first] - stat[:, second])
                       for rate, stat in found.items()},
                )  # fmt: skip
            yield make(
                first=one.name,
                second=other.name,
                suite=MEAN,
                games=sum(suite.games for suite in suites),
                n=sum(suite.bargains for suite in suites),
                **{rate: interval(self._over_suites(rate, first) - self._over_suites(rate, second))
                   for rate in wanted},
            )  # fmt: skip

    def _counted(self, policy: int, suite: str) -> Counted:
        return dict(zip(self._names, self._drawn[suite][0, policy].tolist(), strict=True))

    def _total(self, policy: int) -> Counted:
        return {name: sum(sums[0, policy, place] for sums in self._drawn.values())
                for place, name in enumerate(self._names)}  # fmt: skip

    def _rates_in(self, policy: int, suite: str) -> Intervals:
        return {rate: interval(stat[suite][:, policy]) for rate, stat in self._stats.items()}

    def _mean_rates(self, policy: int) -> Intervals:
        return {rate: interval(self._over_suites(rate, policy)) for rate in self._rates}

    def _statistic(self, sums: Floats, rate: str) -> Floats:
        # Of every policy in sample and resamples: (1 + RESAMPLES, policies).
        part, whole, unit = self._rates[rate]
        place = self._names.index
        return ratio(sums[:, :, place(part)], unit * sums[:, :, place(whole)])

    def _over_suites(self, rate: str, policy: int) -> Floats:
        columns = [stat[:, policy] for stat in self._stats[rate].values()]
        said = [column for column in columns if not np.isnan(column[0])]
        return np.mean(said, axis=0) if said else np.full(1, np.nan)


class Summing(msgspec.Struct, Generic[AnyCard, AnyDifference], frozen=True, kw_only=True):
    """How a domain sums its rows up; ``card`` makes one of counts, number of games and rates."""

    format: str
    counting: Counting
    rates: Rates
    card: Callable[[Counted, int, Intervals], AnyCard]
    difference: type[AnyDifference]

    def summarise(self, plan: Plan, rows: Iterable[Row]) -> SummaryOf[AnyCard, AnyDifference]:
        """Sum an evaluation up.

        Raises:
            MixedVersions: the rows are not all of the plan's versions and games.
            BrokenRun: rows are missing or doubled.
        """
        sums = Sums(plan, self.counting, self.rates, rows)
        return SummaryOf(
            format=self.format,
            config=plan,
            policies=sums.results(self.card),
            differences=tuple(sums.differences(self.difference)),
        )


def to_bytes(summary: SummaryOf[AnyCard, AnyDifference]) -> bytes:
    """Write a summary as people can read it; the same summary gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(summary), indent=1) + b"\n"
