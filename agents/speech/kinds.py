"""What a line of the other side is: its kinds, from the tables and from what it means."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from agents.speech.bank import look
from agents.speech.kind_tables import (
    READ_AT_MOST,
    Kind,
    answers,
    by_phrases,
    cut,
    has_marks,
    statements,
    told_by_words,
    topics,
)
from agents.speech.meant import NONE_ASKED, NOT_ASKED, OF_NO_KIND, kinds_meant, meant
from agents.speech.truths import asked
from agents.text.acts.acts import is_question
from agents.text.languages import FEW_WORDS, nearest_to_other
from agents.text.reading.pieces import to_text
from bazaarbatna.lazily import kept

LOSSES = frozenset({"loss", "illness", "distress"})
OTHER_LANGUAGE = "other_language"
PERSONAL = frozenset({"where_from", "how_far", "her_name", "her_life", "no_family"})
ABOUT_HER = "about_her"
"""The kind that answers two questions of her person at once."""
NO_LIFE, HOW_ARE_YOU = "no_life", "how_are_you"
DEFECT, PRAISED, CALLED_THIEF = "defect", "praised", "called_thief"
BY_PHRASE = frozenset(
    {CALLED_THIEF, "you_were_leaving", "heartbreak", "celebration", "gap_asked", "why_step",
     "poor_haggler"}
)  # fmt: skip
"""Kinds that are seldom said, or never learned from: a phrase alone tells them."""
LIFE = frozenset(
    {"no_family", "her_life", "have_none", "her_place", "her_body", "for_whom", "can_you",
     "bought_before"}
)  # fmt: skip
"""Kinds that ask for a person's life, of which a program has none."""
LIKELY, LIKELY_OF_MANY = 0.55, 0.65
"""From here on a line is taken for a kind, its own likelihood and that of kinds alike together; a
line of many words needs more."""
IN_PART = 0.8
"""What a sentence of a line says of it, beside the whole line."""
NOTHING = 0.6
"""From here on a line is of no kind, whatever the tables find in it."""
THANKS, TEASED = "thanks", "teased"
"""Kinds that are an aside in a line of many words, and that only their own words tell."""
FEW = 10
"""In a line of more words than these some word always tells something."""
BARELY, BARELY_OF_MANY = 0.12, 0.35
"""Below this a kind that the tables find is none: a word was taken for another."""
GRAVE, GRAVE_ALONE = 0.01, 0.6
"""From here on grief that the tables find goes first; what only the model finds needs more."""
SURE_IN_PART, TOLD_IN_PART = 0.6, 0.25
"""A second question is this likely, by its own few words; and where a phrase tells it, too."""
BESIDE_A_PRICE = 0.55
"""A kind of a line that names a price is this likely, else the price is spoken of."""
LATER = 0.5
"""A second kind of a line is this likely beside the first at least."""
SHORT = 8
"""Words of a line that tells of one thing."""
SENTENCE = re.compile(r"[^?.!।\n]+[?.!।\n]*")
_BESIDE = re.compile(r"[,;]|\b(?:and|aur)\b|और")
"""What is asked side by side."""


@kept(4096)
def likely(text: str) -> tuple[str, ...]:
    """Name the kinds that a line is likely to be of, the likeliest first, of kinds alike one.

    >>> likely("meri beti ki shaadi mein mila tha yeh")[0]
    'from_a_wedding'
    """
    text = text[:READ_AT_MOST]
    asides = {*OF_NO_KIND, THANKS} if len(text.split()) > FEW else OF_NO_KIND
    parts = [part for part in SENTENCE.findall(text) if part.strip()]
    weighed = dict[str, tuple[float, float]]()
    for part, share in ((text, 1.0), *((one, IN_PART) for one in parts if len(parts) > 1)):
        for kind, own in meant(part).items():
            together = share * with_alike(part, kind)
            weighed[kind] = max(weighed.get(kind, (0.0, 0.0)), (together, own))
    found, least = list[str](), LIKELY if len(text.split()) <= FEW else LIKELY_OF_MANY
    for kind in sorted(weighed, key=lambda one: weighed[one], reverse=True):
        is_sure = weighed[kind][0] >= (LATER if found else least)
        if is_sure and kind not in asides and not any(are_alike(kind, one) for one in found):
            found.append(kind)
    return tuple(found)


