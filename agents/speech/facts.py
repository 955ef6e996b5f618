"""Answers to what is asked of a thing of our catalogue: a sentence for each fact its author told.

``negotiation/catalogue/facts/`` holds for each listing what title and text tell, and what is likely
to be asked of it and is not told, in three languages and in the words by which one asks for it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import get_args

import msgspec

from agents.speech.kind_tables import READ_AT_MOST, has_marks
from agents.speech.listing import SAYS_NOTHING
from agents.text.languages import Register
from agents.text.reading.pieces import to_text
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.lazily import lazily
from bazaarbatna.number_words import sound
from bazaarbatna.word_tables import read_table
from negotiation.catalogue.stock import Remarks, clauses_of, remarks_on

LANGUAGES: tuple[Register, ...] = get_args(Register)
IN_TITLE, ANY_ENDING = 0.5, 0.8
"""What a word counts that the title has, by which every question may name the thing; and one of
which the beginning alone is known."""
_DEVANAGARI = re.compile("[\u0904-\u0939]")
BARE, LEAST_BARE = "'", 3
"""What stands before a word of consonants alone, and how many make one."""
BESIDE_LEAST, LEAST, ASKS_ALONE = 1.0, 0.3, 0.6
"""What finds a fact in words that do not ask themselves, and in those that do; what a phrase counts
that only asks."""
LONGEST_ENDING, SHORT, STEM = 4, 3, 4
"""Letters that a star stands for; a word of no more keeps its "s"; how much
of a word says which it is."""
_HOW = frozenset(
    "how many much long old often far big what which where who why when kitna kitne kitni kab kahan"
    " kaun kaunsa kya kyun kaise kis se ka ki ke is it the of sal hai hain nahi na to bhi me mein"
    " par pe ho hua hui kar karna koi ye yeh isko iska ya tha thi kuch sab ghar ek".replace(
        "w", "v"
    ).split()
)
"""Words that ask and name nothing: a phrase of them alone weighs less than any noun."""
PARTS = re.compile(r"(?<=[?,;.!।\n])\s+|\b(?:and|aur)\b|और")
"""What is asked or told side by side."""


_ASKED = read_table(Path(__file__).with_name("asked.toml"), dict[str, dict[str, list[str]]])
_LOOKS = {name: re.compile(one, re.IGNORECASE) for name, (one,) in _ASKED.pop("looks").items()}
CLEARLY = 1.0
"""What finds a fact surely enough to tell of it beside what is not told."""


class Fact(msgspec.Struct, frozen=True):
    """One fact: how it is asked for, each way with its weight, and the answer in each language.

    ``words``: the ways as its author wrote them; ``known``: all that it takes up, and the title.
    """

    asks: tuple[tuple[re.Pattern[str], float], ...]
    answer: tuple[str, ...]
    words: str
    known: str


def answers_to(item: Item, text: str, language: Register) -> tuple[str, ...] | None:
    """Return what a line that asks gets, at most two answers; None where no facts are written."""
    facts = facts_about(item)
    if facts is None:
        return None
    text = text[:READ_AT_MOST]
    # Beside what asks, what is only told is asked for by a noun.
    found = [
        best(facts, part, 0.0 if has_marks(to_text(part)) else BESIDE_LEAST)
        for part in PARTS.split(text)
    ]
    whole = [] if any(found) else [best(facts, text, 0.0)]
    at = LANGUAGES.index(language)
    return tuple(dict.fromkeys(fact.answer[at] for fact in (*found, *whole) if fact))[:2]


class Property(msgspec.Struct, frozen=True):
    """What can be asked of a thing: its name in each language, and how it is asked and told."""

    names: tuple[str, ...]
    pattern: re.Pattern[str]
    near: str
    of: str


class Told(msgspec.Struct, frozen=True):
    """What is told to a question, the names of what is not, and what is near to that.

    ``is_silent``: of what was asked it only says that it is not told; ``is_partial``: it
    was asked for more than is told.
    """

    clauses: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    is_silent: bool = False
    is_partial: bool = False


@lazily
def properties() -> list[Property]:
    """Return all that is asked of things, read once for each process."""
    return [
        Property((name, *row[:2]), re.compile(row[2], re.IGNORECASE), "".join(row[3:]), of)
        for of, rows in _ASKED.items()
        for name, row in rows.items()
    ]


@lru_cache(maxsize=4096)
def asked_in(text: str) -> list[Property]:
    """Name what a part of a question asks for, in its order."""
    found = {
        one.names: (at.start(), one) for one in properties() if (at := one.pattern.search(text))
    }
    there = [one for _, one in sorted(found.values(), key=lambda pair: pair[0])]
    return [one for one in there if one.of == "named"] or there


def names_a_property(text: str) -> bool:
    """Whether something in particular is named that can be asked of a thing."""
    return any(one.of == "named" for one in asked_in(text))


def told_of(item: Item, question: str, language: Register) -> Told | None:
    """Return what is told of each thing that a question asks for; None where no facts are written.

    What a fact tells beside it ("seals and other parts are not mentioned") nobody asked.
    """
    facts = facts_about(item)
    if facts is None:
        return None
    at, parts = LANGUAGES.index(language), PARTS.split(_LOOKS["denied"].sub("", question))
    told = [(part, [*_told_in(facts, part, at)]) for part in parts]
    found = [one for _, there in told for one in there]
    if any(not there and has_marks(to_text(part)) for part, there in told) and found:
        found.append(Told(is_partial=True))
    if not found:
        whole = best(facts, question, LEAST)
        found = [_of_fact(whole, question, at)] if whole else []
    return together(found)


def together(found: Iterable[Told]) -> Told:
    """Return several answers as one."""
    every = list(found)
    return Told(
        _each(text for one in every for text in one.clauses),
        _each(text for one in every for text in one.missing),
        _each(text for one in every for text in one.near),
        is_silent=any(one.is_silent for one in every),
        is_partial=any(one.is_partial for one in every),
    )


def _each(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _told_in(facts: Sequence[Fact], part: str, at: int) -> Iterator[Told]:
    names = asked_in(part)
    for one in names:
        yield _of_property(facts, one, part, at)
    fact = None if names else best(facts, part, LEAST if has_marks(to_text(part)) else BESIDE_LEAST)
    if fact:
        yield _of_fact(fact, part, at)


def _leaves_open(fact: Fact, part: str) -> bool:
    """Whether more is asked than an answer takes up, which does not say so itself."""
    words = (one for one in spelt(part).split() if len(one) > SHORT and one not in _HOW)
    rest = [one for one in words if one not in SAYS_NOTHING and f" {one[:STEM]}" not in fact.known]
    return bool(rest) and not any(map(_is_open, _clauses(fact)))


def _of_property(facts: Sequence[Fact], one: Property, part: str, at: int) -> Told:
    holding = [fact for fact in facts if any(one.pattern.search(said) for said in fact.answer)]
    fact, clauses = best(holding, part, -1.0), list[str]()
    if fact is None:
        asked = best([fact for fact in facts if one.pattern.search(fact.words)], part, 0.0)
        # What its author lets ask for something else, beside what is told, is not that.
        if asked and not any(map(_is_open, _clauses(asked))):
            fact, clauses = asked, [asked.answer[at]]
    else:
        there = _clauses(fact)
        held = [said for said in there if any(map(one.pattern.search, said))]
        clauses = [said[at] for said in held if not _is_list(said)]
        # What is told goes before the one thing of it that is not.
        if clauses and all(map(_is_open, held)) and best([fact], part, CLEARLY):
            clauses = [fact.answer[at]]
    near = best(facts, one.near, 0.0) if one.near and not clauses else None
    return Told(
        tuple(clauses),
        () if clauses else (one.names[at],),
        _of_fact(near, one.near, at).clauses if near else (),
        is_partial=bool(clauses and fact and _leaves_open(fact, part)),
    )


def _of_fact(fact: Fact, text: str, at: int) -> Told:
    there = _clauses(fact)
    kept = tuple(said[at] for said in there if not _is_list(said))
    if len(kept) == len(there):
        return Told((fact.answer[at],), is_partial=_leaves_open(fact, text))
    named = [one for said in there if _is_list(said) for one in _items(said[at])]
    line = spelt(text)
    ways = [way for way, _ in fact.asks if way.search(line)]
    missing = [one for one in named if any(way.search(spelt(one)) for way in ways)]
    if missing:
        return Told(missing=tuple(missing))
    # What stands behind a list of what is not told is an aside.
    return Told(is_silent=True) if _is_list(there[0]) else Told(kept)


def _items(clause: str) -> Iterator[str]:
    """Name what a clause lists: of "Music, AC and the horn are not told" each of the three."""
    for part in _LOOKS["between"].split(clause):
        one = _LOOKS["tail"].sub("", part).strip()
        yield one[:1].lower() + one[1:] if one[1:2].islower() else one


def _clauses(fact: Fact) -> list[tuple[str, ...]]:
    """Part an answer in its clauses, each in all languages."""
    parts = [clauses_of(said) for said in fact.answer]
    alike = len({len(one) for one in parts}) == 1
    return list(zip(*parts, strict=True)) if alike else [fact.answer]


def _is_open(said: Sequence[str]) -> bool:
    return _LOOKS["untold"].search(said[0]) is not None


def _is_list(said: Sequence[str]) -> bool:
    return _is_open(said) and _LOOKS["lists"].search(said[0]) is not None


def reasons(item: Item, side: str, language: Register) -> tuple[str, ...]:
    """Return what speaks for the price of a side, by the listing; nothing where none is written."""
    remarks, at = remarks_on(item.condition), LANGUAGES.index(language)
    if remarks is None:
        return ()
    return tuple(one[at] for one in (remarks.less if side == "buyer" else remarks.more))


def best(facts: Sequence[Fact], text: str, least: float) -> Fact | None:
    """Return the fact of which most ways of asking are in a text; None below the least."""
    line = spelt(text)
    if _DEVANAGARI.search(text):
        line += _bare(line)
    weights = [sum(weight for way, weight in one.asks if way.search(line)) for one in facts]
    most = max(weights, default=-1.0)
    return facts[weights.index(most)] if most > least or most == least > 0 else None


@lru_cache(maxsize=64)
def facts_about(item: Item) -> tuple[Fact, ...] | None:
    """Return the facts of a thing of our catalogue; None of another."""
    remarks = remarks_on(item.condition)
    return None if remarks is None else tuple(_read(remarks, item.title))


_FLAWS = "defect*, wrong with, is wrong, whats wrong, flaw*, not working, bad about, kya gadbad"
"""Anybody's words for a defect, whatever the thing."""


