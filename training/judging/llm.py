"""A language model as judge: asked in both orders, believed where it agrees with itself.

Where it gives no answer, the heuristic decides this pair, and the record says so.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import msgspec
from django.conf import settings

from agents.backends.base import Message
from agents.backends.errors import BackendError, BadAnswer
from negotiation.retry import doubled_s, retry
from training.judging import heuristic
from training.judging.llm_answer import Answer, Choice, read_answer
from training.judging.llm_question import question
from training.judging.llm_wire import AnthropicWire, OpenAiWire, Wire
from training.judging.transcript import Transcript, check_comparable
from training.judging.verdict import DecidedBy, Judge, Verdict, Winner

log = logging.getLogger(__name__)

TRIES = 3
"""How often one question is put before the heuristic decides."""

BACKOFF_S = 1.0
"""Seconds before the second try, doubled before the third, where the server names no time."""

LONGEST_WAIT_S = 60.0
"""A server that asks for more patience than that is not asked again for this pair."""

OUT_OF_CALLS = "out-of-calls"

GIVE_UP_AFTER = 5
"""Pairs in a row without an answer after which a model is not asked any more."""

MOST_CALLS = 4000
"""Questions that one judge may put, tries included."""

TICK_S = 1.0
"""Seconds between signs of life while a model is waited for."""

Pause = Callable[[float], Awaitable[None]]
Tick = Callable[[], None]

_FIRST: dict[Choice, Winner] = {"A": "a", "B": "b", "tie": "tie"}
_SECOND: dict[Choice, Winner] = {"A": "b", "B": "a", "tie": "tie"}
"""Who is meant where the games changed places."""


class LlmJudge:
    """Compares two games by asking a model twice, once in each order.

    ``calls`` counts the questions put so far.

    Args:
        wire: how the model is asked.
        most_calls: questions that may be put in all; then the heuristic judges.
        pause: waits so many seconds between tries.
        tick: hears of every pair, and every second while one is waited for, in the thread of who
            wants the verdict; what it raises ends the waiting.
    """

    def __init__(
        self,
        wire: Wire,
        *,
        most_calls: int = MOST_CALLS,
        pause: Pause = asyncio.sleep,
        tick: Tick = lambda: None,
    ) -> None:
        self.calls = 0
        self._wire = wire
        self._most_calls = most_calls
        self._pause = pause
        self._tick = tick
        self._failures = 0

    def __repr__(self) -> str:
        return f"LlmJudge({self._wire!r}, calls={self.calls})"

    def __call__(self, a: Transcript, b: Transcript) -> Verdict:
        """Judge two games; never raises for the model's sake.

        Raises:
            DifferentGames: the games did not start from the same position.
        """
        check_comparable(a, b)
        if self._failures >= GIVE_UP_AFTER:
            return self._by_rule(a, b, "given-up")
        try:
            first, second = self._answers(a, b)
        except BackendError as error:
            self._failures += error.code != OUT_OF_CALLS
            return self._by_rule(a, b, error.code)
        self._failures = 0
        return self._agreed(first, second)

    def _answers(self, a: Transcript, b: Transcript) -> tuple[Answer, Answer]:
        """Wait for both orders; the loop stands still while a sign of life is given."""
        with asyncio.Runner() as runner:
            asking = runner.get_loop().create_task(self._both_orders(a, b))
            while not asking.done():
                self._tick()
                runner.run(asyncio.wait([asking], timeout=TICK_S))
            return asking.result()

    async def _both_orders(self, a: Transcript, b: Transcript) -> tuple[Answer, Answer]:
        answers = await asyncio.gather(
            self._answer(a, b), self._answer(b, a), return_exceptions=True
        )
        first, second = (_or_raise(answer) for answer in answers)
        return first, second

    async def _answer(self, first: Transcript, second: Transcript) -> Answer:
        """Ask until there is a verdict, at most ``TRIES`` times."""
        messages = question(first, second)
        return await retry(
            lambda: self._asked_once(messages),
            [doubled_s(BACKOFF_S, failures) for failures in range(1, TRIES)],
            BackendError,
            pause=_pause_after,
            sleep=self._pause,
        )

    async def _asked_once(self, messages: tuple[Message, ...]) -> Answer:
        if self.calls >= self._most_calls:
            raise BackendError(OUT_OF_CALLS, retryable=False, asked=False)
        self.calls += 1
        answer = read_answer(await self._wire.ask(messages))
        if answer is None:
            raise BadAnswer("no-verdict")
        return answer

    def _agreed(self, first: Answer, second: Answer) -> Verdict:
        """Take a verdict that does not hang on the order of the games; else it is a tie."""
        winner, again = _FIRST[first.winner], _SECOND[second.winner]
        if winner != again:
            said = f"It preferred {first.winner} in one order and {second.winner} in the other."
            return Verdict("tie", said, "nothing", judge=self._wire.model)
        by: DecidedBy = "nothing" if winner == "tie" else "model"
        return Verdict(winner, first.reason or "It gave no reason.", by, judge=self._wire.model)

    def _by_rule(self, a: Transcript, b: Transcript, why: str) -> Verdict:
        log.warning("No verdict of %s (%s); rules judge this pair.", self._wire.model, why)
        return msgspec.structs.replace(heuristic.judge(a, b), fallback=f"{self._wire.model}: {why}")


def judge_from_settings(tick: Tick = lambda: None) -> Judge:
    """Give the judge that the settings name: a server, else Claude, else the heuristic.

    Args:
        tick: see ``LlmJudge``; the heuristic is quick and does without.
    """
    found = settings.JUDGE
    wire: Wire
    if found["url"]:
        wire = OpenAiWire(found["url"], found["key"], found["model"])
    elif found["anthropic_key"]:
        wire = AnthropicWire(found["anthropic_key"], found["model"])
    else:
        return heuristic.judge
    return LlmJudge(wire, most_calls=found["calls"], tick=tick)


def _pause_after(error: BackendError, planned_s: float) -> float | None:
    wait_s = planned_s if error.retry_after_s is None else error.retry_after_s
    return wait_s if error.retryable and wait_s <= LONGEST_WAIT_S else None


def _or_raise(answer: Answer | BaseException) -> Answer:
    if isinstance(answer, BaseException):
        raise answer
    return answer
