"""A model's second look at a line: it may add tells to those of the tables, never take one away.

The rule of merging: the tables keep all their spans and scores. A model's span is added where no
span of the tables for the same signal overlaps it, with its score held inside ``HELD``. Urgency,
deception and escalation join as two reasons do and so only rise; confidence and the state of the
goods are the model's only where the tables found none. Prices are not its business.
"""

import logging
import math
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import get_args

import json_repair
import msgspec

from agents.backends.base import Chat, Message
from agents.dialects.parsing import THOUGHT
from agents.prompts.quoting import quote
from agents.text.tells.reader import MAX_SPANS
from agents.text.tells.words import SignalName
from bazaarbatna.bargain.tells import CONDITIONS, Tells, TellSpan
from bazaarbatna.word_tables import read_table
from negotiation.readers import Reading

SIGNALS: tuple[SignalName, ...] = get_args(SignalName)

MAX_ANSWER = 6_000

MAX_MARKS = 3

MAX_QUOTE = 200
"""A longer quote points at nothing."""

LEAST = 0.3
"""A weaker urgency, deception or escalation is not worth a mark."""

HELD: dict[SignalName, tuple[float, float]] = {
    "urgency": (0.0, 0.6),
    "deception": (0.0, 0.6),
    "escalation": (0.0, 0.6),
    "confidence": (0.3, 0.75),
    "condition": (0.3, 0.85),
}
"""Between which scores a model's mark is held: it may be a guess, a phrase of the tables is not."""

WHY: dict[SignalName, str] = {
    "urgency": "A model reads haste or need in these words.",
    "deception": "A model reads pressure here that nobody can check.",
    "confidence": "A model reads in these words how firmly you hold your price.",
    "condition": "A model reads the state of the goods here.",
    "escalation": "A model reads temper in these words.",
}


def read_answer(answer: str, text: str) -> tuple[TellSpan, ...]:
    """Read a model's marks; never raises. What is not in the text is dropped.

    >>> answer = '```json {"urgency": [{"quote": "jaldi", "score": 0.9}]}'
    >>> [(span.start, span.end, span.score) for span in read_answer(answer, "bhai jaldi bolo")]
    [(5, 10, 0.6)]
    >>> read_answer('{"urgency": [{"quote": "dying", "score": 1}]}', "bhai jaldi bolo")
    ()
    """
    marks = _load(answer)
    spans: list[TellSpan] = []
    for signal in SIGNALS:
        for quoted, score in _entries(marks.get(signal)):
            place = _place(quoted, text)
            if place is not None and not _covered(spans, signal, place):
                spans.append(TellSpan(*place, signal, _held(signal, score), WHY[signal]))
    return tuple(sorted(spans, key=lambda span: (span.start, span.end, span.signal)))


def _load(answer: str) -> dict[str, object]:
    text = THOUGHT.sub(" ", answer[:MAX_ANSWER])
    start = text.find("{")
    if start < 0:
        return {}
    try:
        value = json_repair.loads(text[start:])
    # A repairer of broken text meets text that breaks it; then there is no answer in it.
    except Exception:  # noqa: BLE001
        return {}
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, dict)), {})
    if not isinstance(value, dict):
        return {}
    return {str(key).strip().lower(): item for key, item in value.items()}


def _entries(value: object) -> Iterator[tuple[str, float]]:
    items = value if isinstance(value, list) else [value]
    read = 0
    for item in items[: 4 * MAX_MARKS]:
        if not isinstance(item, dict) or read >= MAX_MARKS:
            continue
        quoted = item.get("quote") or item.get("evidence") or item.get("text")
        score = _score(item.get("score"))
        if isinstance(quoted, str) and score is not None:
            read += 1
            yield quoted, score


def _score(value: object) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value.strip())
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Compared, never computed with: an integer of 400 digits becomes no float.
    return float(value) if 0 <= value <= 1 and not (value != value or value == math.inf) else None


def _held(signal: SignalName, score: float) -> float:
    low, high = HELD[signal]
    return round(min(max(score, low), high), 2)


def _place(quoted: str, text: str) -> tuple[int, int] | None:
    words = quoted.split()
    if not words or len(quoted) > MAX_QUOTE or not any(c.isalnum() for c in quoted):
        return None
    pattern = r"\s+".join(re.escape(word) for word in words)
    head = r"(?<!\w)" if words[0][0].isalnum() else ""
    tail = r"(?!\w)" if words[-1][-1].isalnum() else ""
    found = re.search(head + pattern + tail, text, re.IGNORECASE)
    return found.span() if found else None


def _covered(spans: list[TellSpan], signal: SignalName, place: tuple[int, int]) -> bool:
    start, end = place
    return any(s.signal == signal and start < s.end and s.start < end for s in spans)


TELLS_PROMPT_VERSION = "1"

MAX_QUOTED = 800

MAX_NEW_TOKENS = 220

_TOLD = read_table(Path(__file__).with_suffix(".toml"), dict[str, str])
SYSTEM = _TOLD["system"]


def tells_chat(text: str) -> Chat:
    """Make the question about a line; below 4,000 characters whatever the line holds."""
    user = Message("user", f"The line: {quote(text, MAX_QUOTED)}")
    return Chat((Message("system", SYSTEM), user), MAX_NEW_TOKENS, temperature=0.0, top_p=1.0)


log = logging.getLogger(__name__)

Ask = Callable[[Chat], Awaitable[str | None]]

_RISING = {
    "urgency": "verbal_urgency",
    "deception": "verbal_deception_cue",
    "escalation": "emotional_escalation",
}


async def read_more(text: str, reading: Reading, ask: Ask) -> Reading:
    """Let a model look at a line that the tables have read, and add what it finds."""
    return merge(reading, await ask_for_spans(text, ask))


async def ask_for_spans(text: str, ask: Ask) -> tuple[TellSpan, ...]:
    """Return a model's spans alone; empty when it has none, or there is no answer."""
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
    """Return the reading of tables that found nothing: what a model reads alone is added to it."""
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
