"""What can go wrong around a match, in addition to ``negotiation.errors``.

SessionError
├── SeatTaken   somebody sits there, or the seat is not for people, or it is too late
├── NoSeat      whoever only looks on cannot bid
└── NotBegun    the match has not begun yet
"""

from negotiation.errors import SessionError


class SeatTaken(SessionError):
    """This seat cannot be taken."""

    code = "seat-taken"
    status = 409


class NoSeat(SessionError):
    """You look on; only those who sit at the table can bid."""

    code = "no-seat"
    status = 403


class NotBegun(SessionError):
    """The match has not begun yet."""

    code = "not-begun"
    status = 409
