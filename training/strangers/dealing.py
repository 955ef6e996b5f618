"""The suites of strangers: one for each talking seller, over goods of the catalogue.

Goods, prices, the budget and the hidden values follow from seller and seed alone, so that every
buyer meets the same games. They are drawn as the site draws the purchases of people: one budget in
ten lies below the reservation price.
"""

from collections.abc import Iterator
from functools import cache
from random import Random

from agents.sellers.persona import PERSONAS
from negotiation.bargain.purchases import draw_cost
from negotiation.bargain.scenarios import MAX_ROUNDS, RESERVATION_MARGIN, SEED_LIMIT, draw_budget
from negotiation.catalogue.stock import Entry, read_stock
from negotiation.engine.quantities import Paise, clamp_price
from negotiation.engine.scenario import Item, Scenario, SealedValues
from negotiation.policies import Entry as Policy
from negotiation.policies import policy

VARIANT = "strangers-1"
"""Raised when goods or values are drawn in another way."""

SELLER = "seller:"
"""Begins the registered name of every talking seller."""


def suite_ids() -> Iterator[str]:
    """List the suites, one for each talking seller."""
    return (f"{persona}@{VARIANT}" for persona in PERSONAS)


def persona_of(suite_id: str) -> str | None:
    """Name the seller of a suite; None where it is none of ours.

    >>> persona_of("firm@strangers-1"), persona_of("single_deal@sampled-1")
    ('firm', None)
    """
    persona, _, variant = suite_id.partition("@")
    return persona if variant == VARIANT and persona in PERSONAS else None


def seller_of(persona: str) -> Policy:
    """Look up who sells."""
    return policy(f"{SELLER}{persona}")


def deal(persona: str, seed: int) -> Scenario:
    """Draw a game: the goods, and what both sides hide. Prices in paise.

    Args:
        persona: who sells.
        seed: 0 or more; the same seed gives the same game to every buyer.
    """
    # Each seller has goods of its own: suites are drawn apart when intervals are made.
    dice = Random(f"strangers:{persona}:{seed}")
    category, entry = dice.choice(_goods())
    sealed_seed = dice.randrange(SEED_LIMIT)
    asking = Paise(100 * entry.list)
    cost = draw_cost(sealed_seed, 100 * entry.street)
    reservation = clamp_price(RESERVATION_MARGIN * cost, high=asking)
    return Scenario(
        suite=f"{persona}@{VARIANT}",
        item=Item(entry.title, category, entry.text, entry.condition),
        max_rounds=MAX_ROUNDS,
        anchor=asking,
        sealed=SealedValues(
            reservation=reservation,
            cost=min(cost, reservation),
            budget=draw_budget(sealed_seed, asking, reservation),
            seed=sealed_seed,
            persona=persona,
        ),
        salt=f"{dice.getrandbits(128):032x}",
        seller=seller_of(persona).version,
    )


@cache
def _goods() -> tuple[tuple[str, Entry], ...]:
    return tuple((shelf.category, entry) for shelf in read_stock() for entry in shelf.listing)
