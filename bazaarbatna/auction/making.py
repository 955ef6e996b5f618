"""From goods, a persona, a line-up and a seed to the scenario of a match."""

from random import Random

from bazaarbatna.auction.scenario import ArenaScenario, ArenaSealed, Seat
from bazaarbatna.auction.selling import version, whole
from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.goods import ListingPrices
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import SellerRules
from bazaarbatna.bargain.sellers import SELLERS

SUITE = "marketplace_arena"
ROUNDS = 12
RULES = SellerRules(concession_rate=0.06, batna_walk_p=0.0)
COST_OF_STREET_PRICE = 0.7
LOWEST_BUDGET = 0.95
"""Of the reservation price: now and then a buyer comes with too little."""
HIGHEST_BUDGET = 1.0
"""Of the list price."""


def make_match(
    listing: ListingPrices,
    seats: tuple[Seat, ...],
    persona: str,
    seed: int,
    *,
    persona_visible: bool = False,
) -> ArenaScenario:
    """Draw the hidden values of a match: same arguments, same match.

    The line-up changes no budget. Raises ``UnknownSuite`` for a persona that does not exist.
    """
    if persona not in SELLERS:
        raise UnknownSuite(f"No seller has the persona {persona[:40]!r}. Known: {list(SELLERS)}.")
    if seed < 0:
        raise ValueError("A seed is 0 or more.")
    rng = Random(seed)
    sealed_seed, salt = rng.getrandbits(53), f"{rng.getrandbits(128):032x}"
    cost = clamp_price(COST_OF_STREET_PRICE * listing.street_price)
    rule = SELLERS[persona].persona
    reservation = clamp_price(whole(rule.reservation_factor * cost))
    low, high = _range(reservation, listing.list_price)
    budgets = tuple(clamp_price(whole(low + (high - low) * rng.random())) for _ in seats)
    return ArenaScenario(
        suite=SUITE,
        item=listing.item,
        max_rounds=ROUNDS,
        anchor=clamp_price(whole(rule.anchor_factor * listing.list_price), low=reservation),
        sealed=ArenaSealed(reservation, Paise(cost), sealed_seed, persona, budgets),
        salt=salt,
        seats=seats,
        seller=version(persona),
        persona_visible=persona_visible,
        rules=RULES,
    )


def budget_range(scenario: ArenaScenario) -> tuple[float, float]:
    """Return the lowest and the highest budget, in paise, that could have been drawn.

    The list price is read back from the opening ask, so only a match of ``make_match`` has one.
    """
    rule = SELLERS[scenario.sealed.persona].persona
    return _range(scenario.sealed.reservation, scenario.anchor / rule.anchor_factor)


def _range(reservation: int, list_price: float) -> tuple[float, float]:
    return LOWEST_BUDGET * reservation, max(reservation, HIGHEST_BUDGET * list_price)
