"""Where the games of a suite come from, and the players that are its bounds."""

from collections.abc import Callable
from functools import partial
from typing import Literal, Protocol

import msgspec

from negotiation.engine.log import Log
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.scenario import Scenario
from negotiation.engine.tasks import make_scenario, suite
from negotiation.environment.suite_game import Stepped, SuiteGame
from negotiation.policies import BuyerPolicy

Aim = Literal["share", "grade"]
"""What a buyer may play for: its share of the zone, or the suite's official grade."""

Maker = Callable[[int, Aim], BuyerPolicy]
"""Makes a player of one game from the seed of that game and what it plays for."""


class Ceilings(msgspec.Struct, frozen=True, kw_only=True):
    """The players of a suite that are bounds; None where nobody knows one.

    Attributes:
        clairvoyant: knows the game's hidden values and luck.
        best_response: knows how games are drawn, and sees what buyers see.
        clairvoyant_how, best_response_how: how each is found, in a few words: "exact ..." or
            "approximate: ...".
        has_grade: the suite has an official grade, which both can play for.
    """

    clairvoyant: Maker | None = None
    best_response: Maker | None = None
    clairvoyant_how: str = ""
    best_response_how: str = ""
    has_grade: bool = False


class SeatedGame(Protocol):
    """A buyer's seat in all bargains of one game; ``SuiteGame`` says what each part means."""

    suite_id: str
    seed: int
    games: int

    @property
    def observation(self) -> BuyerObservation | None:
        """What the buyer sees before its next move; None when all is over."""
        ...

    @property
    def done(self) -> bool:
        """All bargains are over."""
        ...

    @property
    def game(self) -> int:
        """Which bargain is on the table."""
        ...

    @property
    def logs(self) -> tuple[Log, ...]:
        """The bargains that are over."""
        ...

    def step(self, proposal: object) -> Stepped:
        """Make the buyer's move and the seller's answer."""
        ...


class Source(msgspec.Struct, frozen=True):
    """A suite that can be played.

    Attributes:
        row: what is fixed about it; part of its fingerprint.
        ceilings: how good a buyer could be; None where nobody knows.
    """

    title: str
    episodes: int
    row: object
    deal: Callable[[int], Scenario]
    open: Callable[[int], SeatedGame]
    ceilings: Ceilings | None = None


Finder = Callable[[str], Source | None]
"""Looks a suite's id up in one table; None where it is not of that table."""

_finders: dict[str, Finder] = {}


def register_suites(table: str, find: Finder) -> None:
    """Let a table of suites be played; registered again, it is replaced."""
    _finders[table] = find


def source_of(id_: str) -> Source:
    """Look a suite up."""
    for find in _finders.values():
        if (found := find(id_)) is not None:
            return found
    return engine_source(id_)


def engine_source(id_: str) -> Source:
    """Return a suite of the engine's table."""
    row = suite(id_)
    return Source(
        row.title, row.episodes, row, partial(make_scenario, id_), partial(SuiteGame, id_)
    )
