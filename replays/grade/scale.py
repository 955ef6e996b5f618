"""The words of the grades and the share a move may lose to earn them."""

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
    """Name a loss.

    Args:
        loss: expected share lost against the better move, 0..1.

    >>> [word_for(loss).name for loss in (0.0, 0.03, 0.1, 0.4)]
    ['best', 'fine', 'slip', 'blunder']
    """
    return next(word for word in WORDS if loss <= word.most)


def loss_allowed(word: Word) -> str:
    """Say in percent of the zone which losses earn a word.

    >>> [loss_allowed(word) for word in WORDS]
    ['up to 1 %', 'up to 5 %', 'up to 15 %', 'more']
    """
    return "more" if word is WORDS[-1] else f"up to {round(100 * word.most)} %"


def words_table() -> str:
    """Write the table of the words for the docs, in Markdown."""
    rows = ["| word | loss, of the zone | meaning |", "|---|---|---|"]
    rows += [f"| {w.icon} {w.name} | {loss_allowed(w)} | {w.meaning} |" for w in WORDS]
    return "\n".join(rows)
