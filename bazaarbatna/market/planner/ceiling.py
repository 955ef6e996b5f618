"""The ceiling of a seed: what a lab's own jobs could bring it at the very most.

*Definition.* All its jobs, those of a demand surge too, on any blocks of the whole market, with
every shock known beforehand, one run in each of its turns, energy paid, and nobody paid for a
block. Capacity failures hit a block that nobody needs (see ``in_hindsight``).

Whatever a lab does, its jobs bring no more than that: it may only get fewer blocks, later, and has
turns to spend on getting them. So a return of 1 is beyond every plan, and only money that others
pay can push a return towards it. ``alone`` and ``rational_gain`` are what it was weighed against
(``docs/gpu_market.md``).
"""

from collections.abc import Collection
from functools import lru_cache
from math import inf

from bazaarbatna.market import playing
from bazaarbatna.market.planner.model import Ahead, Outlook, best_plan, in_hindsight, owned_by
from bazaarbatna.market.planner.one_lab import best_value
from bazaarbatna.market.playing import Player, Scored
from bazaarbatna.market.quantities import LAB_IDS, LAB_NUMBERS
from bazaarbatna.market.rewards import Normaliser, value_of_all_jobs
from bazaarbatna.market.scenario import MarketScenario
from bazaarbatna.market.state import State

REMEMBERED = 1024
"""So many ceilings are kept: training plays the same worlds again and again."""


@lru_cache(maxsize=REMEMBERED)
def ceiling(scenario: MarketScenario, lab: int) -> float:
    """Return a lab's ceiling in hundredths of a credit; a normaliser as ``reward`` takes them."""
    outlook = in_hindsight(scenario, (lab,))
    found = best_value(outlook)
    return float(best_plan(outlook).value if found is None else found)


def alone(scenario: MarketScenario, lab: int) -> float:
    """Return what a lab could reach with its own blocks only, knowing every shock beforehand."""
    outlook = in_hindsight(scenario, (lab,))
    return float(best_plan(owned_by(outlook, frozenset((LAB_IDS[lab],)))).value)


def rational_gain(scenario: MarketScenario, lab: int) -> float:
    """Return what the market can make of all blocks, less what the other labs can make without it.

    The most that a lab could keep if every other lab knew what its blocks are worth to it: nobody
    with open eyes would sell below that. It may lie above the ceiling, for a lab whose blocks are
    worth more to others also sells; and scripted labs, who count blocks, let a lab have more.
    """
    labs = range(len(scenario.labs))
    others = [one for one in labs if one != lab]
    names = frozenset(LAB_IDS[one] for one in others)
    without = best_plan(owned_by(in_hindsight(scenario, others), names))
    return float(best_plan(in_hindsight(scenario, labs)).value - without.value)


def group_value(state: State, members: Collection[str], within_s: float = inf) -> int:
    """Return the value of the best joint plan of some labs, in hundredths of a credit.

    Any member may run its jobs on any block of the others, one job in each of its own turns that
    are left; nobody outside gives or takes anything, and the present lasts. So two groups that
    have no lab in common never make more apart than together.
    """
    return best_plan(_standing(state, members), within_s).value


def _standing(state: State, members: Collection[str]) -> Outlook:
    labs = sorted(LAB_NUMBERS[member] for member in members)
    blocks = tuple(block for block in state.blocks if block.owner in members)
    return Outlook(
        tuple(
            Ahead(
                number,
                # In this round some have had their turn already.
                {lab: state.jobs[lab] for lab in labs if number > state.round or lab >= state.turn},
                blocks,
            )
            for number in range(state.round, state.scenario.rounds)
        ),
        state.scenario.rules.windows,
    )


def normaliser_of(scenario: MarketScenario) -> Normaliser:
    """Return the measure that goes with the reward mix: the published mix divides by nothing."""
    return ceiling if scenario.reward == "default" else value_of_all_jobs


def measure(scenario: MarketScenario, lab: int) -> float:
    """Return what a lab's returns are shares of; a normaliser as ``reward`` takes them."""
    return normaliser_of(scenario)(scenario, lab)


def play_scored(scenario: MarketScenario, player: Player, *, lab: int = 0) -> Scored:
    """Play an episode with one lab from outside; returns are shares of its ceiling."""
    return playing.play_scored(scenario, player, lab=lab, normaliser=measure)
