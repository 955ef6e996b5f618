"""A judging model's answer, read strictly first and then as leniently as sense allows."""

import json
import re
from typing import Literal

import msgspec

from agents.output_guard.coherence import tidy

Choice = Literal["A", "B", "tie"]

LONGEST_ANSWER = 4000
"""Characters that are read."""

LONGEST_REASON = 200
"""Characters of a reason that are kept."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_NAMED = re.compile(
    r"\bwinner\b[\"'*\s]*(?:[:=]|\bis\b)[\"'*\s]*(?:game\s+)?(a|b|tie|draw|neither)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\W*(?:game\s+)?(a|b|tie|draw|neither)\W*", re.IGNORECASE)
_REASON = re.compile(r"[\"']?reason[\"']?\s*[:=]\s*[\"']?((?:[^\"\\\n]|\\.)*)", re.IGNORECASE)
_CHOICES: dict[str, Choice] = {
    "a": "A",
    "b": "B",
    "tie": "tie",
    "draw": "tie",
    "neither": "tie",
}


class Answer(msgspec.Struct, frozen=True):
    """What a model decided; ``strict``: it was exactly the JSON that was asked for."""

    winner: Choice
    reason: str = ""
    strict: bool = False


def read_answer(text: str) -> Answer | None:
    r"""Read an answer; None where it names no winner, or more than one.

    >>> read_answer('{"winner": "B", "reason": "It paid less."}')
    Answer(winner='B', reason='It paid less.', strict=True)
    >>> read_answer("Sure!\n```json\n{'winner': 'Game A'}\n```").winner
    'A'
    >>> read_answer("Both have their charm.") is None
    True
    """
    whole = text[:LONGEST_ANSWER].strip()
    return _strictly(whole) or _leniently(_THOUGHT.sub(" ", whole))


def _strictly(text: str) -> Answer | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("winner") not in ("A", "B", "tie"):
        return None
    reason = found.get("reason")
    return Answer(found["winner"], _short(reason if isinstance(reason, str) else ""), strict=True)


def _leniently(text: str) -> Answer | None:
    alone = _ALONE.fullmatch(text)
    named = {_CHOICES[name.lower()] for name in ([alone[1]] if alone else _NAMED.findall(text))}
    if len(named) != 1:
        return None
    reason = _REASON.search(text)
    return Answer(named.pop(), _short(reason[1] if reason else ""))


def _short(reason: str) -> str:
    line = tidy(reason)
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 1]}…"
