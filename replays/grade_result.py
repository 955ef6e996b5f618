"""The grades of one game as they are stored and shown."""

from collections.abc import Sequence

import msgspec

from negotiation.engine.quantities import Side
from replays.accuracy import accuracy
from replays.grading import GradedMove

LEAST_STAKE = 0.01
"""A move on which a smaller share hung says nothing about how well a side plays."""


class Result(msgspec.Struct, frozen=True):
    """All grades of a game.

    ``width`` is the zone of possible agreement in paise, 0 where there is none: a lost share times
    the width is what was left on the table. Accuracies are 0..100, None where no move mattered.
    """

    width: int
    moves: tuple[GradedMove, ...]
    seller_accuracy: float | None
    buyer_accuracy: float | None

    def accuracy_of(self, side: Side) -> float | None:
        """Give one side's accuracy."""
        return self.seller_accuracy if side == "seller" else self.buyer_accuracy

    def left_by(self, move: GradedMove) -> int:
        """Give what a move left on the table, in paise."""
        return round(move.loss * self.width)

    def worst_of(self, side: Side) -> GradedMove | None:
        """Find the move with which a side lost most; None if it lost nothing."""
        losing = [move for move in self.moves if move.actor == side and move.loss > 0]
        return max(losing, key=lambda move: move.loss, default=None)


def result_of(zopa: int, moves: Sequence[GradedMove]) -> Result:
    """Sum the grades of a game up.

    Args:
        zopa: width of the zone in paise, 0 or less where no price suits both.
        moves: the graded moves of both sides in order.
    """

    def of(side: Side) -> float | None:
        mattering = [m for m in moves if m.actor == side and m.stake >= LEAST_STAKE]
        return accuracy([move.loss for move in mattering])

    return Result(max(zopa, 0), tuple(moves), of("seller"), of("buyer"))
