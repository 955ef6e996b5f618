"""Who plays: whether they can, on which threads they think, and what they do in a turn.

Where a model has a say, turns are taken on threads of their own: loading one takes seconds, and a
judging one may take seconds for its verdict on the round that a turn ends. On the threads that all
live games share, four such matches would hold everybody up.
"""

import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

import msgspec

from arena.gpu_market.twins import ARCHETYPE, PERSON, policy_of
from arena.gpu_market.web.errors import BadMarket, NoPlayer
from arena.gpu_market.web.judge_rulings import MOST_AT_ONCE
from arena.models import MarketMatch
from arena.words import say
from bazaarbatna.market import WAIT, MarketEvent, State, advance, apply, observe
from bazaarbatna.market.policies.registry import CannotPlay, is_trained, label_of, prepare
from negotiation.games.event_log import Served
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

LAST_RESORT = "last-resort"


class Turn(msgspec.Struct, frozen=True):
    """What one turn led to; ``served`` is None for a person."""

    state: State
    events: tuple[MarketEvent, ...]
    served: Served | None = None


def is_awaited(state: State, seats: tuple[str, ...]) -> bool:
    """Whether the market waits for a person."""
    return state.ended is None and seats[state.turn] == PERSON


def take_turn(state: State, seats: tuple[str, ...]) -> Turn:
    """Let the lab whose turn it is act; a policy that fails waits: the match goes on."""
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


def trained_in(seats: Iterable[str]) -> tuple[str, ...]:
    """List the trained labs that are seated, each once."""
    seated = dict.fromkeys(seats)
    return tuple(who for who in seated if who not in (ARCHETYPE, PERSON) and is_trained(who))


def make_ready(seats: Iterable[str]) -> None:
    """Load the models that a match needs, for seconds where they are new here, or ``BadMarket``."""
    for who in trained_in(seats):
        try:
            prepare(who)
        except CannotPlay as wrong:
            raise BadMarket(say("why_choose_another_player", why=wrong), "policy") from wrong


def check_here(seats: Iterable[str]) -> None:
    """Raise ``NoPlayer`` where somebody who played is gone, or has another version now."""
    for who in trained_in(seats):
        if label_of(who) is None:
            raise NoPlayer(say("this_market_was_played_by_who_which", who=who))


Given = ParamSpec("Given")
Result = TypeVar("Result")

_labs = ThreadPoolExecutor(1, thread_name_prefix="lab")
# While as many as may wait for a verdict, the rule judges for the others on the one thread more.
_courts = ThreadPoolExecutor(MOST_AT_ONCE + 1, thread_name_prefix="court")


async def think(
    match_id: str, function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
) -> Result:
    """Call a function that takes turns of a match, on the threads that are right for it."""
    threads = await in_thread(_threads_of)(match_id)
    called = in_thread(function) if threads is None else in_thread(function, threads)
    return await called(*args, **kwargs)


def _threads_of(match_id: str) -> ThreadPoolExecutor | None:
    rows = MarketMatch.objects.filter(pk=match_id).values_list("judge", "seats")
    judge, seats = rows.first() or ("off", ())
    if judge == "model":
        return _courts
    return _labs if trained_in(seats) else None
