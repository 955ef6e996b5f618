"""The suites of the market: which worlds are held out, and what their best plans are worth."""

from collections.abc import Callable
from functools import lru_cache
from random import Random

import msgspec

from arena.gpu_market.engine import (
    MarketScenario,
    Normaliser,
    make_market,
    task_of,
    with_strictness,
)
from arena.gpu_market.engine.scenario import RewardMix
from arena.gpu_market.engine.tasks import TASKS, Task
from arena.gpu_market.planner import normaliser_of
from negotiation.engine.errors import UnknownSuite

PREFIX = "market:"
NUMBER = 1
"""Of the table of suites; another one when worlds are drawn in another way."""

HELD_OUT = 50_000
"""Seeds from here on are for evaluations; nothing is trained on them."""

LEARNER = 0
"""The lab that is evaluated; all others follow their archetypes."""

VARIED = 0.10
"""How far the strictness of the other labs goes either way."""

BEST: Callable[[MarketScenario], Normaliser] = normaliser_of
"""Chooses what a return of 1 stands for: the value of the best plan of a seed."""

REWARDS: tuple[RewardMix, ...] = ("default", "published")

REMEMBERED = 2048
"""Worlds whose best plan is kept: every policy meets the same ones."""


class MarketSuite(msgspec.Struct, frozen=True):
    """A task under a reward mix, and with it under its rules."""

    task: Task
    reward: RewardMix

    @property
    def id(self) -> str:
        """Its name with reward mix and number of the table."""
        return f"{PREFIX}{self.task.name}@{self.reward}-{NUMBER}"

    @property
    def title(self) -> str:
        """For people."""
        words = self.task.name.replace("_", " ").capitalize()
        return words if self.reward == "default" else f"{words}, published mix"


SUITES: tuple[MarketSuite, ...] = tuple(
    MarketSuite(task, reward) for reward in REWARDS for task in TASKS
)


def suite_of(id_: str) -> MarketSuite:
    """Look a suite up.

    Raises:
        UnknownSuite: there is none of that id.
    """
    for one in SUITES:
        if one.id == id_:
            return one
    raise UnknownSuite(f"There is no suite {id_[:60]!r}.")


@lru_cache(maxsize=REMEMBERED)
def deal(suite: str, seed: int) -> tuple[MarketScenario, int]:
    """Draw a world with opponents of its own.

    The luck of the strictness is no luck of the world's: with or without it, all else is the same.

    Returns:
        The scenario, and the value of its best plan for the learner in hundredths of a credit.

    Raises:
        UnknownSuite: there is none of that id.
    """
    row = suite_of(suite)
    world = make_market(row.task.name, seed, reward=row.reward)
    # Seeded by words: Python gives the same numbers for them on every machine.
    draw = Random(f"strictness {row.task.name} {seed}").random
    varied = tuple(round(VARIED * (2 * draw() - 1), 3) for _ in world.labs)
    world = with_strictness(world, varied)
    return world, round(BEST(world)(world, LEARNER))


def tasks_named(name: str) -> list[Task]:
    """Return the tasks that a word of ``--suites`` means: "market", or "market:" and a task.

    Raises:
        UnknownTask: there is no such task.
    """
    return list(TASKS) if name == PREFIX[:-1] else [task_of(name.removeprefix(PREFIX))]
