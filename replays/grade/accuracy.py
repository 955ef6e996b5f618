"""How well a side played, as one number from the losses of its moves."""

import math
from collections.abc import Sequence

HALVING_LOSS = 0.10
"""A move that loses this share of the zone counts half of a perfect one."""


def move_accuracy(loss: float) -> float:
    """Turn the loss of one move into 0..100.

    Args:
        loss: expected share lost, 0..1.

    >>> move_accuracy(0.0), move_accuracy(0.1), move_accuracy(0.2)
    (100.0, 50.0, 25.0)
    """
    return 100 * math.pow(0.5, loss / HALVING_LOSS)


def accuracy(losses: Sequence[float]) -> float | None:
    """Average the accuracy of a side's moves.

    Args:
        losses: of the moves with which something could be won or lost, each 0..1.

    Returns:
        0..100; None where no move mattered.

    >>> accuracy([0.0, 0.1])
    75.0
    """
    if not losses:
        return None
    return sum(move_accuracy(loss) for loss in losses) / len(losses)