def _read(remarks: Remarks, title: str) -> Iterable[Fact]:
    ways = [
        [way for one in asks.replace("defect*", _FLAWS).split(",") if "#" not in (way := _way(one))]
        for asks, *_ in remarks.facts
    ]
    shared = Counter(way for there in ways for way in dict.fromkeys(there))
    named = spelt(title)
    for there, (asks, *answer) in zip(ways, remarks.facts, strict=True):
        patterns = {way: re.compile("|".join((way, *_bare_way(way)))) for way in there}
        yield Fact(
            tuple(
                (found, _weight(way, named=bool(found.search(named))) / shared[way])
                for way, found in patterns.items()
            ),
            tuple(answer),
            asks,
            f"{named}{spelt(' '.join((asks, *answer)))}",
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
    plain = re.escape(spelt(word.rstrip("*")).strip())
    return rf"{plain}\S{{0,{LONGEST_ENDING}}}" if word.endswith("*") else plain


def spelt(text: str) -> str:
    """Write a line in the one spelling, of one or several, a word between two spaces each."""
    words = (sound(piece.text).replace("z", "j") for piece in to_text(text).pieces)
    one_each = (one[:-1] if len(one) > SHORT and one.endswith("s") else one for one in words)
    return f" {' '.join(one_each)} "
