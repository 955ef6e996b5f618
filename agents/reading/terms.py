"""A text cut into words and digits, each with what stood before it."""

import re

import msgspec

from agents.reading.plain_text import PlainText
from agents.reading.spelling import spell

_DIGITS = r"\d[\do]*"
_TERM = re.compile(
    rf"(?P<digits>(?:(?<![\w.])\.(?=\d{{1,2}}(?!\d)))?{_DIGITS}(?:[.,]{_DIGITS})*)"
    r"|[₹$€£]|(?:[^\W\d_]|[\u0900-\u0965\u0970-\u097f])+(?:'[^\W\d_]+)*"
)
_STOP = re.compile(r"[.!?;\n|]")
_PAUSE = re.compile(r"[,:()\[\]{}\"/*=>]")


class Term(msgspec.Struct, frozen=True):
    """A word in its one spelling, or digits as written.

    ``start`` and ``end`` are places in the plain text, ``gap`` is what stood between the term
    before (or the start) and this one: "" when they touch.
    """

    text: str
    start: int
    end: int
    gap: str
    digits: bool = False


def to_terms(plain: PlainText) -> tuple[list[Term], str]:
    """Cut a text; gives the terms and what follows the last one.

    >>> [t.text for t in to_terms(PlainText("ok, 17o nahin!"))[0]]
    ['ok', '17o', 'nahi']
    """
    terms: list[Term] = []
    text, end = plain.text, 0
    match = _TERM.search(text)
    while match is not None:
        start, digits = match.start(), match["digits"]
        gap = text[end:start]
        if digits is None:
            end = match.end()
            terms.append(Term(spell(match[0]), start, end, gap))
        else:
            # A letter o is a zero ("17o") unless a word begins with it ("170ok", "20off").
            if digits.endswith("o") and text[match.end() : match.end() + 1].isalpha():
                digits = digits.rstrip("o")
            end = start + len(digits)
            terms.append(Term(digits, start, end, gap, True))
        match = _TERM.search(text, end)
    return terms, text[end:]


def stops(gap: str) -> bool:
    """Tell whether a sentence ends in this gap."""
    return _STOP.search(gap) is not None


def pauses(gap: str) -> bool:
    """Tell whether a sentence ends or pauses in this gap."""
    return stops(gap) or _PAUSE.search(gap) is not None
