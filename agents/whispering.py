"""Which words of an unfinished answer may be shown already.

Words are shown only when nothing that follows can make them wrong to have been shown: they hold
no number in digits or words, no markup, and belong to a price that is going to be played.
"""

import functools
import json
import re
from collections.abc import Callable

from agents.dialects.parsing import Parsed, parse
from agents.output_guard.coherence import MAX_MESSAGE, is_plain, tidy
from agents.output_guard.secrets import amounts_in
from agents.text.reading.number_words import ENGLISH, ENGLISH_TENS, HALVES, HINDI, QUARTERS, SCALES
from agents.text.reading.plain_text import to_plain
from agents.text.reading.spelling import WORDS as DEVANAGARI
from negotiation.policies import Whisper

_MESSAGE = re.compile(r'"message"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_UNFINISHED_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_BREAK = re.compile(r"[\s,.;:!?…/()'\"-]+")

_NUMBER_WORDS = frozenset(
    {word for words in (ENGLISH, ENGLISH_TENS, HINDI) for word in words}
    | {name for scales in SCALES.values() for _, name in scales}
    | set(HALVES.values())
    | {quarter[1] for quarter in QUARTERS}
    | {"hazar", "hajar", "hajaar", "k", "lac", "lakhs", "half", "aadha", "sawa", "sade", "saade"}
)

LOOKS_BACK = 8
"""Words before the latest that a number could have begun with."""

Plays = Callable[[Parsed], bool]
"""Tells whether a proposal is going to be played as it is, with its own words."""


class Whispering:
    """Hears an answer being made and passes on the words that may be seen."""

    def __init__(self, whisper: Whisper, plays: Plays) -> None:
        self._whisper = whisper
        self._plays = plays
        self._answer = ""
        self._verdict: bool | None = None
        self._shown = ""

    def hear(self, piece: str) -> None:
        """Take the next piece of the answer; an empty one means that somebody else begins."""
        if not piece:
            self._answer, self._verdict = "", None
            return
        self._answer += piece
        begun = _MESSAGE.search(self._answer)
        if begun is None or self._verdict is False:
            return
        if self._verdict is None:
            self._verdict = self._is_played(self._answer[: begun.start()])
        words = sayable(_unescape(begun[1])) if self._verdict else ""
        if len(words) > len(self._shown):
            self._shown = words
            self._whisper(words)

    def _is_played(self, before: str) -> bool:
        proposal = parse(f'{before}"message": "..."}}')
        return proposal is not None and self._plays(proposal)


def sayable(words: str) -> str:
    """Return the words up to the first that could be, or become, part of a number.

    The last word is still growing and is left out.

    >>> sayable("Bhai battery thodi weak hai, 165 se zya")
    'Bhai battery thodi weak hai,'
    >>> sayable("Arre chaa")
    'Arre'
    """
    kept: list[str] = []
    # More than a message is never shown: a model's flood of words must not cost more either.
    for word in tidy(words[: 4 * MAX_MESSAGE])[:MAX_MESSAGE].split(" ")[:-1]:
        if _counts(word) or _adds_up((*kept[-LOOKS_BACK:], word)):
            break
        kept.append(word)
    text = " ".join(kept)
    return text if len(text) <= MAX_MESSAGE and is_plain(text) else ""


@functools.lru_cache(maxsize=4096)
def _adds_up(latest: tuple[str, ...]) -> bool:
    """Whether words that are no numbers make one together."""
    return bool(amounts_in(" ".join(latest)))


@functools.lru_cache(maxsize=4096)
def _counts(word: str) -> bool:
    # A capital within a word may be a Roman numeral or a code.
    if word[1:] != word[1:].lower():
        return True
    plain = to_plain(word).text
    letters = {DEVANAGARI.get(part, part) for part in _BREAK.split(plain)}
    return any(c.isnumeric() or c in "₹$" for c in word + plain) or bool(letters & _NUMBER_WORDS)


def _unescape(raw: str) -> str:
    try:
        return str(json.loads(f'"{_UNFINISHED_ESCAPE.sub("", raw)}"', strict=False))
    except ValueError:
        return ""
