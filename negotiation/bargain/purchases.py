"""How a person's purchase becomes a scenario: a secret budget, and the seller's sealed values."""

import random
import secrets
from collections.abc import Callable

import msgspec

from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import PURCHASE, Item, Scenario, SealedValues
from bazaarbatna.bargain.tells import CONDITIONS, ConditionLabel
from negotiation.bargain.scenarios import (
    MAX_ROUNDS,
    RESERVATION_MARGIN,
    SEED_LIMIT,
    whole_rupees,
)
from negotiation.errors import BadSale
from negotiation.models import Listing
from negotiation.policies import UnknownPolicy, policy
from negotiation.sentences import sentences
from negotiation.words import clean, clean_line

say = sentences(__file__)

SUITE = PURCHASE

FIRST_SUITE = "buy@1"
"""Sellers who took any bid from their reservation price on; its games are replayed as played."""

COST_SHARE = (0.75, 0.92)
"""What the item is worth to its seller, as a part of its street price: drawn, so that nobody can
work it out from the catalogue, and high enough that a usual first bid is no deal yet."""

WIDEST_COST = 0.92 / RESERVATION_MARGIN
"""Highest cost where some price must suit both sides, as a part of the buyer's budget."""

SUGGESTED = 0.92
"""Budget in puzzles and measurements, where one deal is to be like another, of the asking price."""

DEALT = (0.84, 0.98)
"""Between these parts of the asking price lies the budget of whoever names none."""

LEAST_BUDGET = 0.05
"""Lowest budget as a part of the asking price: below it there is no game."""


class NewPurchase(msgspec.Struct, frozen=True, kw_only=True):
    """What a person wants to buy, and from whom. ``budget`` in paise; None: it is dealt."""

    listing: Listing
    budget: Paise | None = None
    policy: str = "seller:default"
    share_replay: bool = False


def suggested_budget(asking_price: int) -> Paise:
    """Return the budget of a purchase that nobody plays by hand, in paise, in whole rupees.

    >>> suggested_budget(120000)
    110400
    """
    return clamp_price(SUGGESTED * asking_price // 100 * 100)


def deal_budget(asking_price: int, seed: int) -> Paise:
    """Deal the budget of whoever names none, in paise, in whole rupees; the seed decides.

    >>> deal_budget(120000, 7)
    102500
    """
    # A name of its own: what a player sees of it tells nothing of the seller's draws.
    part = random.Random(f"budget:{seed}").uniform(*DEALT)
    return clamp_price(part * asking_price // 100 * 100)


def purchase_scenario(
    purchase: NewPurchase, below: Callable[[int], int], *, has_zone: bool = False
) -> Scenario:
    """Fix everything about a purchase before its first move, the sealed values included.

    ``below`` gives an unguessable whole number of 0 up to its argument. BadSale: the budget leaves
    nothing to bargain about; UnknownPolicy: no seller has that name.
    """
    entry = policy(purchase.policy)
    if entry.side != "seller":
        raise UnknownPolicy(f"{purchase.policy!r} buys; choose a seller.")
    listing = purchase.listing
    asking = Paise(listing.list_price)
    seed = below(SEED_LIMIT)
    budget = _budget(purchase, asking, seed)
    cost = draw_cost(seed, listing.street_price, budget if has_zone else None)
    reservation = min(whole_rupees(RESERVATION_MARGIN * cost), asking)
    return Scenario(
        suite=SUITE,
        item=item_of(listing),
        max_rounds=MAX_ROUNDS,
        anchor=asking,
        sealed=SealedValues(
            reservation=reservation,
            cost=min(cost, reservation),
            budget=budget,
            seed=seed,
            persona=purchase.policy.removeprefix("seller:"),
        ),
        salt=secrets.token_hex(16),
        seller=entry.version,
        persona_visible=True,
    )


def draw_cost(seed: int, street_price: int, within: Paise | None = None) -> Paise:
    """Draw what the item is worth to its seller in paise; the same seed gives the same value.

    Where ``within`` is a budget in paise it must leave room for a deal.
    """
    # A name of its own: a policy that draws from the same seed must not echo these draws.
    rng = random.Random(f"cost:{seed}")
    cost = rng.uniform(*COST_SHARE) * street_price
    if within is not None and cost > WIDEST_COST * within:
        cost = rng.uniform(*COST_SHARE) * WIDEST_COST * within
    return clamp_price(cost)


def _budget(purchase: NewPurchase, asking: Paise, seed: int) -> Paise:
    budget = deal_budget(asking, seed) if purchase.budget is None else purchase.budget
    if budget < LEAST_BUDGET * asking:
        raise BadSale(say("that_budget_is_far_below_the"), "budget")
    # Nobody pays more than is asked, and a larger number would only flatter the share.
    return min(budget, asking)


def item_of(listing: Listing) -> Item:
    """Return a listing as the thing that is bargained over; of an unknown condition it is good."""
    label: ConditionLabel = next(
        (one for one in CONDITIONS if one == listing.condition_label), "good"
    )
    return Item(
        clean_line(listing.title),
        clean_line(listing.category),
        clean(listing.description),
        label,
        listing.currency,
    )
