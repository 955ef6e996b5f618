"""Grade every move of a finished game: what it lost, in expected share, against a better one.

1. Candidates: the played move and its alternatives in the position before it.
2. Each is played on to the end with the same luck (paired): the opponent that was really there,
   and the mover's own way of playing.
3. The search keeps the best and measures it on luck that it was not chosen by.
"""

import math
from collections.abc import Sequence

import msgspec

from negotiation.bargain.continuation import Crossroads, move_of
from negotiation.bargain.recorded import Record
from negotiation.engine.moves import Move
from negotiation.engine.quantities import Paise
from replays.grade.candidates import candidates, nearby
from replays.grade.search import EFFORT, Effort, find_better


class Word(msgspec.Struct, frozen=True):
    """One grade; ``most`` is the largest loss it allows, as a share of the zone 0..1.

    ``noted``: moves of this grade are marked also where the talk is read.
    """

    name: str
    most: float
    icon: str
    meaning: str
    noted: bool = False


WORDS: tuple[Word, ...] = (
    Word("best", 0.01, "★", "Nothing that was tried did better."),
    Word("fine", 0.05, "✓", "As good as makes no difference."),
    Word("slip", 0.15, "?", "A better move was there.", noted=True),
    Word("blunder", 1.0, "✗", "The move to look at first.", noted=True),
)
"""From the best to the worst; a loss earns the first word that allows it."""


def word_for(loss: float) -> Word:
    """Return the word for a loss of expected share, 0..1."""
    return next(word for word in WORDS if loss <= word.most)


def loss_allowed(word: Word) -> str:
    """Return in percent of the zone which losses earn a word."""
    return "more" if word is WORDS[-1] else f"up to {round(100 * word.most)} %"


def words_table() -> str:
    """Return the table of the words for the docs, in Markdown."""
    rows = ["| word | loss, of the zone | meaning |", "|---|---|---|"]
    rows += [f"| {w.icon} {w.name} | {loss_allowed(w)} | {w.meaning} |" for w in WORDS]
    return "\n".join(rows)


HALVING_LOSS = 0.10
"""A move that loses this share of the zone counts half of a perfect one."""


def move_accuracy(loss: float) -> float:
    """Return the accuracy, 0..100, of a move with a loss 0..1."""
    return 100 * math.pow(0.5, loss / HALVING_LOSS)


def accuracy(losses: Sequence[float]) -> float | None:
    """Return the mean accuracy, 0..100, of moves by their losses; None without any."""
    if not losses:
        return None
    return sum(move_accuracy(loss) for loss in losses) / len(losses)


class LineMove(msgspec.Struct, frozen=True):
    """One move of a line; that of a match ends with "wins" or "unsold". ``price`` in paise."""

    actor: str
    kind: str
    price: Paise | None


class GradedMove(msgspec.Struct, frozen=True):
    """One move and what it was worth to the side that made it.

    Shares are expected ones, 0..1 of the zone; ``best`` and ``line`` are what would have been
    better. ``stake``: the most that hung on this move.
    """

    seq: int
    actor: str
    played: float
    loss: float
    stake: float
    best: LineMove | None = None
    line: tuple[LineMove, ...] = ()


def grade(record: Record, effort: Effort = EFFORT) -> tuple[GradedMove, ...]:
    """Grade each offer, acceptance and walk of a finished game; always with the same result."""
    return tuple(
        grade_move(Crossroads(record, seq), effort)
        for seq, event in enumerate(record.events, start=1)
        if move_of(event) is not None
    )


def grade_move(at: Crossroads, effort: Effort = EFFORT) -> GradedMove:
    """Grade the move that was made in one position."""
    if at.state.scenario.zopa <= 0:
        return GradedMove(at.seq, at.side, 0.0, 0.0, 0.0)  # no move could win anything

    def closer(leader: Move, field: Sequence[Move]) -> Sequence[Move]:
        return nearby(at.state, leader, field)

    found = find_better(candidates(at.state, at.made), at.share, closer, effort)
    graded = GradedMove(at.seq, at.side, found.played, found.loss, found.stake)
    if found.best is None or found.loss <= WORDS[0].most:
        return msgspec.structs.replace(graded, loss=0.0)
    line = _line(at, found.best)
    return msgspec.structs.replace(graded, best=line[0], line=line)


def _line(at: Crossroads, move: Move) -> tuple[LineMove, ...]:
    turns = at.rollout(move, 0).turns[len(at.state.turns) :]
    return tuple(LineMove(turn.actor, turn.kind, turn.price) for turn in turns)
