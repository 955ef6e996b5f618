"""What an episode's return is measured by, chosen in one place for all environments."""

from arena.gpu_market.engine import Normaliser, value_of_all_jobs

NORMALISER: Normaliser = value_of_all_jobs
"""Gives the value of the best plan of a lab, in hundredths of a credit."""
