"""Which words of an unfinished answer may be shown: what follows cannot make them wrong."""

import functools
import re
from collections.abc import Callable

from agents.dialects.parsing import Parsed, parse
from agents.output_guard.coherence import MAX_MESSAGE, is_plain, tidy
from agents.output_guard.secrets import amounts_in
from agents.text.reading.plain_text import to_plain
from agents.text.reading.spelling import WORDS as DEVANAGARI
from bazaarbatna.number_words import ENGLISH, ENGLISH_TENS, HALVES, HINDI, QUARTERS, SCALES
from negotiation.partial_text import PartialAnswer
from negotiation.policies import ShowPartialText

_BREAK = re.compile(r"[\s,.;:!?…/()'\"-]+")

_NUMBER_WORDS = frozenset(
    {word for words in (ENGLISH, ENGLISH_TENS, HINDI) for word in words}
    | {name for scales in SCALES.values() for _, name in scales}
    | set(HALVES.values())
    | {quarter[1] for quarter in QUARTERS}
    | {"hazar", "hajar", "hajaar", "k", "lac", "lakhs", "half", "aadha", "sawa", "sade", "saade"}
)

LOOKS_BACK = 8

Plays = Callable[[Parsed], bool]


def partial_answer(show: ShowPartialText, plays: Plays) -> PartialAnswer:
    """Make a reader that shows what may be seen; ``plays`` is asked once the price is known."""

    def is_played(before: str) -> bool:
        proposal = parse(f'{before}"message": "..."}}')
        return proposal is not None and plays(proposal)

    return PartialAnswer(show, is_played, sayable)


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
    return bool(amounts_in(" ".join(latest)))


@functools.lru_cache(maxsize=4096)
def _counts(word: str) -> bool:
    # A capital within a word may be a Roman numeral or a code.
    if word[1:] != word[1:].lower():
        return True
    plain = to_plain(word).text
    letters = {DEVANAGARI.get(part, part) for part in _BREAK.split(plain)}
    return any(c.isnumeric() or c in "₹$" for c in word + plain) or bool(letters & _NUMBER_WORDS)
