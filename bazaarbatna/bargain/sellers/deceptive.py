"""The bluffer: high anchor, slow, with sudden gifts that it takes back."""

from collections.abc import Iterator
from random import Random

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import Lines, Persona
from bazaarbatna.bargain.tells_emission import NEVER, Level, TellStyle

DECEPTIVE = Persona(
    name="deceptive",
    anchor_factor=1.15,
    concession_factor=0.7,
    closes_at=1.0,
    late_factor=0.6,
    bluff_raise=0.03,
    shape={"fake_p": 0.30, "fake_drop": 0.08, "most_fakes": 2, "pull_p": 0.25},
    style=TellStyle(
        urgency=Level(0.1),
        confidence=Level(0.3, 0.5),
        deception=Level(per_urgency=0.7),
        fidget=Level(per_urgency=0.6),
        rounding="precise",
        speed="instant",
        pattern="erratic",
        eyes="intense",
        avoidant_from=NEVER,
        posture="leaning_in",
        topic_changes=3.0,
    ),
    lines=Lines(
        counter=(
            "My brother would scold me, but {price}. Only for you.",
            "Abhi phone aaya tha, doosra grahak tayyar hai. {price}.",
            "{price}. Honestly I am losing money here.",
            "Aise maal roz nahi milta. {price}, soch lijiye.",
            "Did I show you the other shop's price? {price} is nothing.",
        ),
        hold=(
            "Someone else is coming for it this evening.",
            "Sach bol raha hoon, isse behtar nahi milega.",
            "I should not even be selling it at this price.",
        ),
        accept=("You drive a hard bargain. Take it.", "Chaliye, aapki khushi.", "Fine, yours."),
        walk=(
            "Then I sell it to the other gentleman.",
            "Aap rehne dijiye, grahak bahut hain.",
            "I have no time for this.",
        ),
    ),
)


class DeceptiveSeller(RuleSeller):
    """Drops the ask for show, at most twice, and later pulls it up again."""

    persona = DECEPTIVE

    def __init__(self, scenario: Scenario, rng: Random) -> None:
        super().__init__(scenario, rng)
        self._fakes = 0

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Follow the schedule, unless this turn's draws say to bluff."""
        if self._fakes < self.persona.shape["most_fakes"] and drop < self.persona.shape["fake_p"]:
            self._fakes += 1
            return self._faked(seen)
        if self._fakes and pull < self.persona.shape["pull_p"]:
            return self._pulled(seen)
        return self._planned(seen)

    def plans(self, seen: SellerObservation, memory: int) -> Iterator[tuple[float, float, int]]:
        """List the bluffs and the schedule; ``memory`` counts the fake drops so far."""
        shape = self.persona.shape
        fake = shape["fake_p"] if memory < shape["most_fakes"] else 0.0
        pull = (1 - fake) * shape["pull_p"] if memory else 0.0
        if fake:
            yield fake, self._faked(seen), memory + 1
        if pull:
            yield pull, self._pulled(seen), memory
        yield 1 - fake - pull, self._planned(seen), memory

    def _planned(self, seen: SellerObservation) -> float:
        return min(self.scheduled(seen.round), seen.asks[-1])

    def _faked(self, seen: SellerObservation) -> float:
        return self._planned(seen) * (1 - self.persona.shape["fake_drop"])

    def _pulled(self, seen: SellerObservation) -> float:
        return int(seen.asks[-1] * (1 + self.persona.bluff_raise))
