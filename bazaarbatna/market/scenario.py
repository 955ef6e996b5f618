"""Where an episode starts: its task, what everybody sees, and what stays sealed until it ends."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from bazaarbatna.market.blocks import Block, Job, Offer
from bazaarbatna.market.errors import UnknownTask
from bazaarbatna.market.quantities import Cents, LabId
from bazaarbatna.word_tables import read_table

TaskName = Literal["single_trade", "market_round", "coalition_market", "first_trade"]
TASK_NAMES: tuple[TaskName, ...] = ("single_trade", "market_round", "coalition_market")
"""What is drawn from a seed; ``first_trade`` is made by hand (``first_trade.make_first_trade``)."""

ShockKind = Literal[
    "capacity_failure",
    "energy_spike",
    "reliability_degradation",
    "demand_surge",
    "sudden_supply",
    "deadline_acceleration",
    "emergency_auction",
]
SHOCK_KINDS: tuple[ShockKind, ...] = get_args(ShockKind)


class Task(msgspec.Struct, frozen=True):
    """What is fixed about a task.

    ``labs`` is the least and the largest number of labs; ``shocks`` are pairs of a round and a
    kind; ``last`` strikes in ``last_round``, one kind for even and one for odd seeds; ``options``
    may be switched on, each with its round.
    """

    name: TaskName
    labs: tuple[int, int]
    rounds: int
    blocks: int
    jobs: int
    coalitions: bool
    opening_offers: bool
    shocks: tuple[tuple[int, ShockKind], ...] = ()
    last: tuple[ShockKind, ShockKind] | None = None
    last_round: int = 0
    options: tuple[tuple[int, ShockKind], ...] = ()


class _Tasks(msgspec.Struct, frozen=True):
    task: tuple[Task, ...]


TASKS = read_table(Path(__file__).with_name("tasks.toml"), _Tasks).task


def task_of(name: str) -> Task:
    """Look a task up.

    >>> task_of("market_round").rounds
    5
    """
    for task in TASKS:
        if task.name == name:
            return task
    raise UnknownTask(f"There is no task {name[:40]!r}. Known: {', '.join(TASK_NAMES)}.")


Archetype = Literal["cooperative", "selfish", "deadline_panicked", "deceptive", "retaliatory"]
RewardMix = Literal["default", "published"]

HOUSE: LabId = "house"
"""Who sells in an emergency auction; plays no turn and wants nothing."""


class LabCard(msgspec.Struct, frozen=True, gc=False):
    """What everybody knows of a lab at the start; ``reputation`` is 0..1."""

    id: LabId
    name: str
    reputation: float


class Shock(msgspec.Struct, frozen=True, gc=False):
    """What will strike when ``round`` begins; ``pick`` (0..1) chooses whom, where it must."""

    round: int
    kind: ShockKind
    pick: float


class MarketSealed(msgspec.Struct, frozen=True, gc=False):
    """What stays closed until the end. Never printed, logged or sent before.

    ``budgets`` in hundredths of a credit, ``jobs`` and ``archetypes`` have one entry per lab;
    ``surge`` is the job each lab gets in a demand surge, ``spare`` the blocks that supply and
    auction bring, by place in ``shocks`` order; ``seed`` gives the luck of the scripted labs.
    ``strictness`` (``with_strictness``) moves what scripted labs ask for, one number per lab; unset
    it is not written, so that what was committed to without it stays as it was.
    """

    seed: int
    budgets: tuple[Cents, ...]
    jobs: tuple[tuple[Job, ...], ...]
    archetypes: tuple[Archetype, ...]
    shocks: tuple[Shock, ...] = ()
    surge: tuple[Job, ...] = ()
    spare: tuple[Block, ...] = ()
    strictness: tuple[float, ...] | msgspec.UnsetType = msgspec.UNSET

    def __repr__(self) -> str:
        return "MarketSealed(...)"


class Rules(msgspec.Struct, frozen=True, gc=False):
    """Which holes of the published environment are closed.

    ``consent``: nobody joins a coalition unasked. ``windows``: a block runs only from its start
    for its duration. ``pooling``: members may use what is committed to their coalition.
    """

    consent: bool = True
    windows: bool = True
    pooling: bool = True


CLOSED, OPEN_HOLES = Rules(), Rules(consent=False, windows=False, pooling=False)


class MarketScenario(msgspec.Struct, frozen=True, gc=False):
    """Everything that is fixed before the first action.

    ``blocks`` and ``offers`` are those of the opening; ``reward`` chooses the reward mix and with
    it the rules; ``salt`` makes the commitment to ``sealed`` unguessable.
    """

    task: TaskName
    rounds: int
    labs: tuple[LabCard, ...]
    blocks: tuple[Block, ...]
    offers: tuple[Offer, ...]
    coalitions: bool
    sealed: MarketSealed
    salt: str
    reward: RewardMix = "default"

    @property
    def rules(self) -> Rules:
        """The rules that go with the reward mix."""
        return CLOSED if self.reward == "default" else OPEN_HOLES


def without_shocks(scenario: MarketScenario) -> MarketScenario:
    """Return the same world in which nothing strikes: the twin that shows what shocks cost."""
    calm = msgspec.structs.replace(scenario.sealed, shocks=(), surge=(), spare=())
    return msgspec.structs.replace(scenario, sealed=calm)


MOST_STRICT = 0.15
"""Beyond it an archetype would behave like its neighbour in the table."""


def with_strictness(scenario: MarketScenario, strictness: Sequence[float]) -> MarketScenario:
    """Return the same world and luck with scripted labs that are harder to please."""
    if len(strictness) != len(scenario.labs):
        raise ValueError(f"There are {len(scenario.labs)} labs; give each one number.")
    if not all(abs(one) <= MOST_STRICT for one in strictness):
        raise ValueError(f"Strictness is from -{MOST_STRICT} to {MOST_STRICT}.")
    sealed = msgspec.structs.replace(scenario.sealed, strictness=tuple(strictness))
    return msgspec.structs.replace(scenario, sealed=sealed)
