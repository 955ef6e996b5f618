"""How well a buyer spoke in a game, as one number 0..1 that is a table of named terms."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import msgspec

from agents.output_guard.coherence import names_price
from agents.speech.voice import TONGUES
from agents.text.languages import ENGLISH, HINDI, LOANED, Register, register_of
from agents.text.topics import TOPICS
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from training.judging.transcript import Transcript

NEARLY_OWN = 0.6
"""A line that shares this much of its words with one of the project's own is that line."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_TOKEN = re.compile(rf"{_WORD.pattern}|\d+(?:[.,]\d+)*")
_SLOT = re.compile(r"\{\w+\}")
SHORTEST, LONGEST = 3, 140  # Characters of a line that is neither a grunt nor a speech
OPENING_WORDS = 2  # Words at the beginning of a line that make it sound like another one
SAME_OPENING = 0.5  # What a line is worth that begins like an earlier one

NEIGHBOUR = 0.5
"""What Hinglish is worth where pure English or Hindi is spoken, and the other way round."""

WORTHLESS_FROM = 1 / 3  # A line in which this share of the words is unknown says nothing
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


def words_of(text: str) -> list[str]:
    """List the words of a text in lower case; numbers are none."""
    return _WORD.findall(text.lower())


def _doubled_words(text: str) -> list[str]:
    tokens = _TOKEN.findall(text.lower())
    return [first for first, second in pairwise(tokens) if first == second]


@cache
def _known_words() -> frozenset[str]:
    said = {word for text in _own_lines() for word in words_of(text)}
    return frozenset(said) | HINDI | ENGLISH | LOANED


@cache
def _doubled_on_purpose() -> frozenset[str]:
    return frozenset(word for text in _own_lines() for word in _doubled_words(text))


def meant_for(text: str, title: str = "") -> frozenset[type[Move]]:
    """Name the moves that the nearest of the project's own lines goes with; none if none is near.

    >>> [move.__name__ for move in meant_for("Deal! 64. Aap toh expert nikle ji.")]
    ['Accept']
    """
    words = frozenset(words_of(text)) - frozenset(words_of(title))
    near = [(len(words & own) / len(words | own), move) for own, move in _lines_of_moves() if own]
    best = max((share for share, _ in near), default=0.0)
    if best < NEARLY_OWN:
        return frozenset()
    return frozenset(move for share, move in near if share == best)


@cache
def _lines_of_moves() -> tuple[tuple[frozenset[str], type[Move]], ...]:
    kinds: dict[str, type[Move]] = {
        "accepting": Accept,
        "accepting_unpriced": Accept,
        "walking": Walk,
    }
    pools = [
        (pool, kinds.get(strategy, Offer))
        for tongue in TONGUES.values()
        for strategy, pool in (*tongue.lines.items(), ("answers", tongue.answers))
    ]
    return tuple(
        (frozenset(words_of(_SLOT.sub(" ", text))), move) for pool, move in pools for text in pool
    )


def _own_lines() -> Iterator[str]:
    for tongue in TONGUES.values():
        yield tongue.item
        for pool in (*tongue.lines.values(), *tongue.replies.values()):
            yield from pool
        yield from (*tongue.leads, *tongue.answers, *tongue.questions)


class Line(msgspec.Struct, frozen=True):
    """One line in its place: what the buyer saw, what it did with it, and its earlier lines."""

    text: str
    seen: BuyerObservation
    move: Move
    earlier: tuple[str, ...] = ()


def is_fresh(line: Line) -> float:
    """Return 0 for a line said again (whatever its price), 0.5 for its first words, else 1."""
    bare = _bare(line.text)
    earlier = [_bare(text) for text in line.earlier if text]
    if bare in earlier:
        return 0.0
    opening = _opening(bare)
    return SAME_OPENING if opening and opening in map(_opening, earlier) else 1.0


