"""What a game of a room is about: goods of the plan, and sealed values drawn for it alone.

The values come from a seed of 53 secret bits, under names of their own: nobody can work the one out
from the other, from the goods, or from what a policy draws with the same seed.
"""

import random
import secrets
from collections.abc import Callable

import msgspec
from django.db.models import QuerySet

from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import Scenario, SealedValues
from negotiation.bargain.purchases import SUITE as PURCHASE_SUITE
from negotiation.bargain.purchases import draw_cost
from negotiation.bargain.scenarios import (
    RESERVATION_MARGIN,
    WHOLE_FROM,
    NewSale,
    draw_budget,
    scenario_of,
    whole_rupees,
)
from negotiation.models import Listing
from negotiation.policies import policy
from rooms.errors import NothingToSell
from rooms.plan import Plan, Zone

WIDE = 0.30
"""Least width of a wide zone, as a part of the asking price."""

NARROW = (0.01, 0.05)
"""Width of a narrow zone, as parts of the asking price."""


FLOORS: dict[Zone, tuple[float, float]] = {
    "wide": (0.45, 0.6), "narrow": (0.6, 0.9), "none": (0.65, 0.95),
}  # fmt: skip
"""Reservation price as parts of the asking price, where it is not drawn as elsewhere."""

WIDEST = 0.98
"""Highest budget of a wide zone, as a part of the asking price."""

BELOW = (0.78, 0.97)
"""Budget as parts of the reservation price, where there is no zone."""


class DealtGame(msgspec.Struct, frozen=True):
    """A game before its first move: both people get the same, each sees the own side of it."""

    scenario: Scenario
    listing: Listing


def deal(plan: Plan, luck: Callable[[int], int] = secrets.randbelow) -> DealtGame:
    """Deal one game; ``luck`` gives an unguessable whole number of 0 up to its argument.

    NothingToSell: no goods fit the plan.
    """
    goods = goods_of(plan)
    count = goods.count()
    if not count:
        raise NothingToSell
    listing = goods[luck(count)]
    scenario = scenario_of(NewSale(listing=listing), luck)
    reservation, budget = draw_limits(scenario.sealed.seed, listing, plan.zone)
    sealed = msgspec.structs.replace(
        scenario.sealed,
        reservation=reservation,
        cost=clamp_price(reservation / RESERVATION_MARGIN),
        budget=budget,
    )
    scenario = msgspec.structs.replace(scenario, sealed=sealed, max_rounds=plan.rounds)
    return DealtGame(scenario, listing)


def against_seller(scenario: Scenario, name: str, *, is_told: bool) -> Scenario:
    """Let a policy sell; ``is_told``: the person knows of which temper it is."""
    sealed: SealedValues = msgspec.structs.replace(
        scenario.sealed, persona=name.removeprefix("seller:")
    )
    return msgspec.structs.replace(
        scenario,
        suite=PURCHASE_SUITE,
        sealed=sealed,
        seller=policy(name).version,
        persona_visible=is_told,
    )


def goods_of(plan: Plan) -> QuerySet[Listing]:
    """Return what may be dealt, in a fixed order."""
    goods = Listing.objects.filter(currency="INR").order_by("pk")
    if plan.listings:
        return goods.filter(pk__in=plan.listings)
    if plan.least_price:
        goods = goods.filter(list_price__gte=plan.least_price * 100)
    if plan.most_price:
        goods = goods.filter(list_price__lte=plan.most_price * 100)
    return goods


def draw_limits(seed: int, listing: Listing, zone: Zone) -> tuple[Paise, Paise]:
    """Draw the seller's reservation price and the buyer's budget, in paise."""
    asking = Paise(listing.list_price)
    # Two names: knowing the own value and how it was drawn tells nothing of the other's draw.
    low, high = random.Random(f"room-floor:{seed}"), random.Random(f"room-budget:{seed}")
    match zone:
        case "usual":
            cost = draw_cost(low.getrandbits(53), listing.street_price)
            reservation = min(whole_rupees(RESERVATION_MARGIN * cost), asking)
            luck = high.getrandbits(53)
            budget = draw_budget(luck, asking, reservation, listing.street_price)
            return reservation, whole_rupees(budget)
        case "wide":
            reservation = whole_rupees(asking * low.uniform(*FLOORS[zone]))
            least = reservation + WIDE * asking
            return reservation, whole_rupees(high.uniform(least, max(least, WIDEST * asking)))
        case "narrow":
            reservation = whole_rupees(asking * low.uniform(*FLOORS[zone]))
            return reservation, _narrow(reservation, asking, high.uniform(*NARROW))
        case "none":
            reservation = whole_rupees(asking * low.uniform(*FLOORS[zone]))
            return reservation, _below(reservation, reservation * high.uniform(*BELOW))


def _narrow(reservation: Paise, asking: Paise, width: float) -> Paise:
    step = 100 if reservation >= WHOLE_FROM else 1
    steps = max(1, int(width * asking / step))
    return clamp_price(reservation + steps * step)


def _below(reservation: Paise, wanted: float) -> Paise:
    step = 100 if reservation >= WHOLE_FROM else 1
    return clamp_price(min(int(wanted / step) * step, reservation - step))
