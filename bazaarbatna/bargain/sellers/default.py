"""The plain shopkeeper: comes down by the same amount each round."""

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import Lines, Persona
from bazaarbatna.bargain.tells_emission import TellStyle

DEFAULT = Persona(
    name="default",
    closes_at=0.98,
    style=TellStyle(),
    lines=Lines(
        counter=(
            "For you I can make it {price}.",
            "Chalo, {price} de dijiye.",
            "{price}, and that is a fair price.",
            "Aap bhi thoda badhiye; main {price} par aata hoon.",
            "Look at the condition. {price}.",
        ),
        hold=(
            "That is my price for today.",
            "Isi daam par baat karte hain.",
            "Take a moment, my price is on the table.",
        ),
        accept=("Done, it is yours.", "Theek hai, le jaiye.", "Good, we have a deal."),
        walk=("Rehne dijiye, phir kabhi.", "Sorry, we are too far apart.", "Not today, thank you."),
    ),
)


class DefaultSeller(RuleSeller):
    """Concedes steadily."""

    persona = DEFAULT

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Follow the schedule; an ask never goes up."""
        return min(self.scheduled(seen.round), seen.asks[-1])
