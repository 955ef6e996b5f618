"""What somebody wants a match to be, checked before anything is drawn."""

from collections.abc import Callable
from random import Random

import msgspec

from arena.gpu_market.engine import MarketScenario, UnknownTask, make_market, task_of
from arena.gpu_market.engine.scenario import RewardMix
from arena.gpu_market.engine.tasks import ShockKind
from arena.gpu_market.policies.registry import POLICIES
from arena.gpu_market.room.errors import BadMarket
from arena.gpu_market.room.facts import ARCHETYPE, PERSON

YOU = "you"
"""The name under which whoever starts a match plays a lab."""

SEEDS = 2**53
"""Drawn seeds lie below this, so that a browser can say them exactly."""


class Order(msgspec.Struct, frozen=True):
    """A match that is wanted.

    Attributes:
        task: name of a task.
        seed: of the world; None: drawn.
        policy: who plays ``lab``: ``you``, ``archetype`` or the name of a policy.
        lab: its number; all other labs follow their archetypes.
        pace_s: seconds between two turns of a demo; 0 plays it to its end at once.
        public: others may look on; None: at demos, not at a person's match.
        options: further shocks that the task offers.
        reward: the reward mix, and with it the rules.
    """

    task: str
    seed: int | None = None
    policy: str = "rule_expert"
    lab: int = 0
    pace_s: float = 0.0
    public: bool | None = None
    options: tuple[ShockKind, ...] = ()
    reward: RewardMix = "default"


class Plan(msgspec.Struct, frozen=True):
    """An order that can be carried out."""

    order: Order
    scenario: MarketScenario
    seed: int
    seats: tuple[str, ...]

    @property
    def is_demo(self) -> bool:
        """No person plays: the match goes on by itself."""
        return PERSON not in self.seats

    @property
    def is_public(self) -> bool:
        """Others may look on."""
        return self.is_demo if self.order.public is None else self.order.public


def players() -> tuple[str, ...]:
    """Name everybody who may play a lab: oneself, the archetype, or a policy."""
    return (YOU, ARCHETYPE, *POLICIES)


def checked(order: Order, below: Callable[[int], int]) -> Plan:
    """Check an order and draw what it leaves open.

    Args:
        order: what is wanted.
        below: gives an unguessable whole number of 0 up to its argument.

    Raises:
        BadMarket: with the part that is wrong and what would be right.
    """
    try:
        task = task_of(order.task)
    except UnknownTask as wrong:
        raise BadMarket(str(wrong), "task") from wrong
    known = players()
    if order.policy not in known:
        raise BadMarket(
            f"Nobody is called {order.policy[:40]!r}. Known: {', '.join(known)}.", "policy"
        )
    offered = {kind for _, kind in task.options}
    if not offered.issuperset(order.options):
        raise BadMarket(f"{task.name} offers the options {sorted(offered)}.", "options")
    seed = below(SEEDS) if order.seed is None else order.seed
    scenario = make_market(task.name, seed, reward=order.reward, options=order.options)
    labs = len(scenario.labs)
    if not 0 <= order.lab < labs:
        # Without a seed the number of labs is drawn; the wish for a seat must not depend on luck.
        if order.seed is None and order.lab < task.labs[1]:
            return checked(msgspec.structs.replace(order, seed=_roomy(order, below)), below)
        raise BadMarket(f"There are the labs 0 to {labs - 1}.", "lab")
    who = PERSON if order.policy == YOU else order.policy
    seats = tuple(who if lab == order.lab else ARCHETYPE for lab in range(labs))
    return Plan(order, scenario, seed, seats)


def _roomy(order: Order, below: Callable[[int], int]) -> int:
    """Draw a seed whose world has the wanted lab."""
    draw = Random(below(SEEDS))
    while True:
        seed = draw.randrange(SEEDS)
        if len(make_market(order.task, seed).labs) > order.lab:
            return seed
