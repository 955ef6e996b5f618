"""Where a match starts: one item, one seller, two to four buyers, and what each keeps secret."""

import msgspec

from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, InvalidPrice, Paise
from bazaarbatna.bargain.scenario import Item, SellerRules

FEWEST_BUYERS, MOST_BUYERS = 2, 4


class Seat(msgspec.Struct, frozen=True):
    """One buyer's chair: who sits in it under which label; ``person`` is a human being."""

    name: str
    policy: str
    version: str
    person: bool = False


class ArenaSealed(msgspec.Struct, frozen=True):
    """What stays closed until the end. Never printed, logged or sent before.

    Prices in paise; ``budgets`` has one price per seat, in the order of the seats.
    """

    reservation: Paise
    cost: Paise
    seed: int
    persona: str
    budgets: tuple[Paise, ...]

    def __repr__(self) -> str:
        return "ArenaSealed(...)"


class ArenaScenario(msgspec.Struct, frozen=True):
    """Everything that is fixed before the first bid.

    ``anchor`` is the opening ask in paise; ``seller`` the version label of the seller; ``salt``
    makes the commitment to ``sealed`` unguessable.
    """

    suite: str
    item: Item
    max_rounds: int
    anchor: Paise
    sealed: ArenaSealed
    salt: str
    seats: tuple[Seat, ...]
    seller: str
    persona_visible: bool = False
    rules: SellerRules = SellerRules()

    @property
    def is_sealed_to_viewers(self) -> bool:
        """Whether a person plays: whoever looks on could tell that person what the rivals bid."""
        return any(seat.person for seat in self.seats)


def check_scenario(scenario: ArenaScenario) -> None:
    """Raise ``InvalidPrice`` or ``ValueError`` for a scenario that cannot be played."""
    sealed = scenario.sealed
    seats = len(scenario.seats)
    if not FEWEST_BUYERS <= seats <= MOST_BUYERS or len(sealed.budgets) != seats:
        raise ValueError(f"A match needs {FEWEST_BUYERS} to {MOST_BUYERS} buyers, one budget each.")
    if scenario.max_rounds < 1:
        raise ValueError("A match needs at least one round.")
    for price in (scenario.anchor, sealed.reservation, sealed.cost, *sealed.budgets):
        if not MIN_PRICE <= price <= MAX_PRICE:
            raise InvalidPrice("A price of this match is out of range.")
    if scenario.anchor < sealed.reservation:
        raise InvalidPrice("The opening ask cannot be below the floor.")
