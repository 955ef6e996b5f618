"""Where a game starts: the item, the rules and the two sides' private numbers."""

import msgspec

from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, InvalidPrice, Paise
from bazaarbatna.bargain.tells import ConditionLabel

SALE = "sell@1"
"""The suite of people's sales: a listing of their own, Sauda buys."""

PURCHASE = "buy@3"
"""The suite of people's purchases: sellers who listen, and give a step for a step of its size."""

SECOND_PURCHASE = "buy@2"
"""Sellers who listened and paid for any step; its games are replayed as played."""


class Item(msgspec.Struct, frozen=True):
    """What is for sale, as both sides see it."""

    title: str
    category: str = ""
    condition: str = ""
    condition_label: ConditionLabel = "good"
    currency: str = "INR"


class SealedValues(msgspec.Struct, frozen=True):
    """What at least one side must not know before the end. Never printed, logged or sent.

    Prices in paise. ``cost`` is what the item is worth to the seller, ``deadline`` the round after
    which the buyer's surplus is halved.
    """

    reservation: Paise
    cost: Paise
    budget: Paise
    seed: int
    persona: str = "default"
    deadline: int | None = None

    def __repr__(self) -> str:
        return "SealedValues(...)"


class SellerRules(msgspec.Struct, frozen=True):
    """Parameters of the pinned rule seller of a suite.

    ``concession_rate`` is the base share of the anchor conceded per round, ``batna_walk_p`` the
    base probability of walking from a lowball, ``bluff_raise`` the largest share by which this
    seller may raise its standing ask (0: never).
    """

    concession_rate: float = 0.08
    batna_walk_p: float = 0.05
    inventory: int = 1
    inventory_start: int = 1
    capitulation_rate: float = 0.0
    bluff_raise: float = 0.0


class Scenario(msgspec.Struct, frozen=True):
    """Everything that is fixed before the first move.

    ``anchor`` is the opening ask in paise; ``salt`` makes the commitment to ``sealed`` unguessable;
    ``seller`` is the version label of the seller ("human" for a person).
    """

    suite: str
    item: Item
    max_rounds: int
    anchor: Paise
    sealed: SealedValues
    salt: str
    seller: str = "human"
    persona_visible: bool = False
    rules: SellerRules = SellerRules()

    @property
    def zopa(self) -> int:
        """Width of the zone of possible agreement in paise; 0 or less: no deal is rational."""
        return self.sealed.budget - self.sealed.reservation


def check_scenario(scenario: Scenario) -> None:
    """Refuse a scenario that cannot be played: ``InvalidPrice``, or ``ValueError`` for no round."""
    sealed = scenario.sealed
    for name, price in (
        ("anchor", scenario.anchor),
        ("reservation price", sealed.reservation),
        ("cost", sealed.cost),
        ("budget", sealed.budget),
    ):
        if not MIN_PRICE <= price <= MAX_PRICE:
            raise InvalidPrice(f"The {name} is out of range.")
    if scenario.anchor < sealed.reservation:
        raise InvalidPrice("The opening ask cannot be below the floor.")
    if scenario.max_rounds < 1:
        raise ValueError("A game needs at least one round.")
