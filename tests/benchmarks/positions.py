"""What the buyer sees in games that the rule buyer plays."""

import itertools
from collections.abc import Iterator
from random import Random

from agents.buyers.sauda import Sauda
from agents.testing.players import SELLERS, a_scenario
from bazaarbatna.bargain.episode import apply, start
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer


def positions(seed: int) -> Iterator[BuyerObservation]:
    """Return what the buyer sees in game after game."""
    for number in itertools.count(seed * 1000):
        dice = Random(number)
        state, _ = start(a_scenario(dice))
        while state.to_move is not None:
            if state.to_move == "seller":
                state, _ = apply(state, "seller", SELLERS[number % len(SELLERS)](state, dice))
                continue
            seen = observe_buyer(state)
            yield seen
            state, _ = apply(state, "buyer", Sauda(number).act(seen))
