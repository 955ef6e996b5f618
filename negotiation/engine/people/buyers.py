"""Buyers who bargain as people do: what the sellers of the population are fitted against.

Shares are of the list price. The figures are those of 1,299 dialogues of CraigslistBargain (He et
al. 2018) that stand in ``fit``.
"""

from random import Random

import msgspec

from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.people.manner import named_price
from negotiation.engine.quantities import clamp_price

TARGETS = (0.5, 0.7, 0.9)
TARGET_WEIGHTS = (0.25, 0.38, 0.37)
"""What people were told to aim at; its mean is 0.72."""
QUITS = 0.125
"""How many leave without naming a price."""
FIRST = (0.85, 1.2)
"""First bid as a multiple of the target: half of the people open above it."""
HIGHEST_FIRST = (0.9, 0.97)
STRETCH = (0.28, 1.0)
"""Most that is paid: this part of the way from the first bid to the list price."""
GAP = (0.22, 0.6)
"""Part of the gap to the ask that the second bid goes."""
FADE = 0.8
"""Each further step goes this part of the gap beside the one before."""
HOLD = (0.28, 0.24)
"""Chance to stand still at the second bid, and what each further bid adds to it."""
PATIENCE = (2, 4)
"""Bids at most; then the ask is taken or the buyer leaves."""
CLOSE = (0.02, 0.08)
"""A gap that is no more than this is not argued about."""


class BuyerManner(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The numbers of one buyer, as shares of the list price unless said otherwise.

    Attributes:
        first: bid that opens.
        most: highest price that is paid.
        gap: part of the gap to the ask that the second bid goes.
        close: a smaller gap is closed by taking the ask.
        patience: bids at most; 0: leaves at once.
    """

    first: float
    most: float
    gap: float
    close: float
    patience: int


def draw_buyer(dice: Random) -> BuyerManner:
    """Draw a buyer."""
    target = dice.choices(TARGETS, TARGET_WEIGHTS)[0]
    first = min(target * dice.uniform(*FIRST), dice.uniform(*HIGHEST_FIRST))
    return BuyerManner(
        first=first,
        most=first + (1 - first) * dice.uniform(*STRETCH),
        gap=dice.uniform(*GAP),
        close=dice.uniform(*CLOSE),
        patience=0 if dice.random() < QUITS else dice.randint(*PATIENCE),
    )


class PersonBuyer:
    """A buyer of the population: a few steps toward the ask, then the ask or the door.

    It keeps nothing between turns and never bids above the game's budget.
    """

    def __init__(self, seed: int) -> None:
        """Draw the buyer of a seed, 0 or more."""
        self.manner = draw_buyer(Random(f"buyer:{seed}"))
        self._seed = seed

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a move."""
        seen, manner, list_price = observation, self.manner, observation.opening_ask
        most = min(seen.budget, int(manner.most * list_price))
        bid, ask = seen.own_last_bid, seen.standing_ask
        if not manner.patience:
            return Walk()
        if bid is None:
            return self._offer(manner.first * list_price, most, ask)
        is_last = len(seen.bids) >= manner.patience or not seen.rounds_left
        if ask <= most and (is_last or ask - bid <= manner.close * list_price):
            return Accept()
        if is_last:
            return Walk()
        return self._offer(bid + self._step(len(seen.bids), ask - bid), most, ask)

    def _step(self, bids: int, gap: int) -> float:
        luck = Random(f"bid:{self._seed}:{bids}").random()
        start, growth = HOLD
        if luck < start + growth * (bids - 1):
            return 0.0
        return float(self.manner.gap * FADE ** (bids - 1) * gap)

    def _offer(self, price: float, most: int, ask: int) -> Move:
        named = named_price(price, ask)
        return Offer(clamp_price(min(named, most)))
