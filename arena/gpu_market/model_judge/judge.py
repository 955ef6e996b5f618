"""Lets a model review hearings: within bounds, with a limit on calls, and never without a verdict.

What a model can do is limited whatever it was talked into: it moves the score of a lab by at most
``HELD``, and only where the lab proved something and said nothing false.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import msgspec

from agents import asking
from agents.backends.base import Chat
from agents.backends.errors import BackendError
from agents.router import Answer as Answered
from arena.gpu_market.judging.cards import Card
from arena.gpu_market.judging.hearing import Heard, Hearing, decided
from arena.gpu_market.model_judge.answer import Answer, read_answer
from arena.gpu_market.model_judge.question import question
from negotiation.policies import PassedOver

log = logging.getLogger(__name__)

JUDGES = ("hf", "ollama")
"""Backends that can judge; the small model of this house cannot."""
HELD = 0.15
"""The most that a model may add to a score, or take from it."""
MOST_CALLS = 200
"""Questions that one judge may put."""
TRIES = 2
"""How often a question is put where the answer cannot be read."""
GIVE_UP_AFTER = 3
"""Hearings in a row without a verdict after which a model is not asked any more."""
TIMEOUT_S = 20.0
"""Seconds that one question may take in all."""
MOST_TOKENS = 300

Ask = Callable[[Chat], Awaitable[Answered]]
"""Asks a model behind the gates; a ``BackendError`` counts as no answer."""


async def ask_the_site(chat: Chat) -> Answered:
    """Ask this site's larger models, on its own behalf."""
    until = time.monotonic() + TIMEOUT_S
    return await asking.ask(chat, "local", deadline=until, only=JUDGES)


class ModelJudge:
    """Reviews hearings by asking a model; where there is no verdict the rule's stays.

    An instance is a ``Review``. ``calls`` counts the questions put so far.

    Args:
        ask: the way to a model.
        most_calls: questions that may be put in all.
    """

    def __init__(self, ask: Ask = ask_the_site, *, most_calls: int = MOST_CALLS) -> None:
        self.calls = 0
        self._ask = ask
        self._most_calls = most_calls
        self._failures = 0

    def __call__(self, hearing: Hearing) -> Hearing:
        """Review a hearing where no event loop runs; see ``review``."""
        with asyncio.Runner() as runner:
            return runner.run(self.review(hearing))

    async def review(self, hearing: Hearing) -> Hearing:
        """Let a model score a hearing; never raises for the model's sake.

        Returns:
            The hearing with the model's scores, or as it was with ``fallback`` saying why. Where
            nobody proved anything there is nothing to ask.
        """
        if not any(_may_be_moved(heard.card) for heard in hearing.labs):
            return hearing
        if self._failures >= GIVE_UP_AFTER:
            return by_rule(hearing, "given-up")
        chat = Chat(question(hearing), max_new_tokens=MOST_TOKENS, temperature=0.0)
        why = "no-verdict"
        for _ in range(TRIES):
            if self.calls >= self._most_calls:
                return by_rule(hearing, "out-of-calls")
            self.calls += 1
            answered = await self._asked(chat)
            if not answered.backend:
                passed = [f"{one.backend}: {one.why}" for one in answered.passed_over]
                why = ", ".join(passed) or "nobody-to-ask"
                break
            answer = read_answer(answered.text, [heard.lab for heard in hearing.labs])
            if answer is not None:
                self._failures = 0
                return _by_model(hearing, answer, answered.model or answered.backend)
        self._failures += 1
        return by_rule(hearing, why)

    async def _asked(self, chat: Chat) -> Answered:
        try:
            return await self._ask(chat)
        except BackendError as error:
            return Answered(passed_over=(PassedOver("model", error.code),))


def _by_model(hearing: Hearing, answer: Answer, model: str) -> Hearing:
    labs = tuple(_moved(heard, answer.scores[heard.lab]) for heard in hearing.labs)
    return decided(msgspec.structs.replace(hearing, labs=labs, judge=model, remark=answer.remark))


def _may_be_moved(card: Card) -> bool:
    return card.proved > 0 and not card.lies


def _moved(heard: Heard, given: float) -> Heard:
    card = heard.card
    if not _may_be_moved(card):
        return heard
    held = round(min(max(given, card.score - HELD, 0.0), card.score + HELD, 1.0), 4)
    card = msgspec.structs.replace(card, opinion=round(held - card.raw, 4), raw=held, score=held)
    return msgspec.structs.replace(heard, card=card)


def by_rule(hearing: Hearing, why: str) -> Hearing:
    """Leave a hearing to the rule, and note why no model had a say."""
    log.info("No verdict of a model (%s): the rule judges.", why)
    return msgspec.structs.replace(hearing, fallback=why)
