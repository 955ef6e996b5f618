"""What the seller is told before the first move, and nobody else."""

import msgspec
from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain.scenarios import (
    MAX_ROUNDS,
    default_reservation,
    is_raised,
    pays_floor,
)
from negotiation.models import Game, Listing
from negotiation.sentences import sentences

say = sentences(__file__)

STEP = 10
"""Rupees above the reservation price that earn one rupee; parts of one earn nothing."""

CAP = 0.10
"""Largest bonus as a part of the distance from the reservation price to the asking price."""


def largest_bonus(asking_price: Paise, reservation_price: Paise) -> Paise:
    """Return the most a seller can earn, in paise.

    >>> largest_bonus(Paise(200000), Paise(120000))
    8000
    """
    return _whole(CAP * max(asking_price - reservation_price, 0))


def bonus(price: Paise, asking_price: Paise, reservation_price: Paise) -> Paise:
    """Return the bonus in paise for a deal at ``price``; 0 at or below the reservation price.

    >>> bonus(Paise(150000), Paise(200000), Paise(120000))
    3000
    """
    earned = _whole(max(price - reservation_price, 0) / STEP)
    return min(earned, largest_bonus(asking_price, reservation_price))


def _whole(paise: float) -> Paise:
    return Paise(int(paise) // 100 * 100)


HINTS: dict[str, str] = say.texts("hints")
"""What a seller may know of a buyer, by policy."""


class Brief(msgspec.Struct, frozen=True):
    """The seller's role. Prices in rupees; ``reservation_price`` is the seller's own secret.

    ``walking_away`` tells when to: it says of a zone what its person may know, never how wide.
    """

    title: str
    condition: str
    currency: str
    asking_price: float
    reservation_price: float
    max_bonus: float
    max_rounds: int
    hint: str
    walking_away: str


def brief_of(
    scenario: Scenario, policy: str, listing: Listing | None = None, *, has_zone: bool
) -> Brief:
    """Write the role brief; it holds nothing of the buyer's sealed values."""
    item = scenario.item
    words = (item.title, item.condition, item.currency)
    if has_zone:
        zone = "sure_sale"
    elif pays_floor(scenario.sealed, listing):
        zone = "known_sale"
    else:
        zone = "raised_may_fail" if is_raised(scenario.sealed) else "sale_may_fail"
    prices = (scenario.anchor, scenario.sealed.reservation)
    return _brief(words, prices, scenario.max_rounds, policy, zone)


def listing_brief(listing: Listing, policy: str) -> Brief:
    """Write the brief that a sale of this listing would have."""
    words = (listing.title, listing.description, listing.currency)
    prices = (Paise(listing.list_price), default_reservation(listing.street_price))
    return _brief(words, prices, MAX_ROUNDS, policy, "known_sale")


def _brief(
    words: tuple[str, str, str],
    prices: tuple[Paise, Paise],
    max_rounds: int,
    policy: str,
    zone: str,
) -> Brief:
    asking, reservation = map(to_rupees, prices)
    bonus = to_rupees(largest_bonus(*prices))
    hint = gettext(HINTS.get(policy, say.text("plain_hint")))
    return Brief(*words, asking, reservation, bonus, max_rounds, hint, say(zone))


class PurchaseBrief(msgspec.Struct, frozen=True):
    """The buyer's role. Prices in rupees; ``budget`` is the buyer's own secret."""

    title: str
    condition: str
    currency: str
    asking_price: float
    budget: float
    max_rounds: int
    persona: str
    walking_away: str


def purchase_brief(scenario: Scenario, *, has_zone: bool, is_told: bool = True) -> PurchaseBrief:
    """Write the brief of a purchase; it holds nothing of the seller's sealed values.

    Unless ``is_told`` the buyer does not learn who sells either.
    """
    return PurchaseBrief(
        title=scenario.item.title,
        condition=scenario.item.condition,
        currency=scenario.item.currency,
        asking_price=to_rupees(scenario.anchor),
        budget=to_rupees(scenario.sealed.budget),
        max_rounds=scenario.max_rounds,
        persona=scenario.sealed.persona if is_told else "",
        walking_away=say("sure_purchase" if has_zone else "purchase_may_fail"),
    )


def at_table(brief: Brief | PurchaseBrief, game: Game, *, is_person: bool) -> Brief | PurchaseBrief:
    """Say of a zone what holds opposite a person, in a room, and of cards that others get, too."""
    is_dealt = game.zone_promised and (game.is_daily or game.is_challenge)
    between = "pair_sure" if game.zone_promised else "pair_may_fail"
    told = between if is_person or "back" in game.terms else "sure_dealt" if is_dealt else ""
    return msgspec.structs.replace(brief, walking_away=say(told)) if told else brief
