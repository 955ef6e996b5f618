"""What a seller can say of the listing itself: its name, and words of its description."""

import re

from agents.coherence import amounts_in, is_plain, sayable, tidy
from agents.sellers.topics import topic_of
from negotiation.engine.scenario import Item

SHORTEST, LONGEST = 12, 64
"""Characters of a piece of the description that can be quoted."""

READ_AT_MOST = 600
"""Characters of a description that are looked at."""

_CUTS = re.compile(r"[.;:!?\n]+\s*|,\s+|\s+[-\u2013\u2014]\s+")
_QUOTABLE = re.compile(r"[^\W\d_](?:[^\W\d_]|[ '’-])*[^\W\d_]\Z")
_WITH = re.compile(r"\s(?:with|on|for|in|from|by)\s")
_JOINING = "and but or so if the a with for of to aur par lekin toh ki ka ke jo"
_HANGING = frozenset(_JOINING.split())
_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = (
    "this that with from have been only very good also they them your yours mine will would could "
    "what when where which there here than then just like more less much some good aapka hain "
    "nahi bhi wala wali piece price rate please offer"
)
_EMPTY = frozenset(_COMMON.split())


def name_of(item: Item, fallback: str) -> str:
    """Give the item's title as it can be said in a sentence, else the fallback.

    >>> name_of(Item("Folding high chair with tray, green"), "piece")
    'Folding high chair'
    """
    title = sayable(item.title)
    short = _WITH.split(title, maxsplit=1)[0]
    return (short if " " in short else title) or fallback


def details(item: Item) -> tuple[str, ...]:
    """Cut the description into pieces that can be quoted: plain words, no number, no orders.

    >>> details(Item("Fan", condition="Runs quietly at all speeds, one blade was bent in 2019."))
    ('Runs quietly at all speeds',)
    """
    pieces = (piece.strip() for piece in _CUTS.split(tidy(item.condition[:READ_AT_MOST])))
    return tuple(dict.fromkeys(piece for piece in pieces if _is_quotable(piece)))


def telling_words(text: str) -> frozenset[str]:
    """Give the words of a text that are about something, in small letters."""
    return frozenset(_WORD.findall(text.lower())) - _EMPTY


def is_anchored(text: str, item: Item) -> bool:
    """Tell whether a message speaks of this listing.

    One telling word of the title or the category is enough, of the description it takes two.
    """
    said = telling_words(text)
    named = telling_words(f"{item.title} {item.category}")
    return bool(said & named) or len(said & telling_words(item.condition)) > 1


def _is_quotable(piece: str) -> bool:
    words = piece.lower().split()
    return (
        SHORTEST <= len(piece) <= LONGEST
        and len(words) > 1
        and words[0] not in _HANGING
        and words[-1] not in _HANGING
        and _QUOTABLE.match(piece) is not None
        and is_plain(piece)
        and not amounts_in(piece)
        and topic_of(piece) != "rules"
    )
