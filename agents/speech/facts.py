"""Answers to what is asked of a thing of our catalogue: a sentence for each fact its author told.

``negotiation/catalogue/facts/`` holds for each listing what title and text tell, and what is likely
to be asked of it and is not told, in three languages and in the words by which one asks for it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import get_args

import msgspec

from agents.speech.kind_tables import READ_AT_MOST, has_marks
from agents.text.languages import Register
from agents.text.reading.pieces import to_text
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.number_words import sound
from negotiation.catalogue.stock import Remarks, remarks_on

LANGUAGES: tuple[Register, ...] = get_args(Register)
IN_TITLE, ANY_ENDING = 0.5, 0.8
"""What a word counts that the title has, by which every question may name the thing; and one of
which the beginning alone is known."""
_DEVANAGARI = re.compile("[\u0904-\u0939]")
BARE, LEAST_BARE = "'", 3
"""What stands before a word of consonants alone, and how many make one."""
BESIDE_LEAST, ASKS_ALONE = 1.0, 0.6
"""What finds a fact in words that do not ask themselves; what a phrase counts that only asks."""
LONGEST_ENDING, SHORT = 4, 3
"""Letters that a star stands for; a word of no more keeps its "s"."""
_HOW = frozenset(
    "how many much long old often far big what which where who why when kitna kitne kitni kab kahan"
    " kaun kaunsa kya kyun kaise kis se ka ki ke is it the of sal hai hain nahi na to bhi me mein"
    " par pe ho hua hui kar karna koi ye yeh isko iska ya tha thi kuch sab ghar ek".replace(
        "w", "v"
    ).split()
)
"""Words that ask and name nothing: a phrase of them alone weighs less than any noun."""
_PARTS = re.compile(r"(?<=[?,;.!।\n])\s+|\b(?:and|aur)\b|और")
"""What is asked or told side by side."""


class Fact(msgspec.Struct, frozen=True):
    """One fact: how it is asked for, each way with its weight, and the answer in each language."""

    asks: tuple[tuple[re.Pattern[str], float], ...]
    answer: tuple[str, ...]


def answers_to(item: Item, text: str, language: Register) -> tuple[str, ...] | None:
    """Return what a line that asks gets, at most two answers; None where no facts are written."""
    facts = _facts(item)
    if facts is None:
        return None
    text = text[:READ_AT_MOST]
    # Beside what asks, what is only told is asked for by a noun.
    found = [
        _best(facts, part, 0.0 if has_marks(to_text(part)) else BESIDE_LEAST)
        for part in _PARTS.split(text)
    ]
    whole = [] if any(found) else [_best(facts, text, 0.0)]
    at = LANGUAGES.index(language)
    return tuple(dict.fromkeys(fact.answer[at] for fact in (*found, *whole) if fact))[:2]


def left_open(item: Item, text: str) -> tuple[str, ...]:
    """Return the parts of a question of which no fact speaks."""
    facts = _facts(item) or ()
    parts = [one for one in _PARTS.split(text[:READ_AT_MOST]) if facts and one.strip()]
    return tuple(one for one in parts if not _best(facts, one, 0.0))


def reasons(item: Item, side: str, language: Register) -> tuple[str, ...]:
    """Return what speaks for the price of a side, by the listing; nothing where none is written."""
    remarks, at = remarks_on(item.condition), LANGUAGES.index(language)
    if remarks is None:
        return ()
    return tuple(one[at] for one in (remarks.less if side == "buyer" else remarks.more))


def smiles(item: Item, language: Register) -> tuple[str, ...]:
    """Return what is said of a thing to who jokes; nothing where that is not written."""
    remarks = remarks_on(item.condition)
    return tuple(one[LANGUAGES.index(language)] for one in remarks.smile) if remarks else ()


def _best(facts: Sequence[Fact], text: str, least: float) -> Fact | None:
    line = _spelt(text)
    if _DEVANAGARI.search(text):
        line += _bare(line)
    weights = [sum(weight for way, weight in one.asks if way.search(line)) for one in facts]
    most = max(weights)
    return facts[weights.index(most)] if most > least or most == least > 0 else None


@lru_cache(maxsize=64)
def _facts(item: Item) -> tuple[Fact, ...] | None:
    remarks = remarks_on(item.condition)
    return None if remarks is None else tuple(_read(remarks, item.title))


def _read(remarks: Remarks, title: str) -> Iterable[Fact]:
    ways = [
        [way for one in asks.split(",") if "#" not in (way := _way(one))]
        for asks, *_ in remarks.facts
    ]
    shared = Counter(way for there in ways for way in dict.fromkeys(there))
    named = _spelt(title)
    for there, (_, *answer) in zip(ways, remarks.facts, strict=True):
        patterns = {way: re.compile("|".join((way, *_bare_way(way)))) for way in there}
        yield Fact(
            tuple(
                (found, _weight(way, named=bool(found.search(named))) / shared[way])
                for way, found in patterns.items()
            ),
            tuple(answer),
        )


_AS_SPOKEN = tuple(
    (re.compile(found), put)
    for found, put in (
        ("n(?=[bp])", "m"), ("g(?=[ei])", "j"), ("tion", "shn"), ("ght", "t"), ("ph", "f"),
        ("c(?=[eiy])", "s"), ("c(?!h)|q", "k"), ("x", "ks"), ("[aeiouy]", ""), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip


def _bare(line: str) -> str:
    """Write words as their consonants: "rimot" and "remote" are one; shorter ones stay out."""
    words = []
    for word in line.split():
        if word in _HOW:
            continue
        stem, star, ending = word.partition(r"\S{")
        for found, put in _AS_SPOKEN:
            stem = found.sub(put, stem)
        words.append(f"{BARE}{stem}{star}{ending}" if len(stem) >= LEAST_BARE else f"{BARE}{word}")
    return f" {' '.join(words)} "


def _bare_way(way: str) -> tuple[str, ...]:
    """Return the pattern of what is left of a way; none where a word of it only asks."""
    bare = _bare(way)
    return (bare,) if len(bare.split()) == len(way.split()) else ()


def _weight(way: str, *, named: bool) -> float:
    if _HOW.issuperset(way.split()):
        return ASKS_ALONE
    weight = ANY_ENDING if way.endswith("} ") else 1.0
    return weight * len(way.split()) * (IN_TITLE if named else 1.0)


def _way(phrase: str) -> str:
    """Write words one behind the other as a pattern; a star stands for any ending."""
    return " ".join(("", *map(_word, phrase.split()), ""))


def _word(word: str) -> str:
    spelt = re.escape(_spelt(word.rstrip("*")).strip())
    return rf"{spelt}\S{{0,{LONGEST_ENDING}}}" if word.endswith("*") else spelt


def _spelt(text: str) -> str:
    """Write a line in the one spelling, of one or several, a word between two spaces each."""
    words = (sound(piece.text).replace("z", "j") for piece in to_text(text).pieces)
    one_each = (one[:-1] if len(one) > SHORT and one.endswith("s") else one for one in words)
    return f" {' '.join(one_each)} "
