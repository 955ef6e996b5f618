"""What another move in a finished game would have led to."""

from negotiation.errors import SessionError


class NoMoveHere(SessionError):
    """There is no move at that place; choose an offer, an acceptance or a walk."""

    code = "no-move-here"
    status = 422
