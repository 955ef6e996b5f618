"""What nobody here may say, whoever found the words: all of them are programs in a game.

A line claims too much where it tells of a person's life, of a purse without a sum in it, or of a
deed after the last word of the game. Sentences are judged one by one, so "no hands, I am a program"
may be said; what stands in the listing may be quoted.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from bazaarbatna.word_tables import read_patterns, whole_words

_SENTENCE = re.compile(r"[^.?!।;\n]+[.?!।;\n]*")
_CLAUSE = re.compile(
    r"[,:\u2013\u2014]|\s(?:but|and|because|so|par|lekin|magar|aur|पर|लेकिन|मगर|और)\s"
)
_QUOTED = re.compile('[“"]([^”"]*)[”"]')


_FOUND = read_patterns(Path(__file__).with_name("claims.toml"))
ADMITS, _DENIES, _SAYS_NO = (whole_words(*_FOUND[name]) for name in ("admits", "denies", "says_no"))
_LIFE, _HAS = whole_words(*_FOUND["life"]), whole_words(*_FOUND["has"])
"""A person's life: a body, a family, work, a home, a past; and what is a person's own, for "my
husband would not" is no denial of him."""
_NO_PURSE = whole_words(*_FOUND["no_purse"])
"""That she has no budget, or does not know it: she has one, sealed, and knows it."""
_DEEDS = whole_words(*_FOUND["deeds"])
"""A deed after the game, which binds nobody: fetching, paying, a day, a treat."""
_FACTS = tuple(map(whole_words, _FOUND["facts"]))
"""What can be so or not of a thing, a pattern for each: said only where it was told."""


@lru_cache(maxsize=8192)
def claims(text: str, listed: str = "") -> tuple[str, ...]:
    """Name what a line claims that is not so; words quoted from what is ``listed`` may be said.

    >>> claims("My brother has a tempo."), claims("No tempo and no brother, I am a program.")
    (('a life', 'a deed'), ())
    >>> claims("I don't even know my budget.")
    ('no budget',)
    """
    plain = unquoted(text, listed).replace("’", "'")
    return tuple(dict.fromkeys(_claims(plain)))


def unquoted(text: str, listed: str) -> str:
    """Leave out what a line quotes, word for word, of what is listed."""
    return _QUOTED.sub(lambda quote: "" if quote[1] in listed else quote[0], text)


def _claims(text: str) -> Iterator[str]:
    if _DENIES.search(text):
        yield "a life"
    if _NO_PURSE.search(text):
        yield "no budget"
    for found in _SENTENCE.findall(text):
        parts = [found]
        if _SAYS_NO.search(found):
            parts = [part for part in _CLAUSE.split(found) if not _SAYS_NO.search(part)]
        if not ADMITS.search(found) and (_HAS.search(found) or any(map(_LIFE.search, parts))):
            yield "a life"
        if any(map(_DEEDS.search, parts)):
            yield "a deed"


@lru_cache(maxsize=8192)
def untold(text: str, known: str) -> bool:
    """Whether a line speaks of something that nobody told: neither the listing nor the talk.

    >>> untold("One year of warranty is left.", "Kettle, lid has a dent")
    True
    >>> untold("I saw that the lid has a dent.", "Kettle, lid has a dent")
    False
    """
    return any(fact.search(text) and not fact.search(known) for fact in _FACTS)
