"""The words of the grades and the share a move may lose to earn them."""

import math
from collections.abc import Sequence

import msgspec


class Word(msgspec.Struct, frozen=True):
    """One grade. ``most`` is the largest loss it allows, as a share of the zone 0..1.

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
    """Return the word for a loss.

    Args:
        loss: expected share lost against the better move, 0..1.

    >>> [word_for(loss).name for loss in (0.0, 0.03, 0.1, 0.4)]
    ['best', 'fine', 'slip', 'blunder']
    """
    return next(word for word in WORDS if loss <= word.most)


def loss_allowed(word: Word) -> str:
    """Return in percent of the zone which losses earn a word.

    >>> [loss_allowed(word) for word in WORDS]
    ['up to 1 %', 'up to 5 %', 'up to 15 %', 'more']
    """
    return "more" if word is WORDS[-1] else f"up to {round(100 * word.most)} %"


def words_table() -> str:
    """Return the table of the words for the docs, in Markdown."""
    rows = ["| word | loss, of the zone | meaning |", "|---|---|---|"]
    rows += [f"| {w.icon} {w.name} | {loss_allowed(w)} | {w.meaning} |" for w in WORDS]
    return "\n".join(rows)


HALVING_LOSS = 0.10
"""A move that loses this share of the zone counts half of a perfect one."""


def move_accuracy(loss: float) -> float:
    """Return the accuracy, 0..100, of a move with a loss.

    Args:
        loss: expected share lost, 0..1.

    >>> move_accuracy(0.0), move_accuracy(0.1), move_accuracy(0.2)
    (100.0, 50.0, 25.0)
    """
    return 100 * math.pow(0.5, loss / HALVING_LOSS)


def accuracy(losses: Sequence[float]) -> float | None:
    """Return the mean accuracy of a side's moves.

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
