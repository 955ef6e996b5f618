"""The bluffer: high anchor, slow, with sudden gifts that it takes back."""

from collections.abc import Iterator
from random import Random

from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.persona import read_persona


class DeceptiveSeller(RuleSeller):
    """Drops the ask for show, at most twice, and later pulls it up again."""

    persona = read_persona(__file__)

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
