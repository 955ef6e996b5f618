"""What every format of files has in common."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from negotiation.catalogue.clean_text import clean_text
from negotiation.catalogue.skips import Skip, Skipped
from negotiation.engine.quantities import Paise
from negotiation.models import Listing
from negotiation.search_words import fold

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
    """Take a value of a file as a record with names in lower case.

    Raises:
        Skipped: when it is something else.
    """
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
    """Make a listing of what a record says.

    Args:
        title: cleaned and cut to 200 characters.
        category: cleaned; without one, ``Other``.
        description: text or a list of texts; cut to 2,000 characters.
        prices: list price and street price, in the smallest unit.
        currency: ISO code.
        condition_label: one of the labels of the tells.
        identity: what names the item for good; without it, title and category do.

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

    >>> category_name("home-kitchen")
    'Home kitchen'
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
