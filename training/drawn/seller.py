"""A seller by rule whose manner is drawn with the game."""

import math
from random import Random

from negotiation.engine.observe import SellerObservation
from negotiation.engine.quantities import Paise
from negotiation.engine.scenario import Scenario
from negotiation.engine.sellers.base import RuleSeller
from negotiation.engine.sellers.default import DEFAULT
from training.drawn.habits import Habits


class DrawnSeller(RuleSeller):
    """Comes down by a curve of its own, in part as the buyer comes up.

    It takes a bid that leaves it enough, and walks from lowballs as pinned sellers do.

    Args:
        scenario: what is sold.
        habits: its manner.
        rng: its luck.
    """

    persona = DEFAULT

    def __init__(self, scenario: Scenario, habits: Habits, rng: Random) -> None:
        super().__init__(scenario, rng)
        self._habits = habits

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Follow the curve, or what the buyer's last step earns; an ask never goes up."""
        habits, standing = self._habits, seen.asks[-1]
        curve = habits.reach * math.pow(seen.round / self.rounds, 1 / habits.shape)
        planned = self.anchor - curve * self._range
        step = seen.bids[-1] - seen.bids[-2] if len(seen.bids) > 1 else 0
        mirrored = standing - habits.mirror * step
        return min((planned + mirrored) / 2 if habits.mirror else planned, standing)

    def taking(self, bid: int, ask: Paise, t: int) -> float:
        """Take for certain what leaves enough, and nothing else."""
        greed = self._habits.last_greed if t == self.rounds else self._habits.greed
        return float(bid >= self.reservation + greed * (ask - self.reservation))
