"""The seam of evaluations: what is played, by whom, and which numbers a row of it carries.

The rest of an evaluation knows no game; a domain tells it. A suite belongs to the domain whose
prefix its id begins with, and a plan to one domain.
"""

import abc
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec
from rich.table import Table

from training.evaluation.plan import Plan, PolicyFact, SuiteFact
from training.evaluation.playing import PlayedOf, Unit, Way
from training.evaluation.rows import Row
from training.evaluation.summing import SummaryOf, Summing
from training.evaluation.terminal import Look, tables_of

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
