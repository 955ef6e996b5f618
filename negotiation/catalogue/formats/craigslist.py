"""Classified ads: JSON arrays with one price in dollars.

An ad has only its asking price, which becomes the list price. The street price is 85 % of it: an
estimate, the same for every ad, of what second-hand things go for after bargaining. An item is the
same when title, category and description are, since ads share titles ("Desk", "Bike").
"""

from negotiation.catalogue.formats.base import Format, Record, new_listing, source_key
from negotiation.catalogue.json_records import json_records
from negotiation.catalogue.price_field import read_price
from negotiation.catalogue.skips import Skip
from negotiation.engine.quantities import Paise
from negotiation.models import Listing
from negotiation.search_words import fold

STREET_PERCENT = 85


def _to_listing(record: Record, currency: str) -> Listing:
    price = read_price(record.get("price"), currency, Skip.NO_LIST_PRICE)
    listing = new_listing(
        title=record.get("title"),
        category=record.get("category"),
        description=record.get("description"),
        prices=(price, Paise(price * STREET_PERCENT // 100)),
        currency=currency,
        condition_label="good",
    )
    listing.source_key = source_key(
        fold(f"{listing.title}|{listing.category}|{listing.description}")
    )
    return listing


CRAIGSLIST = Format("craigslist", ".json", "USD", json_records, _to_listing)