def is_surely(text: str, kind: str) -> bool:
    """Whether a kind is likely enough to be spoken to where a price came along."""
    return _is_weighed(kind) and with_alike(text, kind) >= BESIDE_A_PRICE


def with_alike(text: str, kind: str) -> float:
    """Return how likely a line is of a kind or of one alike (0..1)."""
    shares = meant(text[:READ_AT_MOST])
    return max(_share(shares, *group) for group in _groups(kind))


def is_ruled_out(text: str, kind: str) -> bool:
    """Whether a kind that a word seems to tell is none that the line could mean."""
    least = BARELY if len(text.split()) <= FEW else BARELY_OF_MANY
    return _is_weighed(kind) and with_alike(text, kind) < least


def _is_weighed(kind: str) -> bool:
    return not frozenset().union(*_groups(kind)).isdisjoint(kinds_meant())


@cache
def _groups(kind: str) -> tuple[frozenset[str], ...]:
    """Return the groups of kinds alike that a kind is in; itself where it is in none."""
    told = (frozenset(group.split()) for group in answers().alike)
    groups = tuple(group for group in (LIFE | {NO_LIFE}, *told) if kind in group)
    return groups or (frozenset({kind}),)


@kept(4096)
def kind_of(text: str) -> str:
    """Name the kind of a line that has a plain answer; "" where it is of none.

    >>> kind_of("how did u get to 6700 tho?"), kind_of("auto ka kiraya kaun dega")
    ('why_number', 'delivery_paid')
    """
    text = text[:READ_AT_MOST]
    name = _best(text)
    if is_foreign(text):
        return OTHER_LANGUAGE
    if name in PERSONAL and len(topics(to_text(text))) > 1:
        return ABOUT_HER
    # Of a loss that is nobody's here, or laughed at, nobody is consoled.
    return "" if name in LOSSES and not look("mourns").search(text) else name


@kept(4096)
def is_foreign(text: str) -> bool:
    """Whether a line is in a language that she does not speak, and nothing in it is known.

    >>> is_foreign("kiti kami karal?"), is_foreign("last price kitna?")
    (True, False)
    """
    if not nearest_to_other(text):
        return False
    return not likely(text) or (len(text.split()) <= FEW_WORDS and not by_phrases(text))


def _best(text: str) -> str:
    known, kinds = by_phrases(text), answers().kinds
    known = "" if known == THANKS and len(text.split()) > FEW else known
    if not to_text(text).pieces:
        return known
    shares, found = meant(text), likely(text)
    grave = tuple(name for name, kind in kinds.items() if kind.grave)
    # In a long line a death may stand in one sentence of many.
    most = max(_share(meant(one), *grave) for one in (text, *SENTENCE.findall(text)))
    if is_grave(known) and (known not in shares or most >= GRAVE):
        return known
    if known in BY_PHRASE:
        return known
    for place, name in enumerate(found):
        # Small talk goes before only where it is what the line is about.
        if name in kinds and (not place or is_question(kinds[name].act)):
            is_seldom = kinds[name].grave and shares[name] < GRAVE_ALONE
            # Of kinds alike a phrase tells which.
            is_told = known not in LIFE and are_alike(known, name)
            said = known if known and is_told else name
            return "" if is_seldom else said
    if known and not found and not _is_weighed(known):
        return known
    if found or _share(shares, *OF_NO_KIND) >= NOTHING:
        return NO_LIFE if not found and _share(shares, *LIFE) > LIKELY else ""
    if _share(shares, *LIFE) > LIKELY:
        return NO_LIFE
    return known if known and not is_ruled_out(text, known) else ""


def _share(shares: dict[str, float], *kinds: str) -> float:
    return sum(shares.get(kind, 0.0) for kind in kinds)


