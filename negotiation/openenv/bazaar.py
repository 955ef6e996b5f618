"""The bazaar as a kind of environment, and where programs reach it: no page is there."""

from negotiation.engine.episode import MAX_TEXT
from negotiation.environment.actions import Action
from negotiation.environment.resets import Reset
from negotiation.environment.seat import Answer, Seat, Standing
from negotiation.environment.views import View
from negotiation.openenv.kinds import Kind

PREFIX = "/env/bazaar"
"""What an OpenEnv client takes as the path of its ``base_url``."""

SEED_ERA = ("/tasks", "/reset", "/step", "/state", "/score", "/health")
"""The bazaar's first API, still answered at the root."""

CONTAINER = ("/schema", "/metadata", "/openapi.json", "/mcp")
"""What OpenEnv's tools ask beside it of a host that is an environment and nothing else."""


def is_environment(path: str) -> bool:
    """Whether a path belongs to the environment."""
    return path.startswith("/env/") or path in (*SEED_ERA, *CONTAINER)


def plain(action: Action) -> Action:
    """Return an action without what the game does not read."""
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