def keeps_register(line: Line) -> float:
    """Compare the register with the seller's latest telling words, else with the own last ones.

    1 where it is the same or cannot be told, 0.5 for Hinglish beside English or Hindi, else 0.
    """
    own, wanted = register_of(line.text), _wanted_register(line)
    if own is None or wanted is None or own == wanted:
        return 1.0
    return NEIGHBOUR if "hinglish" in (own, wanted) else 0.0


def names_own_price(line: Line) -> float:
    """Return 0 where the words name another price than the move (``output_guard.coherence``)."""
    return float(names_price(line.text, line.seen, line.move))


def greets_once(line: Line) -> float:
    """Return 0 for a greeting that is not in the first line of the game."""
    return float(not line.earlier or _GREETING.search(line.text) is None)


def fits_move(line: Line) -> float:
    """Return 0 for words of another move: bargaining in an acceptance, agreeing in a bid.

    What is nearly one of the project's own lines goes with its move; of others a few marks decide.
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
    """Return 0 for fewer than 3 or more than 140 characters."""
    return float(SHORTEST <= len(line.text.strip()) <= LONGEST)


def is_whole(line: Line) -> float:
    """Return 0 for debris: half a slot, an open bracket, a doubled word, an end in mid-sentence.

    Hindi doubles words on purpose ("gol gol"); what the project's own lines double is allowed.
    """
    text = line.text
    if _SLOT_MARKS.search(text) or _CUT_OFF.search(text) or text.count("(") != text.count(")"):
        return 0.0
    return float(all(word in _doubled_on_purpose() for word in _doubled_words(text)))


def uses_known_words(line: Line) -> float:
    """Return 1 where the project's lines or the title know all words, 0 from a third unknown on."""
    words = words_of(line.text)
    titled = set(words_of(line.seen.item.title))
    known = _known_words()
    unknown = sum(word not in known and word not in titled for word in words)
    return max(1 - unknown / (WORTHLESS_FROM * len(words)), 0.0) if words else 1.0


def _wanted_register(line: Line) -> Register | None:
    heard = [turn.text for turn in line.seen.turns if turn.actor == "seller"]
    for text in (*reversed(heard), *reversed(line.earlier)):
        if found := register_of(text):
            return found
    return None


def _bare(text: str) -> str:
    # The same line with another price is the same.
    return " ".join(re.findall(r"[^\W\d_]+|#", _NUMBER.sub("#", text.lower())))


def _opening(bare: str) -> str:
    words = bare.split()
    return " ".join(words[:OPENING_WORDS]) if len(words) > OPENING_WORDS else ""


class Term(msgspec.Struct, frozen=True):
    """One term of the score: a function of a line, 0..1, and its weight in a line's worth."""

    name: str
    weight: float
    worth: Callable[[Line], float]


TERMS: tuple[Term, ...] = (
    Term("fresh", 0.20, is_fresh),
    Term("own price", 0.20, names_own_price),
    Term("register", 0.15, keeps_register),
    Term("whole", 0.15, is_whole),
    Term("fits the move", 0.10, fits_move),
    Term("known words", 0.10, uses_known_words),
    Term("greeting", 0.05, greets_once),
    Term("length", 0.05, has_fair_length),
)
"""The weights add to 1."""


def line_worths(transcript: Transcript) -> list[float]:
    """Weigh the terms together for each of the buyer's moves, in order; silence is worth 0."""
    return [
        sum(term.weight * term.worth(line) for term in TERMS) if line.text else 0.0
        for line in _lines(transcript)
    ]


def speech_score(transcript: Transcript) -> float:
    """Return the mean of what the lines are worth, from 0 (silence) to 1 (without a flaw)."""
    worths = line_worths(transcript)
    return sum(worths) / len(worths) if worths else 0.0


def _lines(transcript: Transcript) -> list[Line]:
    said = [text.strip() for text in transcript.lines]
    return [
        Line(text, turn.seen, turn.move, tuple(one for one in said[:place] if one))
        for place, (text, turn) in enumerate(zip(said, transcript.turns, strict=True))
    ]