@kept(4096)
def told_in(text: str) -> tuple[tuple[str, str], ...]:
    """Name the kinds of statement that a line makes, and the thing that each names, if any.

    Where it makes none, the kind is "".

    >>> told_in("the rear tyre is worn"), told_in("the screen has no scratch, sir")
    ((('defect', 'rear tyre'),), (('praised', 'screen'),))
    """
    by_words, thing = told_by_words(text)
    things, kinds, found = dict(by_words), statements().kinds, likely(text)
    if found and found[0] in answers().kinds and not is_question(answers().kinds[found[0]].act):
        return (("", thing),)
    # In a long line the first thing need not be the one that was told of.
    near = thing if len(text.split()) <= SHORT else ""
    # A denied fault is none, and who tells of a faulty whistle does not leave because of it.
    swaps = {"leaving": DEFECT} if DEFECT in things and "leaving" not in things else {}
    swaps |= {DEFECT: PRAISED} if PRAISED in things and DEFECT not in things else {}
    found = tuple(swaps.get(name, name) for name in found)
    found = tuple(name for name in found if name != TEASED or name in things)
    told = [(name, things.get(name, near)) for name in found if name in kinds]
    if not found:
        shares = meant(text[:READ_AT_MOST])
        if _share(shares, *OF_NO_KIND) < NOTHING:
            told = [(name, near) for name, near in by_words if not is_ruled_out(text, name)]
    return tuple(told) or (("", thing),)


@kept(4096)
def puts_a_question(text: str) -> bool:
    """Whether a line asks: by its mark, by its words, or as one of a kind of question does.

    >>> puts_a_question("kahan se ho"), puts_a_question("aap gaadi chalate ho ya sirf mol bhav")
    (True, True)
    >>> puts_a_question("the tyres are new")
    False
    """
    name, kinds = kind_of(text), answers().kinds
    if name in kinds and is_question(kinds[name].act):
        return True
    shares = meant(text[:READ_AT_MOST])
    if shares[NOT_ASKED] > LIKELY:
        return False
    return shares[NONE_ASKED] > LIKELY or has_marks(cut(text))


@lru_cache(maxsize=4096)
def asked_together(text: str, first: str) -> tuple[str, ...]:
    """Name the kinds of a line of two questions, as they were asked; () for a line of one.

    ``first`` is the kind of the whole line; "" where a truth is asked for, which has no kind.

    >>> asked_together("why 6700, and who pays delivery?", "delivery_paid")
    ('why_number', 'delivery_paid')
    """
    found, kinds = list[str](), answers().kinds
    for part, mark in _asked_beside(text[:READ_AT_MOST]):
        name = _best(f"{part}{mark}")
        name = "" if not first and asked(part) else name
        least = TOLD_IN_PART if by_phrases(part) == name else SURE_IN_PART
        is_sure = with_alike(part, name) >= least
        is_put = is_sure and name in kinds and (kinds[name].if_asking or _asked(kinds[name], mark))
        if name and (name == first or is_put):
            found.append(name)
    personal = PERSONAL.intersection(found)
    if len(personal) > 1 or (personal and not first):
        return (ABOUT_HER,)
    found = [name for name in found if first != ABOUT_HER or name not in PERSONAL]
    second = next((name for name in found if not are_alike(name, first)), "")
    if not second or not first:
        return (second,) if second else ()
    if first in found and not kinds[first].grave:
        return tuple(sorted((first, second), key=found.index))
    return first, second


def _asked_beside(text: str) -> Iterator[tuple[str, str]]:
    for sentence in SENTENCE.findall(text):
        for part in _BESIDE.split(sentence):
            if len(part.split()) > 1:
                yield part, "?" if "?" in sentence else ""


def _asked(kind: Kind, mark: str) -> bool:
    return is_question(kind.act) or (bool(mark) and not kind.act.startswith("reason:"))


def are_alike(name: str, other: str) -> bool:
    """Whether the answers to two kinds say the same."""
    return any(other in group for group in _groups(name))


def is_grave(name: str) -> bool:
    """Whether a kind is one of grief or illness."""
    return bool(name) and name in answers().kinds and answers().kinds[name].grave
