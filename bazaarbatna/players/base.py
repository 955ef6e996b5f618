"""What all rule buyers share: a seed, a version, and the guards behind every move."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import clamp_price
from bazaarbatna.players.guard import guard
from bazaarbatna.versions import version_label


def bid(price: float) -> Offer:
    """Make an offer of a computed price in paise, rounded to whole paise."""
    return Offer(clamp_price(price))


def dice_of_move(seed: int, seat: str, at: int, luck: int = 0) -> Random:
    """Return the luck of a seat's move after ``at`` events in a game of turns."""
    return Random(f"{seed}/{luck}/{seat}/{at}")


class RuleBuyer:
    """A buyer by rule. Subclasses propose; the guards decide what of it is played.

    ``parameters`` holds every number the proposal depends on and becomes part of the version;
    raise ``number`` when the code of ``propose`` changes its behaviour.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    number: ClassVar[int] = 1
    parameters: ClassVar[Mapping[str, object]] = {}

    def __init__(self, seed: int) -> None:
        self.seed = seed

    @classmethod
    def version(cls) -> str:
        """Write the version label that results of this buyer carry."""
        return version_label(cls.name, cls.number, cls.parameters)

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a legal move."""
        return self.decide(observation)

    def decide(self, observation: BuyerObservation) -> Move:
        """Choose a legal move and say nothing: the same deed as ``act``, faster where it talks."""
        return guard(observation, self.propose(observation))

    def propose(self, observation: BuyerObservation) -> Move:
        """Choose a move that need not be legal yet."""
        raise NotImplementedError

    def dice(self, observation: BuyerObservation) -> Random:
        """Make this turn's own random numbers: same seed and turn, same numbers."""
        return Random(self.seed * 1_000_003 + len(observation.bids))
