"""What a lab must not learn before a market's end, and how to look for it in what came."""

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from bazaarbatna.market import MarketScenario, State
from bazaarbatna.market.making import ARCHETYPES
from bazaarbatna.market.quantities import LAB_IDS
from tests.support.secrets import numbers_in

HIDDEN_WORDS = ("salt", "opened", "archetype", "base_value_of", "luck", *ARCHETYPES)


def market_leaks(text: str, state: State, lab: int) -> list[str]:
    """Name the hidden values of a market that stand in a text one lab got.

    Args:
        text: a whole answer, JSON.
        state: the position that it tells of.
        lab: who got it.
    """
    scenario = state.scenario
    sealed = scenario.sealed
    found = [word for word in HIDDEN_WORDS if f'"{word}' in text]
    found += [name for name in (str(sealed.seed), scenario.salt) if name in text]
    struck = {shock.kind for shock in sealed.shocks if shock.round <= state.round}
    found += [kind for kind in _kinds(scenario) - struck if kind in text]
    whole = json.loads(text)
    # What is public has numbers too: only what nobody else shows can be told apart.
    open_numbers = set(numbers_in(_public(state, lab)))
    seen = set(numbers_in(whole)) - open_numbers
    for number, jobs in enumerate(state.jobs):
        if number != lab:
            found += [f"budget of {LAB_IDS[number]}"] * (state.budgets[number] / 100 in seen)
            for job in (*jobs, *sealed.surge[number : number + 1]):
                private = {job.base_value / 100, job.base_value, round(job.value / 100, 4)}
                found += [f"worth of {job.id}"] * bool(private & seen)
                # A job that was run names its block; nothing else may say what it is.
                found += [f"note of {job.id}"] * (f'"id":"{job.id}"' in text)
    return found


def _kinds(scenario: MarketScenario) -> set[str]:
    return {shock.kind for shock in scenario.sealed.shocks}


def _public(state: State, lab: int) -> list[Any]:
    """All numbers that a lab may see, in hundredths and in credits."""
    mine = msgspec.to_builtins(
        [
            state.jobs[lab],
            state.budgets[lab],
            state.blocks,
            state.offers,
            state.contracts,
            state.coalitions,
            state.said,
            state.reputations,
            state.round,
        ]
    )
    return [mine, [number / 100 for number in numbers_in(mine)], _own_worth(state, lab)]


def _own_worth(state: State, lab: int) -> Iterable[float]:
    return [round(job.value / 100, 4) for job in state.jobs[lab]]
