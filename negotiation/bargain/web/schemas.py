"""What the HTTP API reads, checked and in rupees; unknown fields are refused."""

from typing import Annotated

from ninja import Schema
from pydantic import Field

from bazaarbatna.bargain.quantities import Paise, to_paise
from negotiation.bargain.purchases import NewPurchase
from negotiation.bargain.scenarios import NewSale
from negotiation.bargain.shops import default_buyer
from negotiation.bargain.web.listings import Sort
from negotiation.errors import UnknownListing
from negotiation.games.bodies import Body
from negotiation.models import Listing

Text = Annotated[str, Field(max_length=4000)]
"""Far above every real limit: those are checked, and explained, where a sale is made."""

Price = Annotated[float, Field(allow_inf_nan=False)]
Id = Annotated[int, Field(ge=1, lt=2**63)]


class SaleIn(Body):
    """A sale to open: a ``listing`` by number, or an own item by its words. Prices in rupees."""

    listing: Id | None = None
    title: Text = ""
    category: Text = ""
    description: Text = ""
    condition_label: Text = ""
    currency: Text = ""
    asking_price: Price | None = None
    reservation_price: Price | None = None
    policy: Annotated[str, Field(max_length=60)] = Field(default_factory=default_buyer)
    share_replay: bool = False

    def sale(self) -> NewSale:
        """Turn the request into a sale, or raise UnknownListing or InvalidPrice."""
        told = self.model_dump() | {
            "listing": _listing(self.listing),
            "asking_price": _paise(self.asking_price),
            "reservation_price": _paise(self.reservation_price),
        }
        return NewSale(**told)


class PurchaseIn(Body):
    """A purchase to open: a ``listing`` by number, the secret ``budget`` in rupees, a seller."""

    listing: Id
    budget: Price | None = None
    policy: Annotated[str, Field(max_length=60)] = "seller:default"
    share_replay: bool = False

    def purchase(self) -> NewPurchase:
        """Turn the request into a purchase, or raise UnknownListing or InvalidPrice."""
        listing = _listing(self.listing)
        assert listing is not None
        return NewPurchase(
            listing=listing,
            budget=_paise(self.budget),
            policy=self.policy,
            share_replay=self.share_replay,
        )


class ThumbIn(Body):
    """What is thought of the line at event ``seq``: "up", "down", or "none" to take it back."""

    seq: Annotated[int, Field(ge=1, lt=2**31)]
    thumb: Annotated[str, Field(max_length=20)]


class SearchQuery(Schema):
    """Which listings to find. Prices in rupees."""

    q: Annotated[str, Field(max_length=200)] = ""
    category: Annotated[str, Field(max_length=80)] = ""
    min_price: Price | None = None
    max_price: Price | None = None
    sort: Sort = "best"
    page: Annotated[int, Field(ge=1, le=1_000_000)] = 1

    @property
    def lowest(self) -> Paise | None:
        """Lowest price in paise."""
        return _paise(self.min_price)

    @property
    def highest(self) -> Paise | None:
        """Highest price in paise."""
        return _paise(self.max_price)


def _listing(number: int | None) -> Listing | None:
    if number is None:
        return None
    found = Listing.objects.filter(pk=number).first()
    if found is None:
        raise UnknownListing
    return found


def _paise(rupees: float | None) -> Paise | None:
    return None if rupees is None else to_paise(rupees)
