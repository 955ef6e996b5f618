"""The grades of one game as they are stored and shown."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bazaarbatna.bargain.quantities import to_rupees
from replays.grade.moves import GradedMove, LineMove, accuracy, move_accuracy, word_for

LEAST_STAKE = 0.01  # a smaller share says nothing about how well a side plays


class Standing(msgspec.Struct, frozen=True):
    """How one player did: "seller", "buyer", or "buyer-2" in a match.

    ``width`` in paise is what could be won; ``accuracy`` is 0..100, None where no move mattered.
    """

    actor: str
    width: int
    accuracy: float | None


class Result(msgspec.Struct, frozen=True):
    """All grades of a game: its moves in order, and its players."""

    moves: tuple[GradedMove, ...]
    standings: tuple[Standing, ...]

    def of(self, actor: str) -> Standing:
        """Return one player's standing; one that made no move has nothing to win."""
        known = (one for one in self.standings if one.actor == actor)
        return next(known, Standing(actor, 0, None))

    def left_by(self, move: GradedMove) -> int:
        """Return what a move left on the table, in paise."""
        return round(move.loss * self.of(move.actor).width)

    def worst_of(self, *actors: str) -> GradedMove | None:
        """Return the move with which one of these players lost most; None if nobody lost."""
        losing = [move for move in self.moves if move.actor in actors and move.loss > 0]
        return max(losing, key=self.left_by, default=None)


def result_of(widths: Mapping[str, int], moves: Sequence[GradedMove]) -> Result:
    """Sum the grades of a game up; ``widths`` are what each player could win, in paise."""

    def standing(actor: str, width: int) -> Standing:
        own = [move for move in moves if move.actor == actor and move.stake >= LEAST_STAKE]
        return Standing(actor, width, accuracy([move.loss for move in own]))

    return Result(tuple(moves), tuple(standing(*pair) for pair in widths.items()))


def grades_json(result: Result, method: str, currency: str) -> dict[str, Any]:
    """Return the grades as builtins."""
    return {
        "status": "done",
        "method": method,
        "currency": currency,
        "zone": {one.actor: to_rupees(one.width) for one in result.standings},
        "accuracy": {one.actor: _rounded(one.accuracy, 1) for one in result.standings},
        "moves": [_move(move, result) for move in result.moves],
    }


def _move(move: GradedMove, result: Result) -> dict[str, Any]:
    return {
        "seq": move.seq,
        "actor": move.actor,
        "word": word_for(move.loss).name,
        "loss": _rounded(move.loss, 4),
        "left": to_rupees(result.left_by(move)),
        "expected_share": _rounded(move.played, 4),
        "accuracy": _rounded(move_accuracy(move.loss), 1),
        "better": _deed(move.best) if move.best else None,
        "line": [_deed(deed) for deed in move.line],
    }


def _deed(deed: LineMove) -> dict[str, Any]:
    price = None if deed.price is None else to_rupees(deed.price)
    return {"actor": deed.actor, "action": deed.kind, "price": price}


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)
