"""Questions with one true answer, whoever asks and however often: what she is, and her budget.

Everybody here is a program. A buyer has a budget: it is sealed, and she keeps it to herself.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Literal

import msgspec

from agents.output_guard.coherence import ADMITS
from agents.text.languages import Register
from bazaarbatna.word_tables import read_patterns, read_table, whole_words
from negotiation.plans import MoveName

Truth = Literal["self", "budget"]
WHAT_SHE_IS: Truth = "self"

_FOUND = read_patterns(Path(__file__).with_name("truths.toml"))
_ASKS: dict[Truth, re.Pattern[str]] = {
    "self": whole_words(*_FOUND["self"]),
    "budget": whole_words(*_FOUND["budget"]),
}
_TELLS: dict[Truth, re.Pattern[str]] = {"self": ADMITS, "budget": whole_words(*_FOUND["sealed"])}
_ASIDE = re.compile("|".join(_FOUND["aside"]), re.IGNORECASE)
"""What is said beside, and a machine that is for sale."""


@lru_cache(maxsize=4096)
def asked(text: str) -> tuple[Truth, ...]:
    """Name what a line asks of these; a person is told the truth each time.

    >>> asked("bot ho ya insaan?"), asked("what's your budget then"), asked("are you serious?")
    (('self',), ('budget',), ())
    """
    plain = _ASIDE.sub("", text.replace("’", "'"))
    return tuple(truth for truth in _ASKS if _ASKS[truth].search(plain))


def told(text: str, truth: Truth) -> bool:
    """Whether a line says the truth that was asked for.

    >>> told("A program, yes, and a polite one.", "self"), told("Haan ji, bilkul.", "self")
    (True, False)
    """
    return _TELLS[truth].search(text) is not None


_AFTER_ALL = whole_words(*_FOUND["after_all"])
_OF_COURSE = whole_words(*_FOUND["of_course"])
_HUMAN_FIRST = whole_words(*_FOUND["human_first"])


def misplaced(text: str, question: str, said: Sequence[str]) -> bool:
    """Whether a line nods to "are you human?", or speaks of asking again where it is told first.

    >>> misplaced("Bilkul, program hoon.", "tum insan ho kya", ())
    True
    >>> misplaced("Bilkul, program hoon.", "bot ho kya", ())
    False
    >>> misplaced("Jitni baar poochhenge: program hoon.", "bot ho kya", ())
    True
    """
    if WHAT_SHE_IS not in asked(question):
        return False
    if _HUMAN_FIRST.search(question) and _OF_COURSE.match(text):
        return True
    is_first = not any(told(one, WHAT_SHE_IS) for one in said)
    return is_first and _AFTER_ALL.search(text) is not None


class Answers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said in one language: each truth, and after it what goes with a move, in slots."""

    self: tuple[str, ...]
    budget: tuple[str, ...]
    moves: dict[MoveName, tuple[str, ...]]


LINES = Path(__file__).with_name("lines") / "truths"


@cache
def answers(language: Register) -> Answers:
    """Read the answers of a language."""
    return read_table(LINES / f"{language}.toml", Answers)


def true_lines(
    truths: Sequence[Truth], language: Register, move: MoveName, dice: Random
) -> Iterator[str]:
    """Return lines that say all these truths and go with a move, in a drawn order, in slots."""
    known = answers(language)
    pools = {"self": known.self, "budget": known.budget}
    parts = [dice.sample(pools[truth], len(pools[truth])) for truth in truths]
    after = dice.sample(known.moves[move], len(known.moves[move]))
    for number in range(max(map(len, parts)) * len(after)):
        first = " ".join(pool[number % len(pool)] for pool in parts)
        yield f"{first} {after[(number + number // len(parts[0])) % len(after)]}".strip()
    yield from parts[0]
