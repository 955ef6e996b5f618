"""The market's solver: the best plan of a lab, and what a seed could bring it at most.

Exact, in the engine's own arithmetic: a search for one lab, which every reward waits for, and
mixed-integer models for HiGHS, for several labs and for the plan itself. Needs neither Django nor
the network; the engine does not know of it.
"""

from bazaarbatna.market.planner.ceiling import (
    alone,
    ceiling,
    group_value,
    measure,
    normaliser_of,
    play_scored,
    rational_gain,
)
from bazaarbatna.market.planner.model import (
    NoPlan,
    Outlook,
    Plan,
    Run,
    TooLong,
    best_plan,
    in_hindsight,
    lasting,
    owned_by,
)
from bazaarbatna.market.planner.one_lab import best_value

__all__ = [
    "NoPlan",
    "Outlook",
    "Plan",
    "Run",
    "TooLong",
    "alone",
    "best_plan",
    "best_value",
    "ceiling",
    "group_value",
    "in_hindsight",
    "lasting",
    "measure",
    "normaliser_of",
    "owned_by",
    "play_scored",
    "rational_gain",
]
