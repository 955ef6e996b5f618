"""What an episode's return is measured by, chosen in one place for all environments."""

from arena.gpu_market.engine import Normaliser
from arena.gpu_market.planner import measure

NORMALISER: Normaliser = measure
"""Gives the value of the best plan of a lab, in hundredths of a credit: its ceiling."""
