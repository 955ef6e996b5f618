"""Why a file did not become a replay.

ImportRefused
├── UnreadableReplay   no JSON of the documented shape
├── UnknownFormat      a file of another kind, or of a format this site cannot read
├── BrokenPromise      the opened values are not those that were promised
├── NoGame             the events break a rule of the game
└── WrongSummary       the events are a game, but the rest of the file tells another one
"""

from typing import Any

from negotiation.errors import SessionError


class ImportRefused(SessionError):
    """Nothing was stored.

    Attributes:
        event: sequence number of the event that is wrong, None where no single one is.
        fine: how many events from the first on are in order.
    """

    code = "refused-replay"
    status = 422

    def __init__(self, detail: str, *, event: int | None = None, fine: int = 0) -> None:
        super().__init__(detail)
        self.event = event
        self.fine = fine

    @property
    def more(self) -> dict[str, Any]:
        """What a program needs besides the sentence."""
        return {"event": self.event, "fine": self.fine}


class UnreadableReplay(ImportRefused):
    """The file cannot be read."""

    code = "unreadable-replay"
    status = 400


class UnknownFormat(ImportRefused):
    """The file is of a kind that cannot be read here."""

    code = "unknown-format"


class BrokenPromise(ImportRefused):
    """The sealed values were changed."""

    code = "broken-promise"


class NoGame(ImportRefused):
    """The events break a rule."""

    code = "not-a-game"


class WrongSummary(ImportRefused):
    """The summary does not fit the events."""

    code = "wrong-summary"

    @classmethod
    def of(cls, name: str, fine: int) -> "WrongSummary":
        """Return the refusal of one part of a file, all events of which are fine."""
        detail = f"The events are a game, but “{name}” says something else than they do."
        return cls(detail, fine=fine)


class Doubtful(ValueError):
    """Something in the file cannot be; the message says what, its reader says where."""

    code = "doubtful-event"
