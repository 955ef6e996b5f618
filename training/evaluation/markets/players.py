"""Who can be evaluated in the market, with a version that follows from how it plays."""

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from random import Random

import msgspec

from arena.gpu_market.trained.seat import TRAINED_LABS
from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.market import (
    Malformed,
    MarketAction,
    MarketScenario,
    Normaliser,
    Observation,
    make_market,
    task_of,
    with_strictness,
)
from bazaarbatna.market.planner import normaliser_of
from bazaarbatna.market.playing import Player, play_market
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, make_policy, names
from bazaarbatna.market.scenario import TASKS, RewardMix, Task
from negotiation.policies import UnknownPolicy
from training.evaluation import BadPlan
from training.evaluation.plan import PolicyFact

PREFIX = "market:"
NUMBER = 1  # Of the table of suites; another one when worlds are drawn in another way
HELD_OUT = 50_000  # Seeds from here on are for evaluations; nothing is trained on them
LEARNER = 0  # The lab that is evaluated; all others follow their archetypes
VARIED = 0.10  # How far the strictness of the other labs goes either way

BEST: Callable[[MarketScenario], Normaliser] = normaliser_of
"""Chooses what a return of 1 stands for: the value of the best plan of a seed."""

REWARDS: tuple[RewardMix, ...] = ("default", "published")
REMEMBERED = 2048  # Worlds whose best plan is kept: every policy meets the same ones
MODEL = "model"  # Kind of a policy that was trained

ALL_RULES = "market-rules"
"""Stands for all scripted policies, those that try the holes of a reward too."""

SAMPLE = (
    ("market:market_round@default-1", HELD_OUT),
    ("market:coalition_market@default-1", HELD_OUT + 1),
    ("market:coalition_market@published-1", HELD_OUT + 2),
)
"""Markets that make versions: of a policy its actions in them, of the archetypes all events."""


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


@lru_cache(maxsize=REMEMBERED)
def deal(suite: str, seed: int) -> tuple[MarketScenario, int]:
    """Draw a world with opponents, and the value of the learner's best plan in 1/100 credits.

    The luck of the strictness is no luck of the world's: with or without it, all else is the same.
    UnknownSuite when there is none of that id.
    """
    row = suite_of(suite)
    world = make_market(row.task.name, seed, reward=row.reward)
    # Seeded by words: Python gives the same numbers for them on every machine.
    draw = Random(f"strictness {row.task.name} {seed}").random
    varied = tuple(round(VARIED * (2 * draw() - 1), 3) for _ in world.labs)
    world = with_strictness(world, varied)
    return world, round(BEST(world)(world, LEARNER))


def suite_of(id_: str) -> MarketSuite:
    """Look a suite up; ``UnknownSuite`` where there is none of that id."""
    for one in SUITES:
        if one.id == id_:
            return one
    raise UnknownSuite(f"There is no suite {id_[:60]!r}.")


def tasks_named(name: str) -> list[Task]:
    """Return the tasks of a word of ``--suites``: "market", or "market:" and a task."""
    return list(TASKS) if name == PREFIX[:-1] else [task_of(name.removeprefix(PREFIX))]


def players_of(told: Iterable[str]) -> list[PolicyFact]:
    """Look up the policies that words stand for, each once; BadPlan."""
    found: dict[str, PolicyFact] = {}
    for name in told:
        for one in _named(name):
            try:
                found.setdefault(one, player_fact(one))
            except UnknownPolicy as unknown:
                raise BadPlan(str(unknown.args[0])) from unknown
    if not found:
        raise BadPlan(f"Name at least one policy, for example --policies {ALL_RULES}.")
    return list(found.values())


def player_fact(name: str) -> PolicyFact:
    """Describe a policy: a script by what it does, a lab by its weights; UnknownPolicy."""
    lab = None if name in _scripted() else TRAINED_LABS.find(name)
    if lab is not None:
        return PolicyFact(name, lab.version, lab.card.title, MODEL)
    if name not in names():
        raise UnknownPolicy(
            f"No policy of the market is called {name[:40]!r}. Known: {', '.join(names())}; "
            f"{ALL_RULES} stands for all that play by rule."
        )
    return PolicyFact(name, f"{name}#{_play_of(name)}", title_of(name), "rules")


def title_of(name: str) -> str:
    """Write a policy's name for people.

    >>> title_of("rule_expert")
    'Rule expert'
    """
    return name.replace("_", " ").capitalize()


@lru_cache(maxsize=1)
def others_version() -> str:
    """Name the version of the archetypes: what becomes of a few worlds that are left to them."""
    worlds = [deal(suite, seed)[0] for suite, seed in SAMPLE]
    events = [msgspec.json.encode(play_market(world, {})[1]) for world in worlds]
    return f"archetypes#{hashlib.sha256(b''.join(events)).hexdigest()[:12]}"


def _named(word: str) -> tuple[str, ...]:
    return {ALL_RULES: _scripted(), "all": names()}.get(word, (word,))


def _scripted() -> tuple[str, ...]:
    return *POLICIES, *EXPLOITS


@lru_cache(maxsize=256)
def _play_of(name: str) -> str:
    done: list[MarketAction | Malformed] = []
    for suite, seed in SAMPLE:
        world, _ = deal(suite, seed)
        play_market(world, {LEARNER: _kept(make_policy(name, seed), done)})
    return hashlib.sha256(msgspec.json.encode(done)).hexdigest()[:12]


def _kept(player: Player, done: list[MarketAction | Malformed]) -> Player:
    def act(seen: Observation) -> MarketAction | Malformed:
        action = player(seen)
        done.append(action)
        return action

    return act
