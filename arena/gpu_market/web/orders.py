"""What somebody wants a match to be, checked before anything is drawn."""

from collections.abc import Callable
from random import Random

import msgspec

from arena.gpu_market.twins import ARCHETYPE, PERSON
from arena.gpu_market.web.errors import BadMarket
from arena.gpu_market.web.judge_rulings import JudgeName, can_ask_a_model
from arena.words import say
from bazaarbatna.market import (
    FIRST_TRADE,
    MarketScenario,
    Task,
    UnknownTask,
    make_first_trade,
    make_market,
    task_of,
)
from bazaarbatna.market.policies.registry import POLICIES, SPEAKERS, label_of, trained_names
from bazaarbatna.market.scenario import RewardMix, ShockKind

YOU = "you"  # whoever starts the match

SEEDS = 2**53  # a browser can say whole numbers below exactly


class Order(msgspec.Struct, frozen=True):
    """A match that is wanted.

    Attributes:
        policy, others: ``archetype`` or the name of a policy; ``lab`` may be played by ``you``.
        pace_s: seconds between two turns of a demo; 0 plays it to its end at once.
        public: others may look on; None: at demos, not at a person's match.
        options: further shocks that the task offers.
        judge_mode: who hears pitches: ``off``, ``rule``, or ``model`` where the site has one.
    """

    task: str
    seed: int | None = None
    policy: str = "rule_expert"
    lab: int = 0
    others: str = ARCHETYPE
    pace_s: float = 0.0
    public: bool | None = None
    options: tuple[ShockKind, ...] = ()
    reward: RewardMix = "default"
    judge_mode: JudgeName = "off"


class Plan(msgspec.Struct, frozen=True):
    """An order that can be carried out."""

    order: Order
    scenario: MarketScenario
    seed: int
    seats: tuple[str, ...]

    @property
    def is_demo(self) -> bool:
        """Whether no person plays: the match goes on by itself."""
        return PERSON not in self.seats

    @property
    def is_public(self) -> bool:
        """Whether others may look on."""
        return self.is_demo if self.order.public is None else self.order.public


def players() -> tuple[str, ...]:
    """Name everybody who may play a lab: oneself, the archetype, a script, or a trained lab."""
    return (YOU, ARCHETYPE, *POLICIES, *SPEAKERS, *trained_names())


def checked(order: Order, below: Callable[[int], int]) -> Plan:
    """Check an order and draw what it leaves open; ``BadMarket`` says what would be right."""
    task = _task(order)
    known = players()
    who = PERSON if order.policy == YOU else _seated(order.policy, known, "policy")
    others = _seated(order.others, known[1:], "others")
    offered = {kind for _, kind in task.options} if task else set()
    if not offered.issuperset(order.options):
        raise BadMarket(f"{order.task} offers the options {sorted(offered)}.", "options")
    if task is None and order.reward != "default":
        raise BadMarket(f"{order.task} is played under the default mix.", "reward")
    if order.judge_mode == "model" and not can_ask_a_model():
        told = say("this_site_has_no_model_that_could")
        raise BadMarket(told, "judge_mode")
    if order.judge_mode == "model" and order.policy != YOU and order.pace_s == 0:
        told = say("a_model_judges_as_the_market_goes")
        raise BadMarket(told, "pace")
    seed = below(SEEDS) if order.seed is None else order.seed
    if task is None:
        scenario = make_first_trade(seed)
    else:
        scenario = make_market(task.name, seed, reward=order.reward, options=order.options)
    labs = len(scenario.labs)
    if not 0 <= order.lab < labs:
        # Without a seed the number of labs is drawn; the wish for a seat must not depend on luck.
        if task and order.seed is None and order.lab < task.labs[1]:
            return checked(msgspec.structs.replace(order, seed=_roomy(order, below)), below)
        raise BadMarket(f"There are the labs 0 to {labs - 1}.", "lab")
    seats = tuple(who if lab == order.lab else others for lab in range(labs))
    return Plan(order, scenario, seed, seats)


def _task(order: Order) -> Task | None:
    """Look up a task that is drawn; None for the first trade, which is made by hand."""
    if order.task == FIRST_TRADE:
        return None
    try:
        return task_of(order.task)
    except UnknownTask as wrong:
        raise BadMarket(str(wrong), "task") from wrong


def _seated(name: str, known: tuple[str, ...], field: str) -> str:
    """Return a trained lab's version: what-ifs and twins are played by that one, or not at all."""
    label = name if name == ARCHETYPE else label_of(name)
    if name not in known or label is None:
        raise BadMarket(f"Nobody is called {name[:40]!r}. Known: {', '.join(known)}.", field)
    return label


def _roomy(order: Order, below: Callable[[int], int]) -> int:
    draw = Random(below(SEEDS))
    while True:
        seed = draw.randrange(SEEDS)
        if len(make_market(order.task, seed).labs) > order.lab:
            return seed
