"""What can go wrong around a game; a move itself: ``bazaarbatna.bargain.errors``."""

from typing import Any

from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Paise


class SessionError(Exception):
    """Something is wrong with the request; nothing was recorded."""

    code = "refused"
    status = 400

    @property
    def more(self) -> dict[str, Any]:
        """What a program needs besides the sentence."""
        return {}

    def __init__(self, detail: str = "") -> None:
        # The docstring is the default message.
        self.detail = detail or gettext((type(self).__doc__ or "").partition("\n")[0])
        super().__init__(self.detail)


class UnknownGame(SessionError):
    """There is no such game."""

    code = "unknown-game"
    status = 404


class ReadOnly(SessionError):
    """You are watching this game; only the one who shared it can play."""

    code = "read-only"
    status = 403


class UnknownListing(SessionError):
    """There is no such listing."""

    code = "unknown-listing"
    status = 404


class BadSale(SessionError):
    """The item cannot be sold as described.

    Attributes:
        field: the part of the sale that is wrong, as the API names it.
    """

    code = "bad-sale"
    status = 422

    def __init__(self, detail: str, field: str = "") -> None:
        super().__init__(detail)
        self.field = field


class BadFrame(SessionError):
    """The message cannot be read."""

    code = "bad-frame"


class TimeIsUp(SessionError):
    """Your time was up before this came."""

    code = "time-up"
    status = 409


class NoPrice(SessionError):
    """There are no words and no price."""

    code = "no-price"


class TwoPrices(SessionError):
    """Which price do you mean?

    Attributes:
        candidates: the prices in paise that the words could mean.
        currency: their currency.
    """

    code = "two-prices"
    status = 422

    def __init__(
        self, question: str, candidates: tuple[Paise, ...] = (), currency: str = "INR"
    ) -> None:
        super().__init__(question)
        self.candidates = candidates
        self.currency = currency


class NoMoveHere(SessionError):
    """There is no move at that place; choose an offer, an acceptance or a walk."""

    code = "no-move-here"
    status = 422


class Paused(SessionError):
    """Whoever leads this has paused all tables; no time runs meanwhile."""

    code = "paused"
    status = 409


class AnswerFirst(SessionError):
    """First answer what you are asked."""

    code = "answer-first"
    status = 409


class NotOver(SessionError):
    """The game goes on; rate its lines when it has ended."""

    code = "not-over"
    status = 409


class UnknownLine(SessionError):
    """Nothing that was said to you has that number."""

    code = "unknown-line"
    status = 404


class UnknownThumb(SessionError):
    """A thumb is up, down or none."""

    code = "unknown-thumb"
    status = 422


class BadAnswer(SessionError):
    """An answer is a whole number of 1 to 7; to “again?” it is yes or no."""

    code = "bad-answer"
    status = 422


class TooLate(SessionError):
    """This game ended more than a week ago: answers can no longer be given or changed."""

    code = "too-late"
    status = 409


class RateLimited(SessionError):
    """Too much, too fast.

    Attributes:
        retry_after_s: seconds until the next try can succeed, at least 1.
    """

    code = "rate-limited"
    status = 429

    def __init__(self, detail: str, retry_after_s: int) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class PlaceKept(Exception):
    """Too many new visitors at once; this one's turn is kept, and its page goes on by itself.

    No ``SessionError``: no form catches it, the whole page waits.

    Attributes:
        due: the moment of the turn, in seconds since 1970.
    """

    def __init__(self, due: float) -> None:
        super().__init__(due)
        self.due = due


class Overloaded(RateLimited):
    """Others are being served just now; try again in a few seconds."""

    code = "overloaded"
    status = 503


class Busy(SessionError):
    """The game is being moved from elsewhere; try again."""

    code = "busy"
    status = 409


class NoRoom(SessionError):
    """There is no room here to keep anything just now, so that was not done; try again soon."""

    code = "no-room"
    status = 507


class Away(SessionError):
    """The games cannot be reached just now; try again in a few seconds. No move is made twice.

    Attributes:
        retry_after_s: seconds until the next try may well succeed.
    """

    code = "away"
    status = 503
    retry_after_s = 5

    @property
    def more(self) -> dict[str, Any]:
        """When to come back."""
        return {"retry_after": self.retry_after_s}


class BrokenTurn(SessionError):
    """The policy gave no legal move."""

    code = "broken-turn"
    status = 500
