"""A model's second look at a line: it may add tells to those of the tables, never take one away.

The rule of merging: the tables keep all their spans and scores. A model's span is added where no
span of the tables for the same signal overlaps it, with its score held inside ``HELD``. Urgency,
deception and escalation join as two reasons do and so only rise; confidence and the state of the
goods are the model's only where the tables found none. Prices are not its business.
"""

import logging
from collections.abc import Awaitable, Callable

import msgspec

from agents.backends.base import Chat
from agents.tells_reader.model_answer import LEAST, read_answer
from agents.tells_reader.model_prompt import tells_chat
from agents.tells_reader.reader import MAX_SPANS
from negotiation.engine.tells import CONDITIONS, Tells, TellSpan
from negotiation.readers import Reading

log = logging.getLogger(__name__)

Ask = Callable[[Chat], Awaitable[str | None]]
"""Asks a model behind the gates; None when nobody answered."""

_RISING = {
    "urgency": "verbal_urgency",
    "deception": "verbal_deception_cue",
    "escalation": "emotional_escalation",
}


async def read_more(text: str, reading: Reading, ask: Ask) -> Reading:
    """Let a model look at a line that the tables have read.

    Args:
        text: the seller's words.
        reading: what the tables read in them.
        ask: the way to a model; whatever it raises counts as no answer.

    Returns:
        The reading with what the model adds; the same reading when it adds nothing.
    """
    return merge(reading, await ask_for_spans(text, ask))


async def ask_for_spans(text: str, ask: Ask) -> tuple[TellSpan, ...]:
    """Give a model's spans alone; empty when it has none, or there is no answer."""
    if not any(character.isalpha() for character in text):
        return ()
    try:
        answer = await ask(tells_chat(text))
    # The tables have read the line already: no fault of a model may cost the turn.
    except Exception:
        log.exception("a model could not be asked for tells")
        return ()
    return read_answer(answer, text) if answer else ()


def merge(reading: Reading, found: tuple[TellSpan, ...]) -> Reading:
    """Add a model's spans to a reading; see the rule above."""
    added = [span for span in found if _is_new(span, reading.spans) and _is_worth(span)]
    added = added[: max(MAX_SPANS - len(reading.spans), 0)]
    if not added:
        return reading
    spans = sorted((*reading.spans, *added), key=lambda span: (span.start, span.end, span.signal))
    tells = _goods(_confidence(_risen(reading.tells, added), reading, added), reading, added)
    return Reading(tells, tuple(spans))


def silent() -> Reading:
    """Give the reading of tables that found nothing: what a model reads alone is added to it."""
    return Reading(Tells(verbal_urgency=0.0, verbal_deception_cue=0.0, emotional_escalation=0.0))


def _is_new(span: TellSpan, known: tuple[TellSpan, ...]) -> bool:
    same = [one for one in known if one.signal == span.signal]
    return not any(span.start < one.end and one.start < span.end for one in same)


def _is_worth(span: TellSpan) -> bool:
    return span.signal not in _RISING or span.score >= LEAST


def _risen(tells: Tells, added: list[TellSpan]) -> Tells:
    changes = {}
    for signal, field in _RISING.items():
        scores = [span.score for span in added if span.signal == signal]
        if scores:
            before: float = getattr(tells, field) or 0.0
            changes[field] = round(1 - (1 - before) * (1 - max(scores)), 3)
    return msgspec.structs.replace(tells, **changes)


def _confidence(tells: Tells, reading: Reading, added: list[TellSpan]) -> Tells:
    scores = [span.score for span in added if span.signal == "confidence"]
    if not scores or any(span.signal == "confidence" for span in reading.spans):
        return tells
    return msgspec.structs.replace(tells, verbal_confidence=round(sum(scores) / len(scores), 3))


def _goods(tells: Tells, reading: Reading, added: list[TellSpan]) -> Tells:
    scores = [span.score for span in added if span.signal == "condition"]
    if not scores or reading.tells.condition_score is not None:
        return tells
    # One broken part spoils the rest.
    score = round((min(scores) + sum(scores) / len(scores)) / 2, 3)
    label = min(CONDITIONS, key=lambda name: abs(CONDITIONS[name][0] - score))
    return msgspec.structs.replace(
        tells,
        condition_score=score,
        depreciation_score=CONDITIONS[label][1],
        condition_label=label,
    )
