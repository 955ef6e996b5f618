"""What keeps a number from being a price: a condition, what was said before, the thing itself."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from agents.text.reading.answer import FILLERS, Standing, questioned
from agents.text.reading.phrases import AMOUNT, CLASSES, Phrasebook, Piece
from agents.text.reading.pieces import Said, Text, to_text
from agents.text.reading.spelling import word_set
from bazaarbatna.word_tables import read_table


class _Hedges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    conditions: tuple[str, ...]
    repeated: tuple[str, ...]
    held: tuple[str, ...]
    not_own: str
    complaints: str
    mended: str
    past: str
    traded: str
    others: str
    scorn: str
    commits: str
    own_price: str


_TABLE = read_table(Path(__file__).with_suffix(".toml"), _Hedges)
_CONDITIONS: Phrasebook[None] = Phrasebook(((row, None) for row in _TABLE.conditions), CLASSES)
_REPEATED: Phrasebook[None] = Phrasebook(((row, None) for row in _TABLE.repeated), CLASSES)
_HELD: Phrasebook[None] = Phrasebook(((row, None) for row in _TABLE.held), CLASSES)
_NOT_OWN = word_set(_TABLE.not_own)
_COMPLAINTS, _MENDED = word_set(_TABLE.complaints), word_set(_TABLE.mended)
_PAST, _TRADED = word_set(_TABLE.past), word_set(_TABLE.traded)
_OTHERS, _SCORN = word_set(_TABLE.others), word_set(_TABLE.scorn)
COMMITS, OWN_PRICE = word_set(_TABLE.commits), word_set(_TABLE.own_price)
_SHOPS = CLASSES["platform"] - word_set("online net internet")  # "5000 online" is how it is paid
_LIKE_YOURS = re.compile(
    r"\b(?:aap(?:ke|ki|ka)?|tum(?:hare|hari|hara)?|is|iske) (?:\w+ )?(?:jais[aei]|tarah)\b"
    r"|\b(?:just |exactly )?(?:like|as) (?:you|yours?|this|it)\b(?: one\b)?"
)
"""With these "yours" is a comparison, and commits nobody."""
LEAST_TOLD = 3
"""Fewer words beside the numbers tell nothing."""


def tells_only(clause: Sequence[str]) -> bool:
    """Whether a clause with a number tells what others paid, or scorns it, and commits nobody."""
    there = frozenset(_LIKE_YOURS.sub(" similar ", " ".join(clause)).split())
    told = (there & _TRADED and there & _OTHERS) or there & (_SCORN | _SHOPS)
    is_long = len(clause) - clause.count(AMOUNT) >= LEAST_TOLD
    return bool(told) and is_long and not there & (COMMITS | OWN_PRICE)


def tells_of_the_past(text: Text) -> bool:
    """Whether a line speaks of something that was: "pehle", "already"."""
    return not _PAST.isdisjoint(piece.text for piece in text.pieces)


def hangs(text: Text) -> bool:
    """Whether a price depends on what has to be given beside it: "32000 if you add the bag"."""
    flowing = [Piece(piece.text) for piece in text.pieces]
    hits = _CONDITIONS.find(flowing)
    return any(Piece(AMOUNT) not in flowing[hit.first + 1 : hit.last] for hit in hits)


def repeats(text: Text, price: int | None) -> bool:
    """Whether a price is one that its speaker says to have said: "I told you 19500 already"."""
    places = {item.piece for item in text.said if item.amount.paise == price}
    words = [piece.text for piece in text.pieces]
    mends = words[0] in _MENDED or {("not", AMOUNT), ("nahi", AMOUNT)} & {*pairwise(words)}
    hits = _REPEATED.find(text.pieces)
    return not mends and any(places & {*range(hit.first, hit.last + 1)} for hit in hits)


def holds(text: Text) -> bool:
    """Whether a line without a number stays with the own price: "same as I told you before"."""
    flowing = [Piece(piece.text) for piece in text.pieces]
    is_held = not text.said and any(True for _ in _HELD.find(flowing))
    return is_held and not (questioned(text) or tells_of_others(text))


def tells_of_others(text: Text) -> bool:
    """Whether a line speaks of the price of the other side, or of somebody else's."""
    return not _NOT_OWN.isdisjoint(piece.text for piece in text.pieces)


def complains(text: Text) -> bool:
    """Whether a line asks, or complains that nobody listens."""
    return questioned(text) or not _COMPLAINTS.isdisjoint(piece.text for piece in text.pieces)


def without_measures(text: Text, listing: str, standing: Standing) -> Text:
    """Leave out the numbers that a listing has of the thing: "GTX 1650", "is it 210?".

    Those that stand beside the same word, or have three digits and can be no next price.
    """
    if not listing or standing.ask is None or len(text.pieces) == 1:
        return text
    known = to_text(listing)
    plain = [item for item in known.said if not item.marked]
    beside = {pair for item in plain for pair in _neighbours(known, item)}
    large = {item.amount.paise for item in plain if item.amount.paise >= LARGE}
    free = (item for item in text.said if not (item.marked or item.amount.scaled))
    named = {
        item.piece
        for item in free
        if item.amount.paise not in (standing.ask, standing.bid)
        and (
            not beside.isdisjoint(_neighbours(text, item))
            or (item.amount.paise in large and not standing.allows(item.amount.paise))
        )
    }
    words = [
        Piece(_MEASURE, piece.breaks) if place in named else piece
        for place, piece in enumerate(text.pieces)
    ]
    said = [item for item in text.said if item.piece not in named]
    return msgspec.structs.replace(text, pieces=words, said=said)


LARGE = 100_00
_MEASURE = "measure"


def _neighbours(text: Text, item: Said) -> set[tuple[int, str, int]]:
    """Return a number with the telling words beside it, and the side on which each stands."""
    places = ((side, item.piece + side) for side in (-1, 1))
    near = [(side, text.pieces[at].text) for side, at in places if 0 <= at < len(text.pieces)]
    return {
        (side, word, item.amount.paise)
        for side, word in near
        if len(word) > 1 and word not in FILLERS and word != AMOUNT
    }
