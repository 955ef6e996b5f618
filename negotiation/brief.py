"""What the seller is told before the first move, and nobody else."""

import msgspec

from negotiation.bonus import largest_bonus
from negotiation.engine.quantities import Paise, to_rupees
from negotiation.engine.scenario import Scenario
from negotiation.models import Listing
from negotiation.scenarios import MAX_ROUNDS, default_reservation

HINTS: dict[str, str] = {
    "sauda": "Sauda starts low, comes up step by step, and listens to how you talk: "
    "hurry, bluff and sorrow all reach her.",
}
"""What a seller may know of a buyer, by policy."""

PLAIN_HINT = "You do not know this buyer. Watch how its bids move."


class Brief(msgspec.Struct, frozen=True):
    """The seller's role. Prices in rupees; ``reservation_price`` is the seller's own secret."""

    title: str
    condition: str
    currency: str
    asking_price: float
    reservation_price: float
    max_bonus: float
    max_rounds: int
    hint: str


def brief_of(scenario: Scenario, policy: str) -> Brief:
    """Write the role brief; it holds nothing of the buyer's sealed values.

    Args:
        scenario: the game's scenario.
        policy: name of the buyer's policy.
    """
    reservation, anchor = scenario.sealed.reservation, scenario.anchor
    return Brief(
        title=scenario.item.title,
        condition=scenario.item.condition,
        currency=scenario.item.currency,
        asking_price=to_rupees(anchor),
        reservation_price=to_rupees(reservation),
        max_bonus=to_rupees(largest_bonus(anchor, reservation)),
        max_rounds=scenario.max_rounds,
        hint=HINTS.get(policy, PLAIN_HINT),
    )


def listing_brief(listing: Listing, policy: str) -> Brief:
    """Write the brief that a sale of this listing would have.

    Args:
        listing: what would be sold.
        policy: name of the buyer's policy.
    """
    reservation = default_reservation(listing.street_price)
    return Brief(
        title=listing.title,
        condition=listing.description,
        currency=listing.currency,
        asking_price=to_rupees(listing.list_price),
        reservation_price=to_rupees(reservation),
        max_bonus=to_rupees(largest_bonus(Paise(listing.list_price), reservation)),
        max_rounds=MAX_ROUNDS,
        hint=HINTS.get(policy, PLAIN_HINT),
    )


class PurchaseBrief(msgspec.Struct, frozen=True):
    """The buyer's role. Prices in rupees; ``budget`` is the buyer's own secret."""

    title: str
    condition: str
    currency: str
    asking_price: float
    budget: float
    max_rounds: int
    persona: str


def purchase_brief(scenario: Scenario) -> PurchaseBrief:
    """Write the brief of a purchase; it holds nothing of the seller's sealed values."""
    return PurchaseBrief(
        title=scenario.item.title,
        condition=scenario.item.condition,
        currency=scenario.item.currency,
        asking_price=to_rupees(scenario.anchor),
        budget=to_rupees(scenario.sealed.budget),
        max_rounds=scenario.max_rounds,
        persona=scenario.sealed.persona,
    )
