"""What would become of an action: asked freely, for a form that warns before a turn is lost."""

from typing import Any

from arena.errors import NoSeat
from arena.gpu_market.engine import Malformed, MarketAction, consider
from arena.gpu_market.room import matches
from arena.gpu_market.room.errors import BadAction
from arena.gpu_market.room.game import lab_of, position_of
from negotiation.engine.errors import NotYourTurn


def consider_for(match_id: str, visitor: str, action: MarketAction | Malformed) -> dict[str, Any]:
    """Say what would become of a person's action now.

    Returns:
        ``ok``, ``code`` and ``message``, as the engine gives them.

    Raises:
        UnknownGame: there is no such match for this visitor.
        NoSeat: the visitor only looks on.
        BadAction: it cannot be read.
        NotYourTurn: somebody else is to act.
    """
    match = matches.find(match_id, visitor)
    lab = lab_of(match, visitor)
    if lab is None:
        raise NoSeat("You look on; start a match of your own to play a lab.")
    if isinstance(action, Malformed):
        raise BadAction(action.why)
    state = position_of(match.game).state
    if state.ended is None and state.turn != lab:
        raise NotYourTurn("Another lab is to act.")
    result = consider(state, lab, action)
    return {"ok": result.ok, "code": result.code, "message": result.message}
