"""The three tasks, as a table."""

from typing import Literal, get_args

import msgspec

from arena.gpu_market.engine.errors import UnknownTask

TaskName = Literal["single_trade", "market_round", "coalition_market"]
TASK_NAMES: tuple[TaskName, ...] = get_args(TaskName)

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


TASKS: tuple[Task, ...] = (
    Task("single_trade", (2, 2), 3, 2, 1, coalitions=False, opening_offers=False),
    Task(
        "market_round",
        (3, 3),
        5,
        3,
        2,
        coalitions=True,
        opening_offers=True,
        shocks=((3, "capacity_failure"),),
    ),
    Task(
        "coalition_market",
        (4, 5),
        9,
        4,
        3,
        coalitions=True,
        opening_offers=True,
        shocks=((3, "capacity_failure"), (6, "energy_spike")),
        last=("reliability_degradation", "demand_surge"),
        last_round=8,
        options=((4, "sudden_supply"), (5, "deadline_acceleration"), (7, "emergency_auction")),
    ),
)


def task_of(name: str) -> Task:
    """Look a task up.

    Raises:
        UnknownTask: with the names that exist.

    >>> task_of("market_round").rounds
    5
    """
    for task in TASKS:
        if task.name == name:
            return task
    raise UnknownTask(f"There is no task {name[:40]!r}. Known: {', '.join(TASK_NAMES)}.")
