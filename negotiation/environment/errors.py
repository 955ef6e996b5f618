"""What can be wrong with what a client of an environment sends.

GameError
├── UnreadableAction   the action cannot be read
├── NoSuchWorld        a reset asks for what an environment does not have
├── IllegalMove
│   └── NotReset       a step without a game on the table
├── UnknownSuite       of the engine: no such task or variant
└── UnknownSeller      of the engine: no such seller
"""

from negotiation.engine.errors import GameError, IllegalMove


class UnreadableAction(GameError):
    """An action is ``{"action": "offer|accept|walk", "price": rupees, "message": text}``."""

    code = "unreadable-action"


class NoSuchWorld(GameError):
    """What a reset asks for does not exist; the message says what does."""


class NotReset(IllegalMove):
    """There is no game on the table yet; reset starts one."""

    code = "not-reset"
