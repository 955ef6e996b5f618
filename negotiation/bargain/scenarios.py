"""How a person's sale becomes a scenario: defaults of a listing, and Sauda's sealed budget."""

import math
import secrets
from collections.abc import Callable
from random import Random

import msgspec

from bazaarbatna.bargain import budgets
from bazaarbatna.bargain.quantities import MIN_PRICE, Paise, clamp_price
from bazaarbatna.bargain.scenario import SALE, Item, Scenario, SealedValues
from bazaarbatna.bargain.tells import CONDITIONS, ConditionLabel
from negotiation.errors import BadSale
from negotiation.models import Game, Listing
from negotiation.sentences import sentences
from negotiation.words import clean, clean_line

say = sentences(__file__)

MAX_ROUNDS = 10

COST_SHARE = 0.7
"""What an item is worth to its seller, as a part of its street price."""

RESERVATION_MARGIN = 1.05
"""Reservation price as a multiple of the cost."""

BUDGET_RULE = 3
"""Raised when budgets are drawn in another way. By rule 1 they grew with the asking price, by rule
2 one in ten lay below the floor of a listing, too; suites with published results, puzzles and days
of those times are dealt by them again."""

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


def whole_rupees(price: float, least: float = WHOLE_FROM) -> Paise:
    """Return a price in paise, from ``least`` on without any: nobody bargains over them.

    >>> whole_rupees(992_250), whole_rupees(8_085)
    (992300, 8085)
    """
    return clamp_price(math.ceil(price / 100) * 100 if price >= least else price)


def scenario_of(
    sale: NewSale,
    below: Callable[[int], int],
    *,
    has_zone: bool = False,
    rule: int = BUDGET_RULE,
) -> Scenario:
    """Fix everything about a game before its first move, the sealed values included.

    ``below`` gives an unguessable whole number of 0 up to its argument; ``rule`` is that of the
    budget. BadSale: the item's words or currency cannot be used; InvalidPrice: from
    ``engine.start``, when the prices do not fit.
    """
    asking, reservation, cost = _prices(sale)
    seed = below(SEED_LIMIT)
    street = None if sale.listing is None else sale.listing.street_price
    floor = reservation
    if street is not None and not has_zone:
        # Nobody pays more for a known thing because its seller types a higher floor.
        floor = min(floor, default_reservation(street))
        # Budgets far below what a known thing is worth would show in the first bid.
        has_zone = rule > 2
    drawn = draw_budget(seed, asking, floor, street, has_zone=has_zone, rule=rule)
    budget = whole_rupees(drawn)
    return Scenario(
        suite=sale.suite,
        item=_item(sale),
        max_rounds=MAX_ROUNDS,
        anchor=asking,
        sealed=SealedValues(reservation=reservation, cost=cost, budget=budget, seed=seed),
        salt=secrets.token_hex(16),
    )


def is_raised(sealed: SealedValues) -> bool:
    """Whether a seller's floor is higher than a listing's own, by more than rounding."""
    return sealed.reservation > RESERVATION_MARGIN * sealed.cost + 200


def pays_floor(sealed: SealedValues, listing: Listing | None) -> bool:
    """Whether some price suits both in every sale that is dealt so: a listing at its own floor."""
    if listing is None or is_raised(sealed):
        return False
    # A table for a class is dealt a cost of its own, and with it a zone of any width.
    return sealed.cost == clamp_price(COST_SHARE * listing.street_price)


def draw_budget(
    seed: int,
    asking: Paise,
    reservation: Paise,
    street_price: int | None = None,
    *,
    has_zone: bool = False,
    rule: int = BUDGET_RULE,
) -> Paise:
    """Draw what the buyer will pay at most, in paise; the same seed gives the same budget.

    A thing is worth its street price; where that is None, something above its reservation price.
    With ``has_zone`` never below the reservation price; else it is now and then.
    """
    # Names of their own: a policy that draws from the same seed must not echo these draws in what
    # the seller can see.
    if rule == 1:
        worth = math.inf
    elif street_price is None:
        worth = budgets.draw_worth(Random(f"worth:{seed}"), reservation)
    else:
        worth = street_price
    dice = Random(f"budget:{seed}")
    drawn = budgets.draw_budget(dice, asking, reservation, worth, has_zone=has_zone)
    low = int(budgets.LEAST_BUDGET * reservation) + 1 if drawn > reservation else MIN_PRICE
    return clamp_price(drawn, low=low)


def _prices(sale: NewSale) -> tuple[Paise, Paise, Paise]:
    asking, reservation = sale.asking_price, sale.reservation_price
    if sale.listing is not None:
        asking = Paise(sale.listing.list_price) if asking is None else asking
        street = sale.listing.street_price
        reservation = default_reservation(street) if reservation is None else reservation
        return asking, reservation, clamp_price(COST_SHARE * street)
    if asking is None:
        raise BadSale(say("an_item_needs_an_asking_price"), "asking_price")
    if reservation is None:
        raise BadSale(say("an_item_needs_a_floor"), "reservation_price")
    return asking, reservation, clamp_price(reservation / RESERVATION_MARGIN)


def _item(sale: NewSale) -> Item:
    listing = sale.listing
    title = clean_line(sale.title or (listing.title if listing else ""))
    category = clean_line(sale.category or (listing.category if listing else ""))
    condition = clean(sale.description or (listing.description if listing else ""))
    label = sale.condition_label or (listing.condition_label if listing else "good")
    currency = sale.currency or (listing.currency if listing else "INR")
    if not title:
        raise BadSale(say("an_item_needs_a_title"), "title")
    for field, text, longest in (
        ("title", title, MAX_TITLE),
        ("category", category, MAX_CATEGORY),
        ("description", condition, MAX_DESCRIPTION if listing is None else len(condition)),
    ):
        if len(text) > longest:
            raise BadSale(say.of("too_long", field, most=longest, count=len(text)), field)
    if currency not in CURRENCIES:
        raise BadSale(say("the_currency_is_one_of_names", names=", ".join(CURRENCIES)), "currency")
    return Item(title, category, condition, _label(label), currency)


def _label(name: str) -> ConditionLabel:
    for label in CONDITIONS:
        if label == name:
            return label
    raise BadSale(
        say("the_condition_is_one_of_names", names=", ".join(CONDITIONS)), "condition_label"
    )


def stored_scenario(game: Game) -> Scenario:
    """Read the scenario that was sealed when the game was opened."""
    return msgspec.json.decode(bytes(game.sealed.scenario), type=Scenario)
