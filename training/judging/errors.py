"""What can be wrong with judging and with pairs.

JudgingError
├── NotAGame          what was handed over is no finished game with its prompts and completions
├── DifferentGames    two games that did not start from the same position
├── BadRequest        pairs were asked for that cannot be played
└── BrokenPairs       the file of pairs is not what it should be
"""


class JudgingError(ValueError):
    """The judge refused; the message says what to do."""


class NotAGame(JudgingError):
    """A game is not finished, or its parts do not belong together."""


class DifferentGames(JudgingError):
    """Two games cannot be compared."""


class BadRequest(JudgingError):
    """The arguments ask for something that cannot be played."""


class BrokenPairs(JudgingError):
    """The file of pairs cannot be read or continued."""
