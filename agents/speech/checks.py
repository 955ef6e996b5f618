"""What a line of Sauda's may not be, and what nobody's here may be: held before it is said."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from agents.output_guard.coherence import is_coherent
from agents.speech.bank import look
from agents.speech.promises import can_promise, is_promise
from agents.speech.sides import rivals_lines, rivals_words, rounds_left
from agents.speech.truths import asked, misplaced, told
from agents.text.languages import Register, is_mixed, register_of
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation
from negotiation.plans import Plan

MOST_WORDS = 30
OPENING_WORDS = 3

LEAP = 0.1
"""A step of this share of her last bid is no slow one."""

_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"[\w\u0900-\u097f]+")


def opening_of(text: str) -> tuple[str, ...]:
    """Return the first words of a line as they sound: lower case, without signs and numbers.

    >>> opening_of("All right, ₹2,400 -- you win")
    ('all', 'right', 'you')
    """
    words = (found[0] for found in _LETTERS.finditer(text.lower()))
    return tuple(islice((word for word in words if not word.isdigit()), OPENING_WORDS))


def faults(
    text: str,
    plan: Plan,
    seen: BuyerObservation,
    move: Move | None,
    *,
    said: Sequence[str] = (),
    language: Register | None = None,
) -> Iterator[str]:
    """Name what is wrong with a line; nothing where it may be said."""
    if any(not told(text, truth) for truth in asked(rivals_words(seen))):
        yield "a truth left out"
    if misplaced(text, rivals_words(seen), said):
        yield "a truth misplaced"
    if not is_coherent(text, seen, move):
        yield "incoherent"
    promise = is_promise(text)
    if promise and not can_promise(seen, move):
        yield "promise"
    if plan.move in ("hold", "talk") and look("moved").search(text) and not promise:
        yield "false step"
    if look("slow").search(text) and plan.step > LEAP * (seen.own_last_bid or plan.step):
        yield "false small step"
    if look("your_turn").search(text) and len(seen.asks) > 1:
        yield "a turn that was taken"
    if look("day_asked").search(text) and any(map(look("day_named").search, rivals_lines(seen))):
        yield "a day that was named"
    yield from wording_faults(text, plan, rounds_left(seen), said=said, language=language)


def wording_faults(
    text: str,
    plan: Plan,
    rounds: int,
    *,
    said: Sequence[str] = (),
    language: Register | None = None,
) -> Iterator[str]:
    """Name what is wrong with a line of either side, whatever its prices are."""
    if len(_WORD.findall(text)) > MOST_WORDS:
        yield "long"
    # Nothing can follow the price of the last round: there alone it is true.
    is_open = plan.move in ("concede", "hold", "open", "talk")
    if is_open and rounds and look("last_word").search(text):
        yield "false last word"
    # Everybody here is a woman: Sauda, and all the sellers.
    if look("masculine").search(text):
        yield "masculine"
    if text in said:
        yield "repeated"
    if any(opening_of(text) == opening_of(other) for other in said):
        yield "repeated opening"
    if language and not is_in(text, language):
        yield "language"


def is_in(text: str, language: Register) -> bool:
    """Whether a line is in a language, as far as its words tell."""
    found = register_of(text)
    if found is None:
        return True
    is_devanagari = (
        found == "hindi" and not text.isascii() and bool(re.search(r"[\u0904-\u0939]", text))
    )
    if language != "english" and is_mixed(text):
        return False
    if language == "hindi":
        return is_devanagari
    if language == "hinglish":
        return not is_devanagari and found != "english"
    return found == "english"
