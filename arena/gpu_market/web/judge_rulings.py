"""The hearings of a judged match: read from its log, with what a model decided kept beside it.

The rule's verdict follows from the log, so nothing of it is stored. A model's is not repeated by
asking again: it is kept with the match, in the transaction that ends its round.
"""

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import BoundedSemaphore
from typing import Any, Literal

import msgspec

from agents import asking
from agents.backends.base import Chat
from agents.router import Answer
from arena.gpu_market.model_judge import GIVE_UP_AFTER, JUDGES, ModelJudge, by_rule
from arena.gpu_market.web.visibility import Facts
from arena.models import MarketMatch
from bazaarbatna.market import MarketEvent, MarketScenario, State
from bazaarbatna.market.judging import Hearing, JudgedRound, Review, as_it_is, judged_rounds
from negotiation.games import position_cache

JudgeName = Literal["off", "rule", "model"]

WAIT_S = 8.0  # for one answer of a model in a live match
MOST_CALLS = 4
"""Questions that one turn may cause: with the last person gone, the rest is played at once."""
MOST_AT_ONCE = 2  # matches of this process that may wait for a model: each holds a thread
AT_ONCE = BoundedSemaphore(MOST_AT_ONCE)

Position = position_cache.Position[State, MarketEvent]
Kept = list[dict[str, Any]]
Judged = Callable[[int, int], float]


def can_ask_a_model() -> bool:
    """Whether this site has a model that can judge."""
    return asking.awake(JUDGES)


def heard(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    judge: str,
    kept: Sequence[dict[str, Any]] = (),
) -> tuple[JudgedRound, ...]:
    """Return the judged rounds so far, with what a model decided as it was ``kept``."""
    if judge == "off":
        return ()
    return judged_rounds(scenario, events, _repeated(kept, as_it_is))


def heard_so_far(
    match: MarketMatch, position: Position, kept: Sequence[dict[str, Any]]
) -> tuple[JudgedRound, ...]:
    """Return the judged rounds of a stored match; they change only as a round ends."""
    if match.judge == "off":
        return ()
    state = position.state
    key = (match.pk, state.round, state.ended is None, match.judge, len(kept))
    return _remembered(_Log(key, state.scenario, position.events, tuple(kept)))


@dataclass(frozen=True)
class _Log:
    key: tuple[object, ...]
    scenario: MarketScenario = field(compare=False)
    events: tuple[MarketEvent, ...] = field(compare=False)
    kept: tuple[dict[str, Any], ...] = field(compare=False)


@functools.lru_cache(maxsize=128)
def _remembered(log: _Log) -> tuple[JudgedRound, ...]:
    return heard(log.scenario, log.events, "rule", log.kept)


def asked(
    match: MarketMatch, scenario: MarketScenario, events: Sequence[MarketEvent], client: str
) -> Kept | None:
    """Ask the model about the hearings that it has not reviewed; takes as long as it takes.

    ``events`` has the turns that are about to be stored. Returns all hearings, to be stored with
    these turns; None where none is new.
    """
    if match.judge != "model":
        return None
    review = _repeated(match.hearings, _model(match.hearings, client))
    rounds = judged_rounds(scenario, events, review)
    if len(rounds) == len(match.hearings):
        return None
    return [msgspec.to_builtins(one.hearing) for one in rounds]


def bonuses(facts: Facts) -> Judged | None:
    """Return the bonus of a lab (its number) in a round; None for a match without a judge."""
    if facts.judge == "off":
        return None
    by_round = {one.hearing.round: one.bonuses for one in facts.hearings}
    return lambda round_, lab: by_round[round_][lab] if round_ in by_round else 0.0


def before(kept: Kept, round_: int) -> Kept:
    """Return the hearings of earlier rounds: those that a what-if has in common with its match."""
    return [one for one in kept if one["round"] < round_]


def _repeated(kept: Sequence[dict[str, Any]], otherwise: Review) -> Review:
    by_round = {one["round"]: one for one in kept}

    def review(hearing: Hearing) -> Hearing:
        found = by_round.get(hearing.round)
        return otherwise(hearing) if found is None else msgspec.convert(found, Hearing)

    return review


def _model(kept: Sequence[dict[str, Any]], client: str) -> Review:
    newest = [one["fallback"] for one in kept[-GIVE_UP_AFTER:]]
    if len(newest) == GIVE_UP_AFTER and all(newest):
        # A dead model costs every round its whole patience: a match asks no more.
        return lambda hearing: by_rule(hearing, "given-up")

    async def ask(chat: Chat) -> Answer:
        until = time.monotonic() + WAIT_S
        return await asking.ask(chat, client or "local", deadline=until, only=JUDGES)

    judge = ModelJudge(ask, most_calls=MOST_CALLS)

    def review(hearing: Hearing) -> Hearing:
        if not AT_ONCE.acquire(blocking=False):
            return by_rule(hearing, "busy")
        try:
            return judge(hearing)
        finally:
            AT_ONCE.release()

    return review
