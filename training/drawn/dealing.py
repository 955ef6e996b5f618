"""The games with drawn sellers: goods, hidden values and manners follow from the seed alone."""

from random import Random

from negotiation.bargain.scenarios import MAX_ROUNDS, SEED_LIMIT, draw_budget
from negotiation.engine.goods import GOODS
from negotiation.engine.quantities import Paise, clamp_price
from negotiation.engine.scenario import Scenario, SealedValues, SellerRules

SUITE = "drawn@sampled-1"
TITLE = "Sellers drawn at random"
SELLER = "rule:drawn@1"
"""Raised when manners or values are drawn in another way."""

COST = (20_00, 20_000_00)
MARGIN = (1.0, 1.3)
"""Reservation price as a multiple of the cost."""
ANCHOR = (1.15, 3.0)
"""Opening ask as a multiple of the reservation price."""
USUAL_ROUNDS = 0.5
"""How many games last as long as those of the site; the others have six rounds to twelve."""
ROUNDS = (6, 12)
HURRIED = 0.15
"""How many buyers have a deadline."""
WALK_P = 0.1
"""Highest base probability of walking from a lowball."""


def deal(seed: int) -> Scenario:
    """Draw a game. Prices in paise.

    Args:
        seed: 0 or more; the same seed gives the same game.
    """
    dice = Random(f"drawn:{seed}")
    sealed_seed = dice.randrange(SEED_LIMIT)
    low, high = COST
    cost = clamp_price(low * (high / low) ** dice.random())
    reservation = clamp_price(dice.uniform(*MARGIN) * cost)
    anchor = clamp_price(dice.uniform(*ANCHOR) * reservation)
    rounds = MAX_ROUNDS if dice.random() < USUAL_ROUNDS else dice.randint(*ROUNDS)
    return Scenario(
        suite=SUITE,
        item=dice.choice(GOODS),
        max_rounds=rounds,
        anchor=anchor,
        sealed=SealedValues(
            reservation=reservation,
            cost=cost,
            budget=_budget(dice, sealed_seed, anchor, reservation),
            seed=sealed_seed,
            deadline=dice.randint(3, rounds - 1) if dice.random() < HURRIED else None,
        ),
        salt=f"{dice.getrandbits(128):032x}",
        seller=SELLER,
        rules=SellerRules(batna_walk_p=dice.uniform(0, WALK_P)),
    )


def _budget(dice: Random, sealed_seed: int, anchor: Paise, reservation: Paise) -> Paise:
    """Draw as the site does, or from a wider range: some can pay more than is asked."""
    if dice.random() < 0.5:
        return draw_budget(sealed_seed, anchor, reservation)
    return clamp_price(dice.uniform(1.05 * reservation, 1.3 * anchor))
