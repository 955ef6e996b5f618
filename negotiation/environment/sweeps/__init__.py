"""Price games by the hundred thousand: arrays in, results out, equal to the engine's games."""

from negotiation.environment.sweeps.play import Buyers, Play, Wish, sweep
from negotiation.environment.sweeps.starts import OUTCOMES, SIDES, Bargains, SweepResult, bargains
from negotiation.environment.sweeps.suites import draw, sweep_suite

__all__ = [
    "OUTCOMES",
    "SIDES",
    "Bargains",
    "Buyers",
    "Play",
    "SweepResult",
    "Wish",
    "bargains",
    "draw",
    "sweep",
    "sweep_suite",
]
