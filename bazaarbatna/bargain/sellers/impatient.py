"""The one with a train to catch: two big drops at once, then hardly anything, then gone."""

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import read_persona


class ImpatientSeller(RuleSeller):
    """Drops 8 % and then 16 % of the anchor beyond the schedule, later 1 % of its ask a round."""

    persona = read_persona(__file__)

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Fall fast at first, then barely."""
        shape, t, standing = self.persona.shape, seen.round, seen.asks[-1]
        if t > shape["big_drops"]:
            return standing * (1 - shape["later_drop"])
        extra = self.anchor * shape["drop_per_round"] * t
        return min(self.scheduled(t) - extra, standing)
