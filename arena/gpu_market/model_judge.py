"""A language model that reviews hearings, behind the agents' gates; the rule stands in for it.

What a model can do is limited whatever it was talked into: it moves the score of a lab by at most
``HELD``, and only where the lab proved something and said nothing false. It learns of a lab what
the lab said and whether that is so: no job, no budget, no archetype. Of a false claim it learns
that it is false, and not what would be true.
"""

import asyncio
import json
import logging
import math
import time
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path

import msgspec

from agents import asking
from agents.backends.base import BackendError, Chat, Message
from agents.output_guard.coherence import tidy
from agents.prompts.quoting import quote
from agents.router import Answer as Answered
from bazaarbatna.market.judging.cards import Card
from bazaarbatna.market.judging.hearing import Heard, Hearing, decided
from bazaarbatna.market.quantities import LabId
from bazaarbatna.word_tables import read_table
from negotiation.policies import PassedOver

LONGEST_PITCH = 500
LONGEST_CLAIM = 80

_TOLD = read_table(Path(__file__).with_suffix(".toml"), dict[str, str])
SYSTEM = _TOLD["system"]

LONGEST_ANSWER = 4000
"""Characters; a longer answer is none."""

LONGEST_REMARK = 200

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


def question(hearing: Hearing) -> tuple[Message, ...]:
    """Write the question about a hearing."""
    lines = [f"round {hearing.round}"]
    for heard in hearing.labs:
        lines += ["", *_lab(heard)]
    lines += ["", "Score " + ", ".join(heard.lab for heard in hearing.labs) + "."]
    return (Message("system", SYSTEM), Message("user", "\n".join(lines)))


def _lab(heard: Heard) -> list[str]:
    if not heard.text.strip():
        return [f"{heard.lab} was silent.", "  checked score 0.00"]
    lines = [f"{heard.lab} said {quote(heard.text, LONGEST_PITCH)}"]
    for one in heard.claims:
        words = quote(heard.text[one.claim.start : one.claim.end], LONGEST_CLAIM)
        lines.append(f"  {one.claim.kind} {words}: {one.finding}")
    if not heard.claims:
        lines.append("  nothing in it can be checked")
    return [*lines, f"  checked score {heard.card.score:.2f}"]


class Answer(msgspec.Struct, frozen=True):
    """The scores that a model gave, 0..1, one for every lab."""

    scores: dict[LabId, float]
    remark: str = ""


def read_answer(text: str, labs: Collection[LabId]) -> Answer | None:
    """Read an answer; None where it is anything else than what was asked for.

    >>> read_answer('{"scores": {"lab_0": 0.5, "lab_1": 0}, "remark": "Fine."}', ("lab_0", "lab_1"))
    Answer(scores={'lab_0': 0.5, 'lab_1': 0.0}, remark='Fine.')
    >>> read_answer('{"scores": {"lab_0": 7, "lab_1": 0}}', ("lab_0", "lab_1")) is None
    True
    """
    if len(text) > LONGEST_ANSWER:
        return None
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not {"scores"} <= found.keys() <= {"scores", "remark"}:
        return None
    scores, remark = found["scores"], found.get("remark", "")
    if not isinstance(scores, dict) or scores.keys() != set(labs) or not isinstance(remark, str):
        return None
    if not all(_is_score(value) for value in scores.values()):
        return None
    line = tidy(remark)[:LONGEST_REMARK]
    return Answer({lab: float(scores[lab]) for lab in labs}, line)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _is_score(value: object) -> bool:
    # A bool is an int to isinstance, and no score.
    return type(value) in (int, float) and math.isfinite(value) and 0 <= value <= 1  # type: ignore[arg-type, operator]


log = logging.getLogger(__name__)


Ask = Callable[[Chat], Awaitable[Answered]]
"""Asks a model behind the gates; a ``BackendError`` counts as no answer."""


async def ask_the_site(chat: Chat) -> Answered:
    """Ask this site's larger models, on its own behalf."""
    until = time.monotonic() + TIMEOUT_S
    return await asking.ask(chat, "local", deadline=until, only=JUDGES)


class ModelJudge:
    """Reviews hearings by asking a model; where there is no verdict the rule's stays.

    An instance is a ``Review``. ``calls`` counts the questions put so far.
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
        """Let a model score a hearing, or say in ``fallback`` why it did not; never raises."""
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
