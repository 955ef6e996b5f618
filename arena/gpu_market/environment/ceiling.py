"""What an episode's return is measured by, chosen in one place for all environments."""

from arena.gpu_market.engine import MarketScenario, Normaliser
from arena.gpu_market.planner import normaliser_of


def _measure(scenario: MarketScenario, lab: int) -> float:
    return normaliser_of(scenario)(scenario, lab)


NORMALISER: Normaliser = _measure
"""Gives the value of the best plan of a lab, in hundredths of a credit: its ceiling."""
