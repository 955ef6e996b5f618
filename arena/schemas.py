"""What the arena's HTTP API reads; unknown fields are refused."""

from typing import Annotated

from ninja import Schema
from pydantic import ConfigDict, Field

from arena.orders import Order
from negotiation.bargain.web.schemas import Id
from negotiation.errors import UnknownListing
from negotiation.models import Listing

Name = Annotated[str, Field(max_length=60)]


class NewMatch(Schema):
    """A match to start: a ``listing`` by number and two to four buyers by name, or "person".

    Without a ``persona`` and a ``seed`` they are drawn.
    """

    model_config = ConfigDict(extra="forbid")

    listing: Id
    lineup: Annotated[list[Name], Field(max_length=16)]
    persona: Name = ""
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None

    def order(self) -> Order:
        """Turn the request into an order.

        Raises:
            UnknownListing: no listing has that number.
        """
        listing = Listing.objects.filter(pk=self.listing).first()
        if listing is None:
            raise UnknownListing
        return Order(
            listing=listing, line_up=tuple(self.lineup), persona=self.persona, seed=self.seed
        )


class ChosenSeat(Schema):
    """A chair to take, counted from 0."""

    model_config = ConfigDict(extra="forbid")

    index: Annotated[int, Field(ge=0, lt=16)]
