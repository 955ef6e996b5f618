"""The file formats whose listings can be imported.

Goods of Amazon are new. In a sales table (CSV, rupees) the category is the first part of ``A|B|C``;
an item is the same when its ``product_id`` is. In a price history (JSON, dollars) the street price
is ``current_price``, what the item sells for now, or where there is none ``average_price``. A
current price that is not below the list price means that there is no discount now, and the row is
skipped: an average of other days would invent one. An item is the same when the product code in its
link is. Without such a name, title and category name the item.

A classified ad (JSON, dollars) has only its asking price, which becomes the list price. The street
price is 85 % of it: an estimate, the same for every ad, of what second-hand things go for after
bargaining. An item is the same when title, category and description are, since ads share titles
("Desk", "Bike").
"""

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

import msgspec

from bazaarbatna.bargain.quantities import MAX_PRICE, Paise
from negotiation.catalogue.records import csv_records, json_records
from negotiation.models import Listing
from negotiation.words import clean_text, fold


class Skip(StrEnum):
    """A reason, in the words of the summary."""

    NOT_A_RECORD = "not a record"
    NO_TITLE = "no title"
    NO_LIST_PRICE = "no list price"
    NO_STREET_PRICE = "no street price"
    UNREADABLE_PRICE = "unreadable price"
    OTHER_CURRENCY = "price in another currency"
    TOO_CHEAP = "price below 1"
    NO_DISCOUNT = "street price not below list price"
    DUPLICATE = "same item twice in this import"


class Skipped(ValueError):
    """A row cannot become a listing."""

    def __init__(self, reason: Skip) -> None:
        super().__init__(reason.value)
        self.reason = reason


MIN_FIELD = Paise(100)
"""One rupee or dollar: below it there is nothing to bargain about."""

_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,12})(?:\.\d{1,4})?", re.ASCII)
_SIGN = re.compile(r"[^\d.,+\-]{0,6}?\.?\s*(?=\d)", re.ASCII)
_SIGNS = {"INR": ("₹", "rs", "inr", "â‚¹"), "EUR": ("€", "eur"), "GBP": ("£", "gbp")}
"""Signs that belong to one currency; the dollar sign belongs to all the others."""


def read_price(field: object, currency: str, missing: Skip) -> Paise:
    """Read the price of one field of a file.

    Returns:
        The price in the smallest unit, half a unit rounded up.

    Raises:
        Skipped: as ``missing`` without a price, else why it cannot be read and bargained about.

    >>> read_price("₹1,09,900", "INR", Skip.NO_LIST_PRICE)
    10990000
    """
    if field is None or (isinstance(field, str) and not field.strip()):
        raise Skipped(missing)
    paise = math.floor(_number(field, currency) * 100 + Decimal("0.5"))
    if paise > MAX_PRICE:
        raise Skipped(Skip.UNREADABLE_PRICE)
    if paise < MIN_FIELD:
        raise Skipped(Skip.TOO_CHEAP)
    return Paise(paise)


def _number(field: object, currency: str) -> Decimal:
    if isinstance(field, str):
        return _number_in_text(field.strip(), currency)
    if isinstance(field, bool) or not isinstance(field, int | float):
        raise Skipped(Skip.UNREADABLE_PRICE)
    if not 0 <= field <= MAX_PRICE:  # NaN fails this as well
        raise Skipped(Skip.UNREADABLE_PRICE)
    return Decimal(repr(field))


def _number_in_text(text: str, currency: str) -> Decimal:
    sign = _SIGN.match(text)
    if sign is None:
        raise Skipped(Skip.UNREADABLE_PRICE)
    number = _NUMBER.fullmatch(text, sign.end())
    if number is None:
        raise Skipped(Skip.UNREADABLE_PRICE)
    if not _is_sign_of(sign[0].strip(" .\xa0").casefold(), currency):
        raise Skipped(Skip.OTHER_CURRENCY)
    return Decimal(number[0].replace(",", ""))


def _is_sign_of(sign: str, currency: str) -> bool:
    if not sign or sign == currency.casefold():
        return True
    if sign in _SIGNS.get(currency, ()):
        return True
    return "$" in sign and currency not in _SIGNS


MAX_TITLE = 200
MAX_CATEGORY = 80
MAX_DESCRIPTION = 2000

Record = Mapping[str, object]


