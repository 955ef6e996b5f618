"""Price histories: JSON arrays with list, current and average price in dollars.

List price is ``list_price``. Street price is ``current_price``, what the item sells for now; where
there is none, ``average_price``. A current price that is not below the list price means that there
is no discount now, and the row is skipped: an average of other days would invent one.
An item is the same when the product code in its link is, or without a link when title and category
are. Goods are new.
"""

import re

from negotiation.catalogue.formats.base import Format, Record, new_listing
from negotiation.catalogue.json_records import json_records
from negotiation.catalogue.price_field import read_price
from negotiation.catalogue.skips import Skip
from negotiation.models import Listing

_PRODUCT = re.compile(r"/(?:product|dp|gp/product)/([A-Z0-9]{10})(?![A-Z0-9])", re.IGNORECASE)


def _to_listing(record: Record, currency: str) -> Listing:
    street = record.get("current_price")
    if street is None or street == "":
        street = record.get("average_price")
    return new_listing(
        title=record.get("title") or record.get("amazon_title"),
        category=record.get("category"),
        description=record.get("description") or record.get("features"),
        prices=(
            read_price(record.get("list_price"), currency, Skip.NO_LIST_PRICE),
            read_price(street, currency, Skip.NO_STREET_PRICE),
        ),
        currency=currency,
        condition_label="new",
        identity=_identity(record),
    )


def _identity(record: Record) -> str:
    for name in ("amazon_link", "link"):
        link = record.get(name)
        product = _PRODUCT.search(link) if isinstance(link, str) else None
        if product:
            return f"product:{product[1].upper()}"
    return ""


AMAZON_HISTORY = Format("amazon-history", ".json", "USD", json_records, _to_listing)
