"""Price games by the hundred thousand: arrays in, results out, equal to the engine's games."""

from bazaarbatna.fast.play import Buyers, Play, Wish, sweep
from bazaarbatna.fast.starts import OUTCOMES, SIDES, Bargains, SweepResult, bargains
from bazaarbatna.fast.suites import draw, sweep_suite

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
