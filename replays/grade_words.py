"""The words of the grades and the share a move may lose to earn them."""

import msgspec


class Word(msgspec.Struct, frozen=True):
    """One grade. ``most`` is the largest loss it allows, as a share of the zone 0..1."""

    name: str
    most: float
    icon: str
    meaning: str


WORDS: tuple[Word, ...] = (
    Word("best", 0.01, "★", "Nothing that was tried did better."),
    Word("fine", 0.05, "✓", "As good as makes no difference."),
    Word("slip", 0.15, "?", "A better move was there."),
    Word("blunder", 1.0, "✗", "This move cost the game's shape."),
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


def word_named(name: str) -> Word:
    """Give the row of a word.

    Raises:
        KeyError: there is no such grade.
    """
    for word in WORDS:
        if word.name == name:
            return word
    raise KeyError(name)
