"""From the catalogue's files to listings in the database."""

from collections.abc import Iterator, Sequence

from negotiation.catalogue.shelving import Shelved, shelve
from negotiation.catalogue.stock import Shelf, read_stock
from negotiation.models import Listing

SOURCE = "catalogue"


def load_catalogue(shelves: Sequence[Shelf] | None = None) -> Shelved:
    """Store our own catalogue; a second run changes nothing.

    Entries that left the catalogue stay: games may have been played with them.

    Args:
        shelves: the categories to load; by default all the files.

    Returns:
        What changed.
    """
    return shelve(SOURCE, _listings(read_stock() if shelves is None else shelves))


def _listings(shelves: Sequence[Shelf]) -> Iterator[Listing]:
    for shelf in shelves:
        for entry in shelf.listing:
            yield Listing(
                title=entry.title,
                category=shelf.category,
                description=entry.text,
                condition_label=entry.condition,
                city=entry.city,
                list_price=entry.list * 100,
                street_price=entry.street * 100,
                currency="INR",
                source_key=entry.key,
            )
