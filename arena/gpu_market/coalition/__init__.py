"""Coalitions as games: what each member brings, and which splits nobody would leave. Pure."""

from arena.gpu_market.coalition.core import (
    Core,
    Excess,
    excesses,
    find_core,
    is_in_core,
    shapley_values,
    who_gains_by_defecting,
)
from arena.gpu_market.coalition.game import (
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
from arena.gpu_market.coalition.text import about_core, about_leaving, about_shapley

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
