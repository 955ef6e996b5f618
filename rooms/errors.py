"""What can go wrong at the door of a room and at its desk."""

from django.utils.translation import gettext

from negotiation.errors import SessionError


class RoomError(SessionError):
    """This cannot be done in this room."""

    code = "room-refused"
    status = 409


class RoomOver(RoomError):
    """This room is finished; nobody comes in any more."""

    code = "room-over"


class RoomFull(RoomError):
    """This room is full; ask the host for another one."""

    code = "room-full"


class Removed(RoomError):
    """The host has taken you out of this room."""

    code = "removed"
    status = 403


class AlreadyIn(RoomError):
    """You are in this room already, in another browser; go on there."""

    code = "already-in"


class BadNickname(RoomError):
    """A nickname needs a letter or a digit that everybody can see."""

    code = "bad-nickname"
    status = 422


class NicknameTaken(RoomError):
    """Somebody here is called that already.

    Attributes:
        free: a nickname near it that nobody has.
    """

    code = "nickname-taken"

    def __init__(self, free: str) -> None:
        super().__init__(
            gettext("Somebody here is called that already. How about %(name)s?") % {"name": free}
        )
        self.free = free


class NotTogether(RoomError):
    """These two cannot be put at one table; the words say why."""

    code = "not-together"


class NothingToSell(RoomError):
    """No goods of ours fit this; choose a wider range of prices."""

    code = "nothing-to-sell"
    status = 422


class UnknownCode(RoomError):
    """No room has this code. Look again: six letters, no I and no O."""

    code = "unknown-code"
    status = 404
