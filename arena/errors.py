"""What can go wrong around a match, in addition to ``negotiation.errors``."""

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
