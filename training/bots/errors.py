"""What can be wrong with what somebody asks of the bots.

SessionError
├── BadBot        the bot cannot be registered as described
├── UnknownBot    no bot of that id belongs to whoever asks
└── BotBusy       the bot plays already, or cannot play now
"""

from negotiation.errors import SessionError


class BadBot(SessionError):
    """The bot cannot be registered as described.

    Attributes:
        field: what is wrong, as the form and the API name it.
    """

    code = "bad-bot"
    status = 422

    def __init__(self, detail: str, field: str) -> None:
        super().__init__(detail)
        self.field = field

    @property
    def more(self) -> dict[str, str]:
        """The field of the form."""
        return {"field": self.field}


class UnknownBot(SessionError):
    """There is no such bot, or it is not yours."""

    code = "unknown-bot"
    status = 404


class BotBusy(SessionError):
    """The bot is playing already."""

    code = "bot-busy"
    status = 409
