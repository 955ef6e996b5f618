"""Second thoughts: a bare yes to what was asked back, and words that take a price back."""

import re
from pathlib import Path

from bazaarbatna.word_tables import read_patterns

_FOUND = read_patterns(Path(__file__).with_name("second_thoughts.toml"))
_YES, _WRONG = _FOUND["yes"][0], _FOUND["wrong"][0]
_BARE = re.compile(rf"\W*{_YES}(?:\W+{_YES})*\W*", re.IGNORECASE)
_ONLY_FILLING = re.compile(_FOUND["filling"][0], re.IGNORECASE)
_TAKES_BACK = re.compile(_FOUND["signs"][0], re.IGNORECASE)
_MARKS = r"\u093a-\u094f"
"""Vowel signs of Devanagari, which are no letters by themselves: न is not the first word of नौ."""
_WORD = re.compile(rf"(?<![\w{_MARKS}])(?:{_WRONG})(?![\w{_MARKS}])", re.IGNORECASE)
LONGEST = 60
"""A longer line says more than yes."""


def is_yes(text: str) -> bool:
    """Whether a line says yes and nothing else.

    >>> [is_yes(line) for line in ("haan ji", "हाँ, वही", "that's it?", "yes 4800", "hai na")]
    [True, True, False, False, False]
    """
    if len(text) > LONGEST or "?" in text:
        return False
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return _BARE.fullmatch(plain) is not None and _ONLY_FILLING.fullmatch(plain) is None


def correction(text: str) -> str | None:
    """Return what a line puts in the place of something said before; None: it takes nothing back.

    "" where it says that a price was wrong, and names no other.

    >>> correction("nahi, maine 4800 bola tha"), correction("नहीं, नौ सौ कहा"), correction("4800?")
    ('4800', 'नौ सौ', None)
    >>> correction("nahi, that was not my price!")
    ''
    """
    if _TAKES_BACK.search(text) is None:
        return None
    return _WORD.sub(" ", text).strip(" ,.;:!?-–।'\"")
