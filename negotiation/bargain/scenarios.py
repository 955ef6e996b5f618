"""How a person's sale becomes a scenario: defaults of a listing, and Sauda's sealed budget."""

import math
import random
import secrets
from collections.abc import Callable

import msgspec
from django.utils.translation import gettext

from negotiation.engine.quantities import Paise, clamp_price
from negotiation.engine.scenario import SALE, Item, Scenario, SealedValues
from negotiation.engine.tells import CONDITIONS, ConditionLabel
from negotiation.errors import BadSale
from negotiation.marking import gettext_noop
from negotiation.models import Game, Listing
from negotiation.words import clean, clean_line

MAX_ROUNDS = 10

COST_SHARE = 0.7
"""What an item is worth to its seller, as a part of its street price."""

RESERVATION_MARGIN = 1.05
"""Reservation price as a multiple of the cost."""

NO_ZOPA_CHANCE = 0.1
"""How often the budget lies below the reservation price."""

NO_ZOPA_BUDGET = (0.75, 0.98)
"""Then: the budget as a part of the reservation price."""

LEAST_BUDGET = 1.08
"""Else: the lowest budget as a multiple of the reservation price."""

WHOLE_FROM = Paise(10_000)
"""Paise from which on a limit is drawn in whole rupees."""

SEED_LIMIT = 2**53
"""Seeds below this are exact in every JSON reader."""

CURRENCIES = ("INR", "USD")
MAX_TITLE, MAX_CATEGORY, MAX_DESCRIPTION = 200, 80, 1000


class NewSale(msgspec.Struct, frozen=True, kw_only=True):
    """What a person wants to sell, and how. Prices in paise.

    With a ``listing`` every empty field takes the listing's value; without one ``title``,
    ``asking_price`` and ``reservation_price`` are needed.
    """

    listing: Listing | None = None
    title: str = ""
    category: str = ""
    description: str = ""
    condition_label: str = ""
    currency: str = ""
    asking_price: Paise | None = None
    reservation_price: Paise | None = None
    policy: str = "sauda"
    share_replay: bool = False
    suite: str = SALE


def default_reservation(street_price: int) -> Paise:
    """Return the reservation price of a listing, in paise.

    >>> default_reservation(100000)
    73500
    """
    return whole_rupees(RESERVATION_MARGIN * COST_SHARE * street_price)


def whole_rupees(price: float) -> Paise:
    """Return a price in paise, without paise from a hundred rupees on: nobody bargains over them.

    >>> whole_rupees(992_250), whole_rupees(8_085)
    (992300, 8085)
    """
    return clamp_price(math.ceil(price / 100) * 100 if price >= WHOLE_FROM else price)


def scenario_of(sale: NewSale, below: Callable[[int], int], *, has_zone: bool = False) -> Scenario:
    """Fix everything about a game before its first move, the sealed values included.

    ``below`` gives an unguessable whole number of 0 up to its argument. BadSale: the item's words
    or currency cannot be used; InvalidPrice: from ``engine.start``, when the prices do not fit.
    """
    asking, reservation, cost = _prices(sale)
    seed = below(SEED_LIMIT)
    budget = whole_rupees(draw_budget(seed, asking, reservation, has_zone=has_zone))
    return Scenario(
        suite=sale.suite,
        item=_item(sale),
        max_rounds=MAX_ROUNDS,
        anchor=asking,
        sealed=SealedValues(reservation=reservation, cost=cost, budget=budget, seed=seed),
        salt=secrets.token_hex(16),
    )


def draw_budget(seed: int, asking: Paise, reservation: Paise, *, has_zone: bool = False) -> Paise:
    """Draw what the buyer will pay at most, in paise; the same seed gives the same budget.

    With ``has_zone`` never below the reservation price; else it is now and then.
    """
    # A name of its own: a policy that draws from the same seed must not echo the budget's draws
    # in what the seller can see.
    rng = random.Random(f"budget:{seed}")
    if rng.random() < NO_ZOPA_CHANCE and not has_zone:
        return clamp_price(reservation * rng.uniform(*NO_ZOPA_BUDGET))
    lowest = LEAST_BUDGET * reservation
    return clamp_price(rng.uniform(lowest, max(asking, lowest)), low=int(lowest) + 1)


def _prices(sale: NewSale) -> tuple[Paise, Paise, Paise]:
    asking, reservation = sale.asking_price, sale.reservation_price
    if sale.listing is not None:
        asking = Paise(sale.listing.list_price) if asking is None else asking
        street = sale.listing.street_price
        reservation = default_reservation(street) if reservation is None else reservation
        return asking, reservation, clamp_price(COST_SHARE * street)
    if asking is None:
        raise BadSale(gettext("An item needs an asking price."), "asking_price")
    if reservation is None:
        raise BadSale(gettext("An item needs a floor."), "reservation_price")
    return asking, reservation, clamp_price(reservation / RESERVATION_MARGIN)


TOO_LONG = {
    "title": gettext_noop("The title has at most %(most)d characters; yours has %(count)d."),
    "category": gettext_noop("The category has at most %(most)d characters; yours has %(count)d."),
    "description": gettext_noop(
        "The description has at most %(most)d characters; yours has %(count)d."
    ),
}


def _item(sale: NewSale) -> Item:
    listing = sale.listing
    title = clean_line(sale.title or (listing.title if listing else ""))
    category = clean_line(sale.category or (listing.category if listing else ""))
    condition = clean(sale.description or (listing.description if listing else ""))
    label = sale.condition_label or (listing.condition_label if listing else "good")
    currency = sale.currency or (listing.currency if listing else "INR")
    if not title:
        raise BadSale(gettext("An item needs a title."), "title")
    for field, text, longest in (
        ("title", title, MAX_TITLE),
        ("category", category, MAX_CATEGORY),
        ("description", condition, MAX_DESCRIPTION if listing is None else len(condition)),
    ):
        if len(text) > longest:
            raise BadSale(gettext(TOO_LONG[field]) % {"most": longest, "count": len(text)}, field)
    if currency not in CURRENCIES:
        raise BadSale(
            gettext("The currency is one of %(names)s.") % {"names": ", ".join(CURRENCIES)},
            "currency",
        )
    return Item(title, category, condition, _label(label), currency)


def _label(name: str) -> ConditionLabel:
    for label in CONDITIONS:
        if label == name:
            return label
    raise BadSale(
        gettext("The condition is one of %(names)s.") % {"names": ", ".join(CONDITIONS)},
        "condition_label",
    )


def stored_scenario(game: Game) -> Scenario:
    """Read the scenario that was sealed when the game was opened."""
    return msgspec.json.decode(bytes(game.sealed.scenario), type=Scenario)
