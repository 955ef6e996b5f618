"""The opponent's turn: ask its policy, check the move, fall back when it fails.

The opponent plays the side that no person plays: Sauda buys what people sell, and sells what people
come to buy.
"""

import logging
import time

import msgspec

from bazaarbatna.bargain.episode import State, apply, say
from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation, SellerObservation, observe
from bazaarbatna.bargain.quantities import Side, clamp_price
from bazaarbatna.bargain.scenario import SALE
from negotiation.bargain.commands import context_of, notice_move, notice_words
from negotiation.bargain.terms import PERSON
from negotiation.errors import BrokenTurn
from negotiation.games.event_log import Served
from negotiation.policies import Entry, Played, UnknownPolicy, policy
from negotiation.readers import reader

BACKEND = "last-resort"
VERSION = "last-resort@1"

FIRST_BID = 0.5
"""First bid as a part of the standing ask, when the policy has made none."""


def hold(observation: BuyerObservation | SellerObservation) -> Move:
    """Repeat the own last price; a buyer without one opens at half the ask, budget permitting."""
    if isinstance(observation, SellerObservation):
        return Offer(observation.standing_ask, "Let me think. My price stays.")
    bid = observation.own_last_bid
    if bid is not None:
        return Offer(bid, "Let me think. My price stays.")
    half = clamp_price(FIRST_BID * observation.standing_ask, high=observation.budget)
    return Offer(half, "Let me start here.")


log = logging.getLogger(__name__)


class Guest(msgspec.Struct, frozen=True):
    """What the house knows of the person opposite beside the position.

    ``language`` is that of the page, ``heard`` the house's lines in the last games before this one.
    """

    language: str = ""
    heard: tuple[str, ...] = ()


NOBODY = Guest()


class Turn(msgspec.Struct, frozen=True):
    """What the opponent's turn leads to."""

    state: State
    events: tuple[Event, ...]
    served: Served


def knows(name: str) -> bool:
    """Whether a policy has that name."""
    try:
        policy(name)
    except UnknownPolicy:
        return False
    return True


def is_due(state: State, name: str) -> bool:
    """Whether the opponent is to move or has words to answer; many policies never answer words."""
    if state.ended is not None or name == PERSON:
        return False
    if not knows(name):
        return state.to_move == "buyer"
    entry = policy(name)
    return state.to_move == entry.side or (_was_spoken_to(state, entry) and _talks(entry))


def seen_from(state: State, side: Side, guest: Guest) -> BuyerObservation | SellerObservation:
    """Show the position to the house, which begins no two games of one guest alike.

    Later words follow from the game alone, so that a what-if of it says them again.
    """
    has_spoken = any(turn.actor == side for turn in state.turns)
    before = () if has_spoken else guest.heard
    return msgspec.structs.replace(observe(state, side), language=guest.language, before=before)


def take(
    state: State, name: str, seq: int = 0, *, chat: bool = True, guest: Guest = NOBODY
) -> Turn | None:
    """Let the plain policy act on its own observation alone; None when it has nothing to say.

    Without ``chat`` it moves in silence.
    """
    started = time.perf_counter()
    try:
        entry = policy(name)
    except UnknownPolicy:
        log.exception("policy is gone")
        return _held(state, seq, started) if state.to_move == "buyer" else None
    seen = seen_from(state, entry.side, guest)
    if state.to_move != entry.side:
        return _reply(state, seen, entry, seq, started) if chat else None
    try:
        move = entry.make(state.scenario.sealed.seed).act(seen)
        served = _explained(_served(entry.backend, entry.version, started), seen, move)
        return played_move(state, seq, move if chat else _silent(move), served)
    # A policy is foreign code: whatever it does, the person's game goes on.
    except Exception:
        log.exception("policy failed", extra={"policy": name})
        return _held(state, seq, started)


