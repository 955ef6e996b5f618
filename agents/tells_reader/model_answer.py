"""A model's marks on a line, believed only as far as the line itself bears them out."""

import math
import re
from collections.abc import Iterator
from typing import get_args

import json_repair

from agents.tells_reader.cue import SignalName
from negotiation.engine.tells import TellSpan

SIGNALS: tuple[SignalName, ...] = get_args(SignalName)

MAX_ANSWER = 6_000
"""Characters of an answer that are read."""

MAX_MARKS = 3
"""Marks of one signal that are read."""

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

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


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
    text = _THOUGHT.sub(" ", answer[:MAX_ANSWER])
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
    """Find a quote in the text, whatever its case and spaces; never inside a word."""
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
