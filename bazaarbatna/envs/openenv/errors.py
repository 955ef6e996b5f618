"""What can go wrong between a client and the environment, in the protocol's own codes."""

import logging
from collections.abc import Callable

import msgspec

from bazaarbatna.bargain.errors import GameError, UnknownSeller, UnknownSuite
from bazaarbatna.envs.bargain.episode import NoSuchWorld, UnreadableAction

log = logging.getLogger(__name__)


class ProtocolError(Exception):
    """The message was not followed; the session is as it was."""

    code = "EXECUTION_ERROR"
    status = 409
    retry_after_s: int | None = None

    def __init__(self, message: str = "") -> None:
        # The docstring is the default message.
        self.message = message or (type(self).__doc__ or "")
        super().__init__(self.message)


class InvalidJson(ProtocolError):
    """Messages are JSON text in UTF-8."""

    code = "INVALID_JSON"
    status = 400


class UnknownType(ProtocolError):
    """Message types are reset, step, state, close and mcp."""

    code = "UNKNOWN_TYPE"
    status = 422


class Invalid(ProtocolError):
    """The message does not have the shape that /schema gives."""

    code = "VALIDATION_ERROR"
    status = 422


class TooLong(Invalid):
    """A message has at most 16,384 bytes."""

    status = 413


class Unplayable(ProtocolError):
    """Reset first: there is no game in which to move."""


class UnknownEpisode(ProtocolError):
    """There is no such episode here, or it was idle for too long: reset starts another one."""

    code = "SESSION_ERROR"
    status = 404


class Foreign(ProtocolError):
    """Pages of other sites play no games here."""

    status = 403


class Gone(ProtocolError):
    """This was an address of the first API."""

    status = 410


class Full(ProtocolError):
    """This server holds {most} sessions, as many as it can; try again in {retry_after_s} s."""

    code = "CAPACITY_REACHED"
    status = 503
    retry_after_s = 30

    def __init__(self, active: int, most: int) -> None:
        self.active, self.most = active, most
        told = type(self).__doc__ or ""
        super().__init__(told.format(active=active, most=most, retry_after_s=self.retry_after_s))


class FullForClient(Full):
    """One address may have {most} sessions, and yours has {active}: close one, or reset one."""

    status = 429


class TooFast(ProtocolError):
    """That was faster than this server lets one address go; rest a little, your game is kept."""

    code = "CAPACITY_REACHED"
    status = 429

    def __init__(self, message: str, retry_after_s: int) -> None:
        self.retry_after_s = max(1, retry_after_s)
        super().__init__(message)


class Away(ProtocolError):
    """The sessions are out of reach for a moment; your game is kept, ask again."""

    code = "SESSION_ERROR"
    status = 503
    retry_after_s = 5


class Broken(ProtocolError):
    """Something went wrong on our side; reset starts a new game."""

    status = 500


READERS: list[Callable[[Exception], ProtocolError | None]] = []
"""Know what the libraries of a server raise: whoever serves adds its own."""


def to_protocol(wrong: Exception) -> ProtocolError:
    """Return what went wrong as the protocol says it; what is unknown is our fault and logged."""
    match wrong:
        case ProtocolError():
            return wrong
        case (
            msgspec.ValidationError()
            | UnknownSuite()
            | UnknownSeller()
            | NoSuchWorld()
            | UnreadableAction()
        ):
            return Invalid(str(wrong))
        case msgspec.DecodeError() | UnicodeError() | RecursionError():
            return InvalidJson(f"The message is not JSON: {wrong}.")
        case GameError():
            return Unplayable(str(wrong))
        case _:
            known = next(filter(None, (read(wrong) for read in READERS)), None)
            if known is None:
                log.error("environment failed", exc_info=wrong)
            return known or Broken()
