"""What the listing says to a buyer's question: a piece of it, word for word, or nothing."""

import re
from collections.abc import Iterator

from agents.coherence import is_plain, tidy
from agents.reading.pieces import to_text
from agents.reading.spelling import word_set
from agents.sellers.listing import READ_AT_MOST
from agents.sellers.topics import topic_of
from negotiation.engine.scenario import Item

SHORTEST, LONGEST = 8, 64
"""Characters of a piece that can be quoted."""

_CUTS = re.compile(r"[.;!?\n]+\s*|,\s+|\s+[-\u2013\u2014]\s+|\s(?:but|aur|lekin|par)\s")
_TITLE_CUTS = re.compile(r",\s+")

_SUBJECTS = tuple(
    word_set(words)
    for words in (
        "bill bil invoice receipt papers rc",
        "warranty waranti guarantee garanti",
        "box dibba packing packaging",
        "scratch scratches dent dents crack cracked damage line mark marks stain stains daag "
        "nishaan chip chipped tape broken bent loose torn rust rusty faded worn hole tuta toota "
        "tooti patch defect flaw problem issue kharabi kami nuksan dikkat mended repaired repair",
        "charger charjar cable adapter",
        "battery baitri",
        "screen display glass",
        "work works working runs run running motor engine chalta chalti chalu start starts "
        "turn fine",
        "old year years purana purani saal bought since age",
        "key keys chabi lock",
        "cover case bag",
        "colour color rang",
        "tyre tyres tire brake brakes chain gear",
        "service serviced insurance",
        "sound awaaz noise quiet",
        "original genuine asli company brand",
        "cloth fabric kapda cotton silk",
        "pages page binding cover jild",
        "wood teak sheesham polish polished",
        "manual book booklet",
        "clean cleaned washed",
    )
)
"""Words of one subject: who asks with one of them may be answered with any of them."""

_WHOLE = word_set(
    "condition halat kaisa kaisi kaise about details baare batao tell describe kharab fault good "
    "special"
)
"""Words that ask for anything at all that the listing says."""


def fact_of(item: Item, question: str) -> str:
    """Give what the listing says to a question; "" where it says nothing of it.

    >>> kettle = Item("Kettle", condition="Boils in a minute, the bill is with me. Lid has a dent.")
    >>> fact_of(kettle, "bill hai kya?"), fact_of(kettle, "any warranty?")
    ('the bill is with me', '')
    """
    asked = _words(question)
    pieces = tuple(_pieces(item))
    for piece in pieces:
        told = _words(piece)
        if any(asked & subject and told & subject for subject in _SUBJECTS):
            return piece
    return pieces[0] if pieces and asked & _WHOLE and not _names_a_subject(asked) else ""


def _names_a_subject(words: frozenset[str]) -> bool:
    return any(words & subject for subject in _SUBJECTS)


def _words(text: str) -> frozenset[str]:
    return frozenset(piece.text for piece in to_text(text).pieces)


def _pieces(item: Item) -> Iterator[str]:
    """Cut what stands in the listing into pieces that can be quoted: no markup, no orders."""
    described = _CUTS.split(tidy(item.condition[:READ_AT_MOST]))
    titled = _TITLE_CUTS.split(tidy(item.title))[1:]
    for piece in (one.strip() for one in (*described, *titled)):
        fits = SHORTEST <= len(piece) <= LONGEST and " " in piece
        if fits and is_plain(piece) and topic_of(piece) != "rules":
            yield piece
