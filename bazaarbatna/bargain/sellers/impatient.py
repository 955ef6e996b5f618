"""The one with a train to catch: two big drops at once, then hardly anything, then gone."""

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import Lines, Persona
from bazaarbatna.bargain.tells_emission import NEVER, Level, TellStyle

IMPATIENT = Persona(
    name="impatient",
    concession_factor=1.5,
    impatience=2,
    walk_factor=1.5,
    closes_at=0.95,
    late_factor=1.3,
    shape={"big_drops": 2, "drop_per_round": 0.08, "later_drop": 0.01},
    style=TellStyle(
        urgency=Level(0.4, per_round=0.1),
        confidence=Level(0.7, per_round=-0.05),
        fidget=Level(0.3, per_round=0.08),
        escalation=Level(per_round=0.12),
        pattern="front_loaded",
        avoidant_from=NEVER,
        crossed_from=3,
    ),
    lines=Lines(
        counter=(
            "{price}, quickly please, I am packing up.",
            "Jaldi boliye, {price}.",
            "{price} and we are finished here.",
            "Time nahi hai mere paas. {price}.",
            "Come on. {price}.",
        ),
        hold=(
            "Yes or no?",
            "Itna time kaun deta hai? Jaldi kijiye.",
            "I told you my price.",
        ),
        accept=("Fine. Take it.", "Haan, le jaiye, jaldi.", "Done, done."),
        walk=("Enough, I am closing the shop.", "Bas, ab nahi bechna.", "My train is here. Bye."),
    ),
)


class ImpatientSeller(RuleSeller):
    """Drops 8 % and then 16 % of the anchor beyond the schedule, later 1 % of its ask a round."""

    persona = IMPATIENT

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Fall fast at first, then barely."""
        shape, t, standing = self.persona.shape, seen.round, seen.asks[-1]
        if t > shape["big_drops"]:
            return standing * (1 - shape["later_drop"])
        extra = self.anchor * shape["drop_per_round"] * t
        return min(self.scheduled(t) - extra, standing)
