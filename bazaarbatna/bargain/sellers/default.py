"""The plain shopkeeper: comes down by the same amount each round."""

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import read_persona


class DefaultSeller(RuleSeller):
    """Concedes steadily."""

    persona = read_persona(__file__)

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Follow the schedule; an ask never goes up."""
        return min(self.scheduled(seen.round), seen.asks[-1])
