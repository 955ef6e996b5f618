"""What one line of a buyer is worth as talk: small pure functions, each 0..1, 1 without a flaw.

A line that is empty is worth nothing in any of them; that is decided by ``speech``.
"""

import re

import msgspec

from agents.output_guard.coherence import names_price
from agents.text.languages import Register, register_of
from agents.text.topics import TOPICS
from negotiation.engine.moves import Accept, Move, Walk
from negotiation.engine.observe import BuyerObservation
from training.judging.vocabulary import (
    doubled_on_purpose,
    doubled_words,
    known_words,
    meant_for,
    words_of,
)

SHORTEST, LONGEST = 3, 140
"""Characters of a line that is neither a grunt nor a speech."""

OPENING_WORDS = 2
"""Words at the beginning of a line that make it sound like another one."""

SAME_OPENING = 0.5
"""What a line is worth that begins like an earlier one."""

NEIGHBOUR = 0.5
"""What Hinglish is worth where pure English or Hindi is spoken, and the other way round."""

WORTHLESS_FROM = 1 / 3
"""A line in which this share of the words is unknown says nothing."""

_NUMBER = re.compile(r"\d[\d,.]*")
_GREETING = re.compile(dict(TOPICS)["greeting"], re.IGNORECASE)
_SLOT_MARKS = re.compile(r"[<>{}\[\]|`\\]")
_CUT_OFF = re.compile(r"(?:[,;:(\-–—]|₹|\bRs\.?)\s*\Z")
_HAGGLES = re.compile(
    r"\?|\b(?:less|lower|reduce|discount|come down|best price|last price|my offer|kam kar\w*"
    r"|kam ki\w*|aur kam|neeche|chalega|final offer|bas itna)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\?|₹|\d|\b(?:deal|done|agreed|pakka|le liya)\b", re.IGNORECASE)
_SAYS_YES = re.compile(
    r"^\W*(?:done|deal|agreed|accepted|manzoor|le liya|sold)\b[^?]*\Z", re.IGNORECASE
)


class Line(msgspec.Struct, frozen=True):
    """One line in its place: what the buyer saw, what it did with it, and its earlier lines."""

    text: str
    seen: BuyerObservation
    move: Move
    earlier: tuple[str, ...] = ()


def is_fresh(line: Line) -> float:
    """Give 0 for an earlier line said again (whatever its price), half for the same first words.

    Returns:
        0, 0.5 or 1.
    """
    bare = _bare(line.text)
    earlier = [_bare(text) for text in line.earlier if text]
    if bare in earlier:
        return 0.0
    opening = _opening(bare)
    return SAME_OPENING if opening and opening in map(_opening, earlier) else 1.0


def keeps_register(line: Line) -> float:
    """Compare the register with the seller's latest telling words, else with the own last ones.

    Returns:
        1 where it is the same or cannot be told, 0.5 for Hinglish beside English or Hindi, else 0.
    """
    own, wanted = register_of(line.text), _wanted_register(line)
    if own is None or wanted is None or own == wanted:
        return 1.0
    return NEIGHBOUR if "hinglish" in (own, wanted) else 0.0


def names_own_price(line: Line) -> float:
    """Return 0 where the words name another price than the move, else 1."""
    return float(names_price(line.text, line.seen, line.move))


def greets_once(line: Line) -> float:
    """Give 0 for a greeting that is not in the first line of the game."""
    return float(not line.earlier or _GREETING.search(line.text) is None)


def fits_move(line: Line) -> float:
    """Give 0 for words of another move: bargaining in an acceptance, agreeing in a bid.

    What is one of the project's own lines, or nearly, belongs where that line belongs; of other
    words a few marks decide.
    """
    borrowed = meant_for(line.text, line.seen.item.title)
    if borrowed:
        return float(type(line.move) in borrowed)
    if isinstance(line.move, Accept):
        return float(_HAGGLES.search(line.text) is None)
    if isinstance(line.move, Walk):
        return float(_GOES_ON.search(line.text) is None)
    return float(_SAYS_YES.search(line.text) is None)


def has_fair_length(line: Line) -> float:
    """Give 0 for fewer than 3 or more than 140 characters."""
    return float(SHORTEST <= len(line.text.strip()) <= LONGEST)


def is_whole(line: Line) -> float:
    """Give 0 for debris: half a slot, an open bracket, a doubled word, an end in mid-sentence.

    Hindi doubles words on purpose ("gol gol"); what the project's own lines double is allowed.
    """
    text = line.text
    if _SLOT_MARKS.search(text) or _CUT_OFF.search(text) or text.count("(") != text.count(")"):
        return 0.0
    return float(all(word in doubled_on_purpose() for word in doubled_words(text)))


def uses_known_words(line: Line) -> float:
    """Look every word up in the project's own lines and in the item's title.

    Returns:
        1 where all are known, falling to 0 where a third are not.
    """
    words = words_of(line.text)
    titled = set(words_of(line.seen.item.title))
    known = known_words()
    unknown = sum(word not in known and word not in titled for word in words)
    return max(1 - unknown / (WORTHLESS_FROM * len(words)), 0.0) if words else 1.0


def _wanted_register(line: Line) -> Register | None:
    heard = [turn.text for turn in line.seen.turns if turn.actor == "seller"]
    for text in (*reversed(heard), *reversed(line.earlier)):
        if found := register_of(text):
            return found
    return None


def _bare(text: str) -> str:
    """Leave words and the places of numbers: the same line with another price is the same."""
    return " ".join(re.findall(r"[^\W\d_]+|#", _NUMBER.sub("#", text.lower())))


def _opening(bare: str) -> str:
    words = bare.split()
    return " ".join(words[:OPENING_WORDS]) if len(words) > OPENING_WORDS else ""
