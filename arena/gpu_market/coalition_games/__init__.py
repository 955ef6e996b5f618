"""Coalition games: who can claim what, who holds together, who gains by leaving. Pure."""

from arena.gpu_market.coalition_games.core import (
    Balance,
    LeastCore,
    core_point,
    is_core_empty,
    least_core,
    nucleolus,
    prenucleolus,
    why_core_is_empty,
)
from arena.gpu_market.coalition_games.errors import (
    BadCoalition,
    BadPlayers,
    BadSplit,
    BadTextbookGame,
    BadWorth,
    CoalitionGameError,
    WorthMissing,
)
from arena.gpu_market.coalition_games.excess import (
    Excess,
    excesses,
    is_in_core,
    who_gains_by_defecting,
)
from arena.gpu_market.coalition_games.game import MOST_PLAYERS, Coalition, CoalitionGame, Split
from arena.gpu_market.coalition_games.numbers import Number
from arena.gpu_market.coalition_games.properties import is_convex, is_superadditive
from arena.gpu_market.coalition_games.shapley import banzhaf_index, banzhaf_values, shapley_values
from arena.gpu_market.coalition_games.textbook import (
    airport,
    bankruptcy,
    glove,
    savings,
    weighted_majority,
)
from arena.gpu_market.coalition_games.words import (
    about_core,
    about_leaving,
    about_shapley,
    explain,
)

__all__ = [
    "MOST_PLAYERS",
    "BadCoalition",
    "BadPlayers",
    "BadSplit",
    "BadTextbookGame",
    "BadWorth",
    "Balance",
    "Coalition",
    "CoalitionGame",
    "CoalitionGameError",
    "Excess",
    "LeastCore",
    "Number",
    "Split",
    "WorthMissing",
    "about_core",
    "about_leaving",
    "about_shapley",
    "airport",
    "bankruptcy",
    "banzhaf_index",
    "banzhaf_values",
    "core_point",
    "excesses",
    "explain",
    "glove",
    "is_convex",
    "is_core_empty",
    "is_in_core",
    "is_superadditive",
    "least_core",
    "nucleolus",
    "prenucleolus",
    "savings",
    "shapley_values",
    "weighted_majority",
    "who_gains_by_defecting",
    "why_core_is_empty",
]
