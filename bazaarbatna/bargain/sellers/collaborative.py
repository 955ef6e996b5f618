"""The neighbour: low anchor, low limit, leans toward a price that is fair to both."""

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import Lines, Persona
from bazaarbatna.bargain.tells_emission import NEVER, Level, TellStyle

COLLABORATIVE = Persona(
    name="collaborative",
    reservation_factor=1.02,
    anchor_factor=0.9,
    concession_factor=1.3,
    walk_factor=0.3,
    closes_at=0.95,
    shape={"lean": 0.30, "fair_markup": 1.1},
    style=TellStyle(
        urgency=Level(per_urgency=0.8),
        speed="deliberate",
        avoidant_from=NEVER,
        posture="leaning_in",
    ),
    lines=Lines(
        counter=(
            "Let us meet somewhere: {price}?",
            "Dono ka kaam ho jaye, {price} theek rahega.",
            "I want you to be happy with it. {price}.",
            "Aap apne hi hain, {price} rakh lete hain.",
            "How does {price} sound to you?",
        ),
        hold=(
            "Tell me what would work for you.",
            "Aap bataiye, beech ka raasta nikalte hain.",
            "I would like this to go to a good home.",
        ),
        accept=("Lovely, enjoy it.", "Badhiya, aapka hua.", "Agreed, and thank you."),
        walk=(
            "No hard feelings, come again.",
            "Koi baat nahi, agli baar.",
            "I am sorry, I cannot.",
        ),
    ),
)


class CollaborativeSeller(RuleSeller):
    """Leans from the schedule toward the midpoint of 1.1 x cost and its own last price."""

    persona = COLLABORATIVE

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Mix the schedule with the fair price."""
        shape, standing = self.persona.shape, seen.asks[-1]
        fair = (shape["fair_markup"] * self.cost + standing) / 2
        lean = shape["lean"]
        return min((1 - lean) * self.scheduled(seen.round) + lean * fair, standing)
