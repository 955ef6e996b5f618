"""Where the games of a suite come from, and one policy through them, one by one or in step."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Generic, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.tasks import make_scenario, suite
from bazaarbatna.envs.bargain.suite_game import Stepped, SuiteGame
from negotiation.policies import BuyerPolicy, Entry
from training.evaluation.rows import EpisodeRow, Row, row_of

Aim = Literal["share", "grade"]
"""What a buyer may play for: its share of the zone, or the suite's official grade."""

Maker = Callable[[int, Aim], BuyerPolicy]
"""Makes a player of one game from the seed of that game and what it plays for."""


class Ceilings(msgspec.Struct, frozen=True, kw_only=True):
    """The players of a suite that are bounds; None where nobody knows one.

    The clairvoyant knows hidden values and luck, the best response how games are drawn and what
    buyers see. Each ``.._how`` says how it is found: "exact ..." or "approximate: ...". With
    ``has_grade`` both can play for the suite's official grade.
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

    @property
    def done(self) -> bool:
        """All bargains are over."""

    @property
    def game(self) -> int:
        """Which bargain is on the table."""

    @property
    def logs(self) -> tuple[Log, ...]:
        """The bargains that are over."""

    def step(self, proposal: object) -> Stepped:
        """Make the buyer's move and the seller's answer."""


class Source(msgspec.Struct, frozen=True):
    """A suite that can be played; ``row`` is what is fixed about it, part of its fingerprint."""

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


AnyRow = TypeVar("AnyRow", bound=Row, covariant=True)
BATCH = 64  # Games in step of a policy that answers many positions at once; it may name its own


class Recording:
    """Keeps the rewards of every bargain; moves go through ``move``."""

    def __init__(self, suite_id: str, seed: int) -> None:
        self.game: SeatedGame = source_of(suite_id).open(seed)
        self._rewards = [0.0]

    def move(self, proposal: object) -> Stepped:
        """Make a move."""
        stepped = self.game.step(proposal)
        self._rewards[-1] += stepped.reward.total
        if stepped.log is not None:
            self._rewards.append(0.0)
        return stepped

    def rows(self, policy: str, version: str) -> tuple[EpisodeRow, ...]:
        """Sum up the bargains that are over."""
        return tuple(
            row_of(
                log,
                seed=self.game.seed,
                game=place,
                policy=policy,
                policy_version=version,
                reward=self._rewards[place],
            )
            for place, log in enumerate(self.game.logs)
        )


class Unit(msgspec.Struct, frozen=True, order=True):
    """The smallest piece of work: one policy in one game of a suite (1 to 10 rows)."""

    policy: str
    suite: str
    seed: int


@runtime_checkable
class ActMany(Protocol):
    """A policy that answers many positions at once, as a model on a GPU does.

    ``batch`` beside it: how many games it likes in step; ``apart``: light enough for several
    processes.
    """

    def act_many(self, observations: Sequence[BuyerObservation]) -> Sequence[object]:
        """Choose one move per observation, in order; what is not legal gets repaired."""


class PlayedOf(msgspec.Struct, Generic[AnyRow], frozen=True):
    """A game of a suite that is over, and its rows."""

    unit: Unit
    rows: tuple[AnyRow, ...]


Played = PlayedOf[EpisodeRow]  # A game of bargains: one row each


class Way(msgspec.Struct, frozen=True):
    """How a policy is played: ``batch`` games in step (0: one by one), ``apart`` in any process."""

    batch: int = 0
    apart: bool = True


def way_of(player: object) -> Way:
    """Ask a policy how it likes to be played."""
    if not isinstance(player, ActMany):
        return Way()
    return Way(int(getattr(player, "batch", BATCH)), bool(getattr(player, "apart", False)))


def play(
    entry: Entry,
    suite_id: str,
    seeds: Sequence[int],
    tick: Callable[[], None] | None = None,
) -> Iterator[Played]:
    """Play one game of a suite per seed; each comes out as soon as it is over, in any order.

    A policy with ``act_many`` meets the games in step and is made once, from the first seed.
    """
    if not seeds:
        return
    player = entry.make(seeds[0])
    if isinstance(player, ActMany):
        yield from _in_step(entry, player, suite_id, seeds, tick)
        return
    for seed in seeds:
        if tick is not None:
            tick()
        table = _Table(entry, suite_id, seed)
        player = entry.make(seed)
        while (seen := table.game.observation) is not None:
            table.move(player.act(seen))
        yield table.played()


def _in_step(
    entry: Entry,
    player: ActMany,
    suite_id: str,
    seeds: Sequence[int],
    tick: Callable[[], None] | None,
) -> Iterator[Played]:
    live = [_Table(entry, suite_id, seed) for seed in seeds]
    while live:
        if tick is not None:
            tick()
        seen = [table.game.observation for table in live]
        moves = player.act_many([one for one in seen if one is not None])
        if len(moves) != len(live):
            raise ValueError(
                f"{entry.name} was asked for {len(live)} moves at once and gave {len(moves)}; "
                "act_many answers one move per observation, in order."
            )
        for table, move in zip(live, moves, strict=True):
            table.move(move)
        yield from (table.played() for table in live if table.game.done)
        live = [table for table in live if not table.game.done]


class _Table(Recording):
    def __init__(self, entry: Entry, suite_id: str, seed: int) -> None:
        super().__init__(suite_id, seed)
        self._entry = entry

    def played(self) -> Played:
        unit = Unit(self._entry.name, self.game.suite_id, self.game.seed)
        return Played(unit, self.rows(self._entry.name, self._entry.version))
