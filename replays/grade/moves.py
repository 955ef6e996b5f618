"""Grade every move of a finished game: what it lost, in expected share, against a better one.

1. Candidates: the played move and its alternatives in the position before it.
2. Each is played on to the end with the same luck (paired): the opponent that was really there,
   and the mover's own way of playing.
3. The search keeps the best and measures it on luck that it was not chosen by.
"""

from collections.abc import Sequence

import msgspec

from negotiation.bargain.continuation import Crossroads, move_of
from negotiation.bargain.recorded import Record
from negotiation.engine.moves import Move
from negotiation.engine.quantities import Paise
from replays.grade.candidates import candidates, nearby
from replays.grade.scale import WORDS
from replays.grade.search import EFFORT, Effort, find_better


class LineMove(msgspec.Struct, frozen=True):
    """One move of a line; the line of a match ends with "wins" or "unsold".

    ``price`` in paise is the one that was named or taken, None for every other move.
    """

    actor: str
    kind: str
    price: Paise | None


class GradedMove(msgspec.Struct, frozen=True):
    """One move and what it was worth to the side that made it.

    Shares are expected ones, 0..1 of the zone; ``best`` and ``line`` are what would have been
    better, None and empty where nothing was. ``stake``: the most that hung on this move.
    """

    seq: int
    actor: str
    played: float
    loss: float
    stake: float
    best: LineMove | None = None
    line: tuple[LineMove, ...] = ()


def grade(record: Record, effort: Effort = EFFORT) -> tuple[GradedMove, ...]:
    """Grade all moves of both sides of a finished game.

    Returns:
        One grade per offer, acceptance and walk, in order. The same game gives the same grades.
    """
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
    """Play a move on with the luck of the game itself."""
    turns = at.rollout(move, 0).turns[len(at.state.turns) :]
    return tuple(LineMove(turn.actor, turn.kind, turn.price) for turn in turns)
