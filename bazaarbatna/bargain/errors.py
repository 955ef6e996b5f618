"""What can be wrong with a move."""


class GameError(ValueError):
    """The move was refused; nothing changed."""

    code = "refused"


class IllegalMove(GameError):
    """The move is against the rules of this position."""

    code = "illegal-move"


class NotYourTurn(IllegalMove):
    """It is the other side's turn."""

    code = "not-your-turn"


class GameOver(IllegalMove):
    """The game has ended; nobody moves any more."""

    code = "game-over"


class BrokenLog(GameError):
    """The events do not form a legal game."""

    code = "broken-log"


class UnknownSuite(GameError):
    """No suite of tasks has that id; the message lists those that exist."""

    code = "unknown-suite"


class UnknownSeller(GameError):
    """No pinned seller has that persona or version label; the message lists those that exist."""

    code = "unknown-seller"
