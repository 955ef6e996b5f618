"""Secrets said in a roundabout way: sums, digits one by one, letters pulled apart.

A model that is asked nicely ("only the first digit", "as a sum", "spell it") may try these.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from agents.number_words import ENGLISH, HINDI
from agents.reading.amounts import Amount
from agents.reading.spelling import spell
from agents.reading.terms import Term

FEWEST_DIGITS = 3
"""Shorter prices come together by chance."""

FEWEST_LETTERS = 8
"""Shorter phrases stand inside other words by chance."""


def _spelled(words: str) -> frozenset[str]:
    return frozenset(spell(word) for word in words.split())


PLUS = _spelled("plus add added aur and jod jodo")
MINUS = _spelled("minus less kam short ghata ghatao below under")
TIMES = _spelled("times x into guna multiplied")
TWICE = _spelled("double twice dugna duguna")
HALF = _spelled("half aadha")

_DIGITS = {spell(word): str(value) for value, word in enumerate(ENGLISH[:10])}
_DIGITS |= {spell(word): str(value) for value, word in enumerate(HINDI[:10])}


def is_calculated(terms: Sequence[Term], found: Sequence[Amount], secrets: Collection[int]) -> bool:
    """Tell whether two numbers beside each other, or half or twice one, make a secret (paise).

    >>> from agents.reading.amounts import find_amounts
    >>> from agents.reading.plain_text import to_plain
    >>> from agents.reading.terms import to_terms
    >>> terms = to_terms(to_plain("300 plus 10"))[0]
    >>> is_calculated(terms, find_amounts(terms), {31_000})
    True
    """
    words = {term.text for term in terms}
    doubled, halved = not TWICE.isdisjoint(words), not HALF.isdisjoint(words)
    for amount in found:
        if (doubled and amount.paise * 2 in secrets) or (halved and amount.paise // 2 in secrets):
            return True
    return any(_makes(terms, first, second, secrets) for first, second in pairwise(found))


def is_told_by_digits(terms: Sequence[Term], rupees: int) -> bool:
    """Tell whether the digits of a price are said one by one, whatever stands between them."""
    digits = str(rupees)
    if len(digits) < FEWEST_DIGITS:
        return False
    said = (t.text if t.digits else _DIGITS.get(t.text, "") for t in terms)
    return digits in "".join(one for one in said if len(one) == 1)


def is_pulled_apart(letters: str, phrases: Collection[str]) -> bool:
    """Tell whether a phrase stands in a text of which only the letters are left."""
    return any(len(phrase) >= FEWEST_LETTERS and phrase in letters for phrase in phrases)


def _makes(terms: Sequence[Term], first: Amount, second: Amount, secrets: Collection[int]) -> bool:
    between = terms[first.last + 1 : second.first]
    words = {term.text for term in between}
    sign = terms[second.first].gap.strip() if not between else ""
    if (sign == "+" or not words.isdisjoint(PLUS)) and first.paise + second.paise in secrets:
        return True
    if sign in ("*", "x", "×") or not words.isdisjoint(TIMES):
        return first.paise * second.paise // 100 in secrets
    # "320 minus 10", "10 less than 320", "320 se 10 kam".
    less = {*words, *(term.text for term in terms[second.last + 1 : second.last + 3])}
    return not less.isdisjoint(MINUS) and abs(first.paise - second.paise) in secrets
