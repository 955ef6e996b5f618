"""Putting listings, our own catalogue among them, into the database without doubling any."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from django.db import transaction

from negotiation.catalogue.stock import Shelf, read_stock
from negotiation.models import Listing

BATCH = 500
"""Rows looked up at once; Django gives SQLite at most 999 values in one statement."""

CONTENT = (
    *("title", "category", "description", "condition_label", "city"),
    *("list_price", "street_price", "currency"),
)
"""What a catalogue says of a listing."""


class Shelved(msgspec.Struct, frozen=True):
    """What a load changed."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0

    def __add__(self, more: "Shelved") -> "Shelved":
        return Shelved(
            self.added + more.added, self.updated + more.updated, self.unchanged + more.unchanged
        )


@transaction.atomic
def shelve(source: str, listings: Iterable[Listing]) -> Shelved:
    """Add the listings of one source and bring changed ones up to date.

    A listing is the same as a stored one when both have this source and the same ``source_key``.
    Either all of them are stored or none.
    """
    done = Shelved()
    batch: list[Listing] = []
    for listing in listings:
        batch.append(listing)
        if len(batch) == BATCH:
            done += _shelve_batch(source, batch)
            batch = []
    return done + _shelve_batch(source, batch)


def _shelve_batch(source: str, batch: Sequence[Listing]) -> Shelved:
    keys = [listing.source_key for listing in batch]
    found = Listing.objects.filter(source=source, source_key__in=keys)
    stored = {row.source_key: row for row in found}
    added, changed = [], []
    for listing in batch:
        listing.source = source
        listing.search_text = listing.words_to_find()
        before = stored.get(listing.source_key)
        if before is None:
            added.append(listing)
        elif _content(before) != _content(listing):
            listing.pk = before.pk
            changed.append(listing)
    Listing.objects.bulk_create(added)
    Listing.objects.bulk_update(changed, [*CONTENT, "search_text"], batch_size=100)
    return Shelved(len(added), len(changed), len(batch) - len(added) - len(changed))


def _content(listing: Listing) -> tuple[object, ...]:
    return (*(getattr(listing, name) for name in CONTENT), listing.search_text)


SOURCE = "catalogue"


def load_catalogue(shelves: Sequence[Shelf] | None = None) -> Shelved:
    """Store our own catalogue; a second run changes nothing.

    Entries that left the catalogue stay: games may have been played with them.
    """
    return shelve(SOURCE, listings_of(read_stock() if shelves is None else shelves))


def listings_of(shelves: Sequence[Shelf]) -> Iterator[Listing]:
    """Return the rows of our catalogue, not stored yet."""
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
