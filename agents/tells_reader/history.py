"""What a line gives away beside the lines before it: repeats, new subjects, a second last price."""

from collections.abc import Sequence
from itertools import pairwise

from agents.reading.phrases import Phrasebook
from agents.reading.pieces import Text
from agents.reading.role_words import CLASSES
from agents.tells_reader.words import Found, find_cues

PHRASE = 3
"""Words in a row that make a phrase."""

MAX_LINES = 20
"""How many of the seller's last lines are compared."""

_LAST: Phrasebook[str] = Phrasebook(
    [
        ("last|final|aakhri|best|lowest price|offer|rate|ask|quote", "last"),
        ("# ~ last|final|aakhri", "last"),
        ("last|final|aakhri ~ #", "last"),
        ("last|final|aakhri hai|bola|bol", "last"),
    ],
    CLASSES,
)
AGAIN = 0.55
TWICE_WHY = "You named a last price before: the second one is not the last either."


def repeated_phrases(text: Text, earlier: Sequence[Text]) -> int:
    """Count the phrases of this line that the seller has used before, or uses twice in it."""
    known = {phrase for line in earlier[-MAX_LINES:] for phrase in _phrases(line)}
    repeats = 0
    for phrase in _phrases(text):
        repeats += phrase in known
        known.add(phrase)
    return repeats


def _phrases(text: Text) -> list[tuple[str, ...]]:
    words = [piece.text for piece in text.pieces]
    if 0 < len(words) < PHRASE:
        # A bare price is no phrase.
        return [] if set(words) == {"#"} else [tuple(words)]
    whole = range(0, len(words) - PHRASE + 1, PHRASE)
    return [tuple(words[place : place + PHRASE]) for place in whole]


def last_price_again(text: Text, earlier: Sequence[Text]) -> list[Found]:
    """Find a "last price" in a line of a seller who has named a last price before."""
    if not any(_names_last(line) for line in earlier[-MAX_LINES:]):
        return []
    hit = next(_LAST.find(text.pieces), None)
    if hit is None:
        return []
    start, end = text.span(hit.first, hit.last)
    return [Found(start, end, "deception", AGAIN, TWICE_WHY)]


def _names_last(text: Text) -> bool:
    return next(_LAST.find(text.pieces), None) is not None


def topic_changes(lines: Sequence[Text]) -> int:
    """Count how often a line speaks of something else than the line before it."""
    topics = [topic for line in lines[-MAX_LINES:] if (topic := _topics(line))]
    return sum(not (a & b) for a, b in pairwise(topics))


def _topics(text: Text) -> frozenset[str]:
    found = {_SUBJECT[cue.signal] for cue in find_cues(text) if cue.signal in _SUBJECT}
    if text.said:
        found.add("price")
    return frozenset(found)


_SUBJECT = {"urgency": "seller", "deception": "rivals", "condition": "goods", "confidence": "price"}
