"""Lets whoever's turn it is act, unless that is a person."""

import logging
import time

import msgspec

from arena.gpu_market.engine import WAIT, MarketEvent, State, advance, apply, observe
from arena.gpu_market.room.facts import ARCHETYPE, PERSON
from arena.gpu_market.twins.seats import policy_of
from negotiation.games.log_rows import Served

log = logging.getLogger(__name__)

LAST_RESORT = "last-resort"


class Turn(msgspec.Struct, frozen=True):
    """What one turn led to; ``served`` is None for a person."""

    state: State
    events: tuple[MarketEvent, ...]
    served: Served | None = None


def is_awaited(state: State, seats: tuple[str, ...]) -> bool:
    """Tell whether the market waits for a person."""
    return state.ended is None and seats[state.turn] == PERSON


def take_turn(state: State, seats: tuple[str, ...]) -> Turn:
    """Let the lab whose turn it is act, by its archetype or its policy.

    A policy that fails waits instead: the others' match goes on.

    Raises:
        MarketClosed: the match has ended.
    """
    lab = state.turn
    who = seats[lab]
    began = time.perf_counter()
    if who == ARCHETYPE:
        state, events = advance(state)
        return Turn(state, events, _served("rules", who, began))
    try:
        policy = policy_of(state.scenario, lab, who, state.round)
        action = policy(observe(state, lab))
        backend = getattr(policy, "backend", "rules")
    # A policy is foreign code.
    except Exception:
        log.exception("a policy failed", extra={"policy": who})
        action, backend = WAIT, LAST_RESORT
    state, events = apply(state, lab, action)
    return Turn(state, events, _served(backend, who, began))


def until_awaited(state: State, seats: tuple[str, ...]) -> list[Turn]:
    """Let all act until a person is awaited or the match ends; one entry per turn."""
    turns = []
    while state.ended is None and not is_awaited(state, seats):
        turns.append(take_turn(state, seats))
        state = turns[-1].state
    return turns


def _served(backend: str, who: str, began: float) -> Served:
    # What was trained is seated under its version's label.
    version = who if "@" in who else f"{who}@1"
    return Served(backend, version, round(1000 * (time.perf_counter() - began)))
