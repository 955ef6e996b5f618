"""The buyer's turn: ask the policy, check its move, fall back when it fails."""

import logging
import time

import msgspec

from negotiation import last_resort
from negotiation.engine.episode import State, apply, say
from negotiation.engine.errors import GameError
from negotiation.engine.events import Event
from negotiation.engine.observe import observe_buyer
from negotiation.errors import BrokenTurn
from negotiation.policies import BuyerPolicy, Entry, UnknownPolicy, policy

log = logging.getLogger(__name__)


class Served(msgspec.Struct, frozen=True):
    """Who made the buyer's events, and how long that took in milliseconds."""

    backend: str
    policy_version: str
    latency_ms: int


class Turn(msgspec.Struct, frozen=True):
    """What the buyer's turn leads to."""

    state: State
    events: tuple[Event, ...]
    served: Served


def is_due(state: State, name: str) -> bool:
    """Tell whether the buyer has something to do: move, or answer the seller's words.

    Args:
        state: the position.
        name: the policy's name; many policies never answer words.
    """
    if state.ended is not None:
        return False
    return state.to_move == "buyer" or (_was_spoken_to(state) and _talks(name))


def take(state: State, name: str) -> Turn | None:
    """Let the buyer act; it sees nothing but its own observation.

    Args:
        state: a position in which the buyer's turn is due.
        name: the policy's name.

    Returns:
        None when the buyer has nothing to say.
    """
    started = time.perf_counter()
    try:
        entry = policy(name)
    except UnknownPolicy:
        log.exception("policy is gone")
        return _hold(state, started) if state.to_move == "buyer" else None
    if state.to_move != "buyer":
        return _reply(state, entry, started)
    try:
        return _act(state, entry, started)
    # A policy is foreign code: whatever it does, the seller's game goes on.
    except Exception:
        log.exception("policy failed", extra={"policy": name})
        return _hold(state, started)


def _was_spoken_to(state: State) -> bool:
    last = state.turns[-1] if state.turns else None
    return last is not None and last.actor == "seller" and last.kind == "message"


def _talks(name: str) -> bool:
    try:
        return hasattr(policy(name).make(0), "reply")
    except UnknownPolicy:
        return False


def _act(state: State, entry: Entry, started: float) -> Turn:
    move = _made(state, entry).act(observe_buyer(state))
    try:
        moved, events = apply(state, "buyer", move)
    except GameError as wrong:
        raise BrokenTurn from wrong
    return Turn(moved, events, _served(entry.backend, entry.version, started))


def _reply(state: State, entry: Entry, started: float) -> Turn | None:
    try:
        buyer = _made(state, entry)
        text = buyer.reply(observe_buyer(state)) if hasattr(buyer, "reply") else ""
    # As above; silence is a legal answer.
    except Exception:
        log.exception("policy failed to reply", extra={"policy": entry.name})
        return None
    if not text:
        return None
    spoken, events = say(state, "buyer", text)
    return Turn(spoken, events, _served(entry.backend, entry.version, started))


def _hold(state: State, started: float) -> Turn:
    moved, events = apply(state, "buyer", last_resort.hold(observe_buyer(state)))
    return Turn(moved, events, _served(last_resort.BACKEND, last_resort.VERSION, started))


def _made(state: State, entry: Entry) -> BuyerPolicy:
    return entry.make(state.scenario.sealed.seed)


def _served(backend: str, version: str, started: float) -> Served:
    return Served(backend, version, round((time.perf_counter() - started) * 1000))
