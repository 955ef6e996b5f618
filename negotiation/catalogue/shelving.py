"""Putting listings into the database without doubling any."""

from collections.abc import Iterable, Sequence

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from negotiation.models import Listing

BATCH = 500
"""Rows looked up at once; Django gives SQLite at most 999 values in one statement."""

_CONTENT = (
    "title",
    "category",
    "description",
    "condition_label",
    "city",
    "list_price",
    "street_price",
    "currency",
)


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

    Args:
        source: where they come from.
        listings: not saved yet, with different source keys.

    Returns:
        How many were added, updated and left alone.
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
    stored = {row.source_key: row for row in _stored(source, keys)}
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
    Listing.objects.bulk_update(changed, [*_CONTENT, "search_text"], batch_size=100)
    return Shelved(len(added), len(changed), len(batch) - len(added) - len(changed))


def _stored(source: str, keys: Sequence[str]) -> QuerySet[Listing]:
    return Listing.objects.filter(source=source, source_key__in=keys)


def _content(listing: Listing) -> tuple[object, ...]:
    return (*(getattr(listing, name) for name in _CONTENT), listing.search_text)
