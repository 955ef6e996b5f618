"""The seam of evaluations: what is played, by whom, and which numbers a row of it carries.

The rest of an evaluation knows no game; a domain tells it. A suite belongs to the domain whose
prefix its id begins with, and a plan to one domain.
"""

import abc
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec
from rich.table import Table

from bazaarbatna.intervals import Interval
from training.evaluation.plan import Plan, PolicyFact, SuiteFact
from training.evaluation.playing import PlayedOf, Unit, Way
from training.evaluation.rows import Row
from training.evaluation.summing import MEAN, ResultOf, SummaryOf, Summing

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


Tick = Callable[[], None]


class Shown(msgspec.Struct, frozen=True):
    """A number of a card as tables show it: ``percent`` of a share, or a plain ``number``."""

    heading: str
    rate: str
    style: Literal["percent", "number"] = "percent"


class Domain(abc.ABC):
    """A kind of game that policies are evaluated in.

    ``prefix`` begins the ids of its suites (the empty one takes the rest), ``kind`` is that of its
    runs, ``first_seed`` what ``--seed 0`` means, ``lead`` the rate that policies are ranked by, and
    ``rooms`` the files and folders of code that decide how it is played.
    """

    prefix: str
    kind: str
    unit: str
    player: str
    players: str
    row: type[Row]
    summary: Any
    summing: Summing[Any, Any]
    look: Look
    first_seed: int = 0
    lead: str
    lead_words: str
    shown: tuple[Shown, ...]
    rooms: tuple[str, ...]

    @abc.abstractmethod
    def knows(self, suite: str) -> bool:
        """Whether a word of ``--suites`` means suites of this domain."""

    @abc.abstractmethod
    def make_plan(
        self,
        policies: list[str],
        suites: list[str],
        *,
        episodes: int,
        seed: int,
        variant: str | None,
        commit: str,
    ) -> Plan:
        """Check what was asked and write it down; BadPlan says what would be right."""

    @abc.abstractmethod
    def policy(self, name: str) -> PolicyFact:
        """Describe a policy as it is now; UnknownPolicy when there is none."""

    @abc.abstractmethod
    def fact(self, suite: str, episodes: int) -> SuiteFact:
        """Pin a suite as it is now; UnknownSuite when there is none."""

    @abc.abstractmethod
    def rows_in(self, suite: str) -> int:
        """Count the rows of one game of a suite."""

    @abc.abstractmethod
    def way(self, policy: str) -> Way:
        """Return how a policy likes to be played."""

    @abc.abstractmethod
    def play(
        self, policy: str, suite: str, seeds: Sequence[int], tick: Tick | None = None
    ) -> Iterator[PlayedOf[Row]]:
        """Play one game of a suite per seed; each comes out as soon as it is over."""

    @abc.abstractmethod
    def words_of_policies(self) -> Iterator[tuple[str, list[str]]]:
        """List words that stand for several policies in ``--policies``, with their names."""

    @abc.abstractmethod
    def words_of_suites(self) -> Iterator[tuple[str, list[str]]]:
        """List words that stand for several suites after ``--suites``, with their ids."""

    def read_row(self, line: bytes) -> Row:
        """Read a row of this domain."""
        return msgspec.json.decode(line, type=self.row)

    def summarise(self, plan: Plan, rows: Iterable[Row]) -> SummaryOf[Any, Any]:
        """Sum an evaluation up.

        Raises:
            MixedVersions: the rows are not all of the plan's versions and games.
            BrokenRun: rows are missing or doubled.
        """
        return self.summing.summarise(plan, rows)

    def tables(self, summary: SummaryOf[Any, Any]) -> Iterator[Table]:
        """Draw the means, the lead per suite, and what tells neighbours apart."""
        return tables_of(summary, self.lead, self.look)

    def command(self, plan: Plan) -> str:
        """Write the command that plays a plan, in words that stand for many where there are."""
        players = _shortest([one.name for one in plan.policies], self.words_of_policies())
        suites = _shortest([one.id for one in plan.suites], self.words_of_suites())
        return (
            f"python manage.py evaluate --policies {players} --suites {suites} "
            f"--episodes {plan.episodes} --seed {plan.seed - self.first_seed}"
        )


def _shortest(names: list[str], words: Iterable[tuple[str, list[str]]]) -> str:
    return next((word for word, meant in words if meant == names), ",".join(names))


_domains: dict[str, Domain] = {}


def register_domain(domain: Domain) -> None:
    """Let a domain be evaluated; registered again, it is replaced."""
    _domains[domain.prefix] = domain


def domain_of(suite: str) -> Domain:
    """Find the domain of a suite by its id."""
    return _domains[max((one for one in _domains if suite.startswith(one)), key=len)]


def domain_of_plan(plan: Plan) -> Domain:
    """Find what a plan plays; all its suites are of one domain."""
    return domain_of(plan.suites[0].id if plan.suites else "")


def domain_of_words(suites: Iterable[str]) -> list[Domain]:
    """List the domains that words of ``--suites`` mean, each once."""
    first_longest = sorted(_domains.values(), key=lambda domain: -len(domain.prefix))
    found = [next(domain for domain in first_longest if domain.knows(word)) for word in suites]
    return list(dict.fromkeys(found))


def read_row(line: bytes) -> Row:
    """Read a row of any domain."""
    return domain_of(_head.decode(line).suite).read_row(line)


def play_unit(unit: Unit) -> PlayedOf[Row]:
    """Play one game again."""
    return next(domain_of(unit.suite).play(unit.policy, unit.suite, [unit.seed]))


class _Head(msgspec.Struct, frozen=True):
    suite: str


_head = msgspec.json.Decoder(_Head)
