"""What a visitor may do in a match, from a socket or a page (in a thread)."""

from arena.auction.web import matches
from arena.auction.web.commands import Command, move_of
from arena.errors import NoSeat
from negotiation.games.visitors import visitor_of


def place(match_id: str, visitor: str, command: Command, seen: int | None = None) -> int:
    """Close a person's envelope; arguments and errors as for ``move_of`` and ``place_for``.

    Returns:
        The sequence number of the envelope's event.
    """
    # A socket may outlive its session.
    if not visitor_of(visitor):
        raise NoSeat
    return matches.place_for(
        match_id, visitor, lambda position, seat: move_of(position, seat, command, seen)
    )
