"""Scored play with the ceiling as the measure: what everybody outside the engine uses."""

from arena.gpu_market.engine import playing
from arena.gpu_market.engine.playing import Player, Scored
from arena.gpu_market.engine.rewards import Normaliser, value_of_all_jobs
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.planner.ceiling import ceiling


def normaliser_of(scenario: MarketScenario) -> Normaliser:
    """Return the measure that goes with the reward mix: the published mix divides by nothing."""
    return ceiling if scenario.reward == "default" else value_of_all_jobs


def measure(scenario: MarketScenario, lab: int) -> float:
    """Return what a lab's returns are shares of; a normaliser as ``reward`` takes them.

    Raises:
        NoPlan: the solver failed.
    """
    return normaliser_of(scenario)(scenario, lab)


def play_scored(scenario: MarketScenario, player: Player, *, lab: int = 0) -> Scored:
    """Play an episode with one lab from outside; returns are shares of its ceiling.

    Args:
        scenario: where it starts.
        player: plays ``lab``; all others follow their archetypes.
        lab: its number.
    """
    return playing.play_scored(scenario, player, lab=lab, normaliser=measure)
