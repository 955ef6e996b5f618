"""What can go wrong around a market's match, in addition to ``negotiation.errors``."""

from typing import Any

from negotiation.errors import SessionError


class BadMarket(SessionError):
    """No market can be opened like that.

    ``field`` is the part of the request that is wrong.
    """

    code = "bad-market"
    status = 422

    def __init__(self, detail: str, field: str = "") -> None:
        super().__init__(detail)
        self.field = field

    @property
    def more(self) -> dict[str, Any]:
        """Which part of the request is wrong."""
        return {"field": self.field} if self.field else {}


class BadAction(SessionError):
    """That is no action."""

    code = "bad-action"
    status = 422


class NoControls(SessionError):
    """Only the one who started this demo can pause it."""

    code = "no-controls"
    status = 403


class NotOver(SessionError):
    """The match is not over; everything opens at its end."""

    code = "not-over"
    status = 409


class NoPlayer(SessionError):
    """Whoever played a lab of this market is not on this site any more."""

    code = "no-player"
    status = 409


class NoTurn(SessionError):
    """There is no turn at that place; choose the number of a turn."""

    code = "no-turn"
    status = 422