class Format(msgspec.Struct, frozen=True):
    """How the files of one format are found, opened and read."""

    name: str
    """As ``--format`` takes it; also the ``source`` of the listings."""
    suffix: str
    """Files with this ending are imported when a folder is given."""
    currency: str
    """What prices are in unless the operator says otherwise."""
    records: Callable[[Path], Iterator[object]]
    to_listing: Callable[[Record, str], Listing]
    """Turns a record and a currency into a listing not saved yet; raises ``Skipped``."""


def as_record(value: object) -> Record:
    """Take a value of a file as a record with names in lower case; raises ``Skipped``."""
    if not isinstance(value, Mapping):
        raise Skipped(Skip.NOT_A_RECORD)
    return {str(name).strip().lower(): field for name, field in value.items()}


def new_listing(
    *,
    title: object,
    category: object,
    description: object,
    prices: tuple[Paise, Paise],
    currency: str,
    condition_label: str,
    identity: str = "",
) -> Listing:
    """Make a listing of what a record says, cleaned and cut.

    Prices are list and street price in the smallest unit; ``identity`` names the item for good,
    without it title and category do.

    Raises:
        Skipped: when there is no title, or no discount to bargain about.
    """
    shown = clean_text(_text(title), MAX_TITLE)
    if not any(c.isalnum() for c in shown):
        raise Skipped(Skip.NO_TITLE)
    list_price, street_price = prices
    if street_price >= list_price:
        raise Skipped(Skip.NO_DISCOUNT)
    shelf = category_name(_text(category))
    return Listing(
        title=shown,
        category=shelf,
        description=clean_text(_text(description), MAX_DESCRIPTION),
        condition_label=condition_label,
        list_price=list_price,
        street_price=street_price,
        currency=currency,
        source_key=source_key(identity or f"{fold(shown)}|{fold(shelf)}"),
    )


def category_name(text: str) -> str:
    """Write a category as people read it.

    >>> category_name("Computers&Accessories|Cables")
    'Computers & Accessories'
    """
    first = clean_text(text, MAX_CATEGORY * 2).split("|", 1)[0].replace("&", " & ")
    if " " not in first:
        first = first.replace("-", " ").replace("_", " ")
    name = clean_text(first, MAX_CATEGORY)
    return name[:1].upper() + name[1:] or "Other"


def source_key(identity: str) -> str:
    """Return the key under which an item is found again: half a SHA-256 of what names it."""
    return hashlib.sha256(identity.encode()).hexdigest()[:32]


def _text(field: object) -> str:
    if isinstance(field, list):
        return " ".join(part for part in field if isinstance(part, str))
    return field if isinstance(field, str) else ""


NEEDED = ("product_name", "category", "discounted_price", "actual_price")


def _sales_records(path: Path) -> Iterator[object]:
    return csv_records(path, NEEDED)


def _of_sales(record: Record, currency: str) -> Listing:
    product = str(record.get("product_id") or "").strip()
    return _new_goods(
        record,
        record.get("product_name"),
        record.get("about_product"),
        (record.get("actual_price"), record.get("discounted_price")),
        currency,
        f"product:{product}" if product else "",
    )


def _of_history(record: Record, currency: str) -> Listing:
    street = record.get("current_price")
    if street is None or street == "":
        street = record.get("average_price")
    return _new_goods(
        record,
        record.get("title") or record.get("amazon_title"),
        record.get("features"),
        (record.get("list_price"), street),
        currency,
        _product_of(record),
    )


def _new_goods(
    record: Record,
    title: object,
    description: object,
    prices: tuple[object, object],
    currency: str,
    identity: str,
) -> Listing:
    return new_listing(
        title=title,
        category=record.get("category"),
        description=record.get("description") or description,
        prices=(
            read_price(prices[0], currency, Skip.NO_LIST_PRICE),
            read_price(prices[1], currency, Skip.NO_STREET_PRICE),
        ),
        currency=currency,
        condition_label="new",
        identity=identity,
    )


_PRODUCT = re.compile(r"/(?:product|dp|gp/product)/([A-Z0-9]{10})(?![A-Z0-9])", re.IGNORECASE)


def _product_of(record: Record) -> str:
    for name in ("amazon_link", "link"):
        link = record.get(name)
        product = _PRODUCT.search(link) if isinstance(link, str) else None
        if product:
            return f"product:{product[1].upper()}"
    return ""


STREET_PERCENT = 85


def _of_ad(record: Record, currency: str) -> Listing:
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


FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        Format("amazon-sales", ".csv", "INR", _sales_records, _of_sales),
        Format("amazon-history", ".json", "USD", json_records, _of_history),
        Format("craigslist", ".json", "USD", json_records, _of_ad),
    )
}
