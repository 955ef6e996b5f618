"""How well a buyer spoke in a game, as one number 0..1 that is a table of named terms."""

from collections.abc import Callable

import msgspec

from training.judging.transcript import Transcript
from training.judging.wording import (
    Line,
    fits_move,
    greets_once,
    has_fair_length,
    is_fresh,
    is_whole,
    keeps_register,
    names_own_price,
    uses_known_words,
)


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


def speech_terms(transcript: Transcript) -> dict[str, float]:
    """Name every term of the score, as its mean over the buyer's moves; silence is worth 0.

    Returns:
        0..1 each, 1 without a flaw.
    """
    lines = _lines(transcript)
    most = max(len(lines), 1)
    return {
        term.name: sum(term.worth(line) if line.text else 0.0 for line in lines) / most
        for term in TERMS
    }


def line_worths(transcript: Transcript) -> list[float]:
    """Weigh the terms together for each of the buyer's moves, in order; silence is worth 0."""
    return [
        sum(term.weight * term.worth(line) for term in TERMS) if line.text else 0.0
        for line in _lines(transcript)
    ]


def speech_score(transcript: Transcript) -> float:
    """Give the mean of what the lines are worth.

    Returns:
        0 for a game in silence to 1 for one without a flaw in its words.
    """
    worths = line_worths(transcript)
    return sum(worths) / len(worths) if worths else 0.0


def _lines(transcript: Transcript) -> list[Line]:
    said = [text.strip() for text in transcript.lines]
    return [
        Line(text, turn.seen, turn.move, tuple(one for one in said[:place] if one))
        for place, (text, turn) in enumerate(zip(said, transcript.turns, strict=True))
    ]
