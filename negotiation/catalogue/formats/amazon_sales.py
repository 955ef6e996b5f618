"""Sales tables: CSV with a discounted and an actual price in rupees.

List price is ``actual_price``, street price ``discounted_price``; goods are new. The category is
the first part of ``A|B|C``. An item is the same when its ``product_id`` is, or without that column
when title and category are.
"""

from collections.abc import Iterator
from pathlib import Path

from negotiation.catalogue.csv_records import csv_records
from negotiation.catalogue.formats.base import Format, Record, new_listing
from negotiation.catalogue.price_field import read_price
from negotiation.catalogue.skips import Skip
from negotiation.models import Listing

NEEDED = ("product_name", "category", "discounted_price", "actual_price")


def _records(path: Path) -> Iterator[object]:
    return csv_records(path, NEEDED)


def _to_listing(record: Record, currency: str) -> Listing:
    product = str(record.get("product_id") or "").strip()
    return new_listing(
        title=record.get("product_name"),
        category=record.get("category"),
        description=record.get("description") or record.get("about_product"),
        prices=(
            read_price(record.get("actual_price"), currency, Skip.NO_LIST_PRICE),
            read_price(record.get("discounted_price"), currency, Skip.NO_STREET_PRICE),
        ),
        currency=currency,
        condition_label="new",
        identity=f"product:{product}" if product else "",
    )


AMAZON_SALES = Format("amazon-sales", ".csv", "INR", _records, _to_listing)
