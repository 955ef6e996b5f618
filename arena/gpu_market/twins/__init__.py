"""The same market with one thing changed, on the same luck: another action, or no shocks.

Pure: scenarios and logs go in, logs and differences come out.
"""

from arena.gpu_market.twins.fork import Fork, NoTurnHere, fork, gains
from arena.gpu_market.twins.seats import ARCHETYPE, PERSON, STAND_IN, player_of, players_of
from arena.gpu_market.twins.shocks import Cost, Twin, shock_twin

__all__ = [
    "ARCHETYPE",
    "PERSON",
    "STAND_IN",
    "Cost",
    "Fork",
    "NoTurnHere",
    "Twin",
    "fork",
    "gains",
    "player_of",
    "players_of",
    "shock_twin",
]
