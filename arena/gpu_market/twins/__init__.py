"""What can be asked of a match that is over: another action, no shocks, what each step was worth.

Pure: scenarios and logs go in, logs, differences and rewards come out.
"""

from arena.gpu_market.twins.fork import Fork, NoTurnHere, fork, gains
from arena.gpu_market.twins.scores import (
    Cost,
    Step,
    Twin,
    all_steps_of,
    shock_twin,
    steps_of,
    without_shock,
)
from arena.gpu_market.twins.seats import ARCHETYPE, PERSON, STAND_IN, player_of, players_of

__all__ = [
    "ARCHETYPE",
    "PERSON",
    "STAND_IN",
    "Cost",
    "Fork",
    "NoTurnHere",
    "Step",
    "Twin",
    "all_steps_of",
    "fork",
    "gains",
    "player_of",
    "players_of",
    "shock_twin",
    "steps_of",
    "without_shock",
]
