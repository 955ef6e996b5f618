"""The bazaar as a kind of environment."""

from negotiation.engine.episode import MAX_TEXT
from negotiation.environment.actions import Action
from negotiation.environment.resets import Reset
from negotiation.environment.seat import Answer, Seat, Standing
from negotiation.environment.views import View
from negotiation.openenv.kinds import Kind


def plain(action: Action) -> Action:
    """Give an action without what the game does not read."""
    return Action(action.action, action.price, action.message[:MAX_TEXT])


BAZAAR: Kind[Reset, Action, Action, Answer] = Kind(
    name="bazaar",
    title="BazaarBATNA: the bazaar",
    about=(
        "Bargain over one item with a seller whose reservation price is hidden and whose "
        "tells are noisy."
    ),
    page="environment.md",
    seat=Seat,
    wanted=Reset,
    wire=Action,
    turn=Action,
    read=plain,
    action=Action,
    view=View,
    answer=Answer,
    standing=Standing,
)
