"""The neighbour: low anchor, low limit, leans toward a price that is fair to both."""

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import read_persona


class CollaborativeSeller(RuleSeller):
    """Leans from the schedule toward the midpoint of 1.1 x cost and its own last price."""

    persona = read_persona(__file__)

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Mix the schedule with the fair price."""
        shape, standing = self.persona.shape, seen.asks[-1]
        fair = (shape["fair_markup"] * self.cost + standing) / 2
        lean = shape["lean"]
        return min((1 - lean) * self.scheduled(seen.round) + lean * fair, standing)
