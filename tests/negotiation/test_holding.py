"""The hint to hold after three steps for nothing says what was measured against the network."""

from random import Random
from statistics import fmean

from bazaarbatna.bargain.episode import apply, start
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SealedValues
from negotiation.bargain import opponent
from negotiation.bargain.web.rendering import REAL, STUCK
from tests.support.finished import a_scenario

NETWORK = "sauda-network"
SALES = 24
STEP = 0.03


def kept(seed: int, *, holds: bool) -> float | None:
    """Return a seller's share who steps down evenly, and once it was in vain holds or goes on.

    None where no three steps were in vain: nothing would have been said.
    """
    dice = Random(seed)
    asked = 100 * dice.randint(500, 30_000)
    floor = int(asked * dice.uniform(0.5, 0.65)) // 100 * 100
    budget = int(asked * dice.uniform(0.7, 0.95)) // 100 * 100
    sealed = SealedValues(Paise(floor), Paise(floor), Paise(budget), seed)
    state, opening = start(a_scenario(sealed=sealed, anchor=Paise(asked)))
    count, stuck, is_told = len(opening), 0, False
    while state.ended is None:
        taken = opponent.take(state, NETWORK, count)
        assert taken is not None
        state, count = taken.state, count + len(taken.events)
        if state.ended is not None:
            break
        asks, bids = state.asks, state.bids
        moved = len(asks) > 1 and asks[-1] < asks[-2]
        stuck = stuck + 1 if moved and len(bids) > 1 and bids[-1] <= bids[-2] else 0
        is_told = is_told or stuck == STUCK
        ask = asks[-1] if is_told and holds else max(floor, asks[-1] - int(STEP * asked))
        move: Move = Offer(Paise(ask))
        if state.round == state.scenario.max_rounds or ask <= bids[-1]:
            move = Accept() if bids[-1] >= floor else Walk()
        state, events = apply(state, "seller", move)
        count += len(events)
    price = state.ended.price
    share = (price - floor) / (budget - floor) if price is not None else 0.0
    return share if is_told else None


def test_to_hold_after_three_steps_for_nothing_brings_more() -> None:
    assert STEP * STUCK >= REAL
    told = [
        (share, kept(seed, holds=True) or 0.0)
        for seed in range(SALES)
        if (share := kept(seed, holds=False)) is not None
    ]
    assert len(told) > SALES // 3
    assert fmean(hold for _, hold in told) > fmean(step for step, _ in told) + 0.1