def took(
    state: State,
    name: str,
    seq: int,
    played: Played,
    latency_ms: int,
    *,
    chat: bool = True,
    guest: Guest = NOBODY,
) -> Turn | None:
    """Turn a live policy's answer into events; the plain policy's replaces an illegal one."""
    served = Served(played.backend, played.version, latency_ms, played.passed_over)
    try:
        entry = policy(name)
        served = _explained(served, seen_from(state, entry.side, guest), played.answer)
        if isinstance(played.answer, str):
            return _spoken(state, entry, seq, played.answer if chat else "", served)
        return played_move(state, seq, played.answer if chat else _silent(played.answer), served)
    except (GameError, BrokenTurn):
        log.exception("live policy broke a rule", extra={"policy": name})
        return take(state, name, seq, chat=chat, guest=guest)


def goodbye(state: State, name: str, language: str = "") -> str:
    """Return what a buyer who talks says after the end, where the last word is not its own.

    Drawn from the log and its seed: whoever shows the end again hears the same, and no log has it.
    """
    last = state.turns[-1] if state.turns else None
    if state.ended is None or state.scenario.suite != SALE or not knows(name):
        return ""
    entry = policy(name)
    if last is None or last.actor == entry.side or not _talks(entry):
        return ""
    seen = seen_from(state, entry.side, Guest(language))
    assert isinstance(seen, BuyerObservation)
    return reader().goodbye(seen, state.scenario.sealed.seed)


def _silent(move: Move) -> Move:
    return msgspec.structs.replace(move, text="")


def played_move(state: State, seq: int, move: Move, served: Served) -> Turn:
    """Make a move of the opponent, or raise BrokenTurn where it is illegal."""
    side = state.to_move
    assert side is not None
    try:
        moved, events = apply(state, side, move)
    except GameError as wrong:
        raise BrokenTurn from wrong
    if side == "seller":
        moved, events = notice_move(state, moved, events, seq, move, context_of(state, side))
    return Turn(moved, events, served)


def _was_spoken_to(state: State, entry: Entry) -> bool:
    last = state.turns[-1] if state.turns else None
    if last is None or last.actor == entry.side or last.kind != "message":
        return False
    # Whoever takes a price back says nothing, and is about to name another.
    return bool(last.text)


def _talks(entry: Entry) -> bool:
    return hasattr(entry.make(0), "reply")


def _reply(
    state: State,
    seen: BuyerObservation | SellerObservation,
    entry: Entry,
    seq: int,
    started: float,
) -> Turn | None:
    try:
        player = entry.make(state.scenario.sealed.seed)
        text = player.reply(seen) if hasattr(player, "reply") else ""
    # As above; silence is a legal answer.
    except Exception:
        log.exception("policy failed to reply", extra={"policy": entry.name})
        return None
    served = _explained(_served(entry.backend, entry.version, started), seen, text)
    return _spoken(state, entry, seq, text, served)


def _explained(
    served: Served, seen: BuyerObservation | SellerObservation, answer: Move | str
) -> Served:
    """Add the plan of a turn; a reader that fails leaves the turn as it is."""
    try:
        plan = reader().plan(seen, answer)
    except Exception:
        log.exception("a turn has no plan")
        return served
    return msgspec.structs.replace(served, plan=plan)


def _spoken(state: State, entry: Entry, seq: int, text: str, served: Served) -> Turn | None:
    if not text:
        return None
    spoken, events = say(state, entry.side, text)
    if entry.side == "seller":
        context = context_of(state, "seller")
        spoken, events = notice_words(spoken, events, seq, text, context)
    return Turn(spoken, events, served)


def _held(state: State, seq: int, started: float) -> Turn:
    side = state.to_move
    assert side is not None
    move = hold(observe(state, side))
    return played_move(state, seq, move, _served(BACKEND, VERSION, started))


def _served(backend: str, version: str, started: float) -> Served:
    return Served(backend, version, round((time.perf_counter() - started) * 1000))
