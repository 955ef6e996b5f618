"""Buyers that a test can script, registered like real ones."""

from collections.abc import Callable, Iterator

import pytest

from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from negotiation import policies

Act = Callable[[BuyerObservation], Move]


class Scripted:
    """A buyer that does what the test says and never replies."""

    def __init__(self, act: Act) -> None:
        self._act = act

    def act(self, observation: BuyerObservation) -> Move:
        return self._act(observation)


@pytest.fixture
def scripted() -> Iterator[Callable[[Act], str]]:
    """Register buyers for one test: give a function, get its policy name."""
    names: list[str] = []

    def register(act: Act) -> str:
        name = f"test:{len(names)}"
        policies.register(name, lambda seed: Scripted(act), version=f"{name}@1", backend="script")
        names.append(name)
        return name

    yield register
    for name in names:
        del policies._entries[name]


def bids(price: int) -> Act:
    """A buyer that always bids the same number of paise."""
    return lambda observation: Offer(Paise(price), "My price.")
