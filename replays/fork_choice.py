"""The move that somebody puts in instead of another one."""

from typing import Literal

import msgspec

from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.quantities import InvalidPrice, Paise
from replays.continuation import NoMoveHere

Action = Literal["offer", "accept", "hold", "walk"]
ACTIONS: tuple[Action, ...] = ("offer", "accept", "hold", "walk")


class Choice(msgspec.Struct, frozen=True):
    """A deed without words; ``price`` in paise belongs to an offer alone."""

    action: Action
    price: Paise | None = None

    def asked_price(self) -> Paise:
        """Give the price of an offer.

        Raises:
            InvalidPrice: it has none.
        """
        if self.price is None:
            raise InvalidPrice("An offer needs a price.")
        return self.price

    def move(self) -> Move:
        """Give the move of a game of two sides.

        Raises:
            InvalidPrice: an offer has no price.
            NoMoveHere: nobody holds in a game of two sides.
        """
        match self.action:
            case "offer":
                return Offer(self.asked_price())
            case "accept":
                return Accept()
            case "walk":
                return Walk()
            case "hold":
                raise NoMoveHere("Only in an arena can a buyer hold; name the same price again.")
