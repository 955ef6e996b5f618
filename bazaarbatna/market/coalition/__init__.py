"""Coalitions as games: what each member brings, and which splits nobody would leave. Pure."""

from bazaarbatna.market.coalition.core import (
    Core,
    Excess,
    excesses,
    find_core,
    is_in_core,
    shapley_values,
    who_gains_by_defecting,
)
from bazaarbatna.market.coalition.game import (
    MOST_PLAYERS,
    TOLERANCE,
    BadCoalition,
    BadPlayers,
    BadSplit,
    BadWorth,
    Coalition,
    CoalitionGame,
    CoalitionGameError,
    Split,
)
from bazaarbatna.market.coalition.text import about_core, about_leaving, about_shapley

__all__ = [
    "MOST_PLAYERS",
    "TOLERANCE",
    "BadCoalition",
    "BadPlayers",
    "BadSplit",
    "BadWorth",
    "Coalition",
    "CoalitionGame",
    "CoalitionGameError",
    "Core",
    "Excess",
    "Split",
    "about_core",
    "about_leaving",
    "about_shapley",
    "excesses",
    "find_core",
    "is_in_core",
    "shapley_values",
    "who_gains_by_defecting",
]
