"""Putting listings, our own catalogue among them, into the database without doubling any."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from django.db import transaction
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from negotiation.catalogue.formats import Format, Skip, Skipped, as_record
from negotiation.catalogue.records import UnreadableFile
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


class FileReport(msgspec.Struct):
    """What became of one file."""

    name: str
    read: int = 0
    shelved: Shelved = Shelved()
    skipped: Counter[Skip] = msgspec.field(default_factory=Counter)
    error: str = ""
    """Why nothing of this file was stored; empty when it was."""


def find_files(path: Path, format_: Format) -> list[Path]:
    """List what is to be imported: the file itself, or a folder's files of this format by name."""
    if path.is_dir():
        return sorted(p for p in path.glob(f"*{format_.suffix}") if p.is_file())
    return [path]


def import_files(files: list[Path], format_: Format, currency: str) -> Iterator[FileReport]:
    """Store the listings of files, each file in one transaction.

    A broken file leaves nothing behind and does not stop the others. An item that comes twice, in
    one file or in two, is stored as it came first.
    """
    earlier: set[str] = set()
    for path in files:
        report = FileReport(path.name)
        here: set[str] = set()
        try:
            listings = _listings(path, format_, currency, earlier, here, report)
            report.shelved = shelve(format_.name, listings)
            earlier |= here
        except UnreadableFile as wrong:
            report.error = str(wrong)
        except OSError as wrong:
            report.error = f"{path.name}: {wrong.strerror or wrong}"
        yield report


def _listings(
    path: Path,
    format_: Format,
    currency: str,
    earlier: set[str],
    here: set[str],
    report: FileReport,
) -> Iterator[Listing]:
    for value in format_.records(path):
        report.read += 1
        try:
            listing = format_.to_listing(as_record(value), currency)
            if listing.source_key in earlier or listing.source_key in here:
                raise Skipped(Skip.DUPLICATE)
        except Skipped as skipped:
            report.skipped[skipped.reason] += 1
            continue
        here.add(listing.source_key)
        yield listing


_COUNTS = ("read", "added", "updated", "unchanged", "skipped")


def print_summary(console: Console, reports: Sequence[FileReport]) -> None:
    """Show one line per file with a total, then the reasons for skipped rows."""
    table = Table("file", title="Imported listings")
    for count in _COUNTS:
        table.add_column(count, justify="right")
    for report in reports:
        name = escape(report.name) + (" (not imported)" if report.error else "")
        table.add_row(name, *(f"{n:,}" for n in _counts(report)))
    totals = [sum(column) for column in zip(*map(_counts, reports), strict=True)]
    table.add_section()
    table.add_row("total", *(f"{n:,}" for n in totals))
    console.print(table)
    _print_reasons(console, sum((report.skipped for report in reports), Counter()))


def _counts(report: FileReport) -> tuple[int, ...]:
    done = report.shelved
    skipped = sum(report.skipped.values())
    return report.read, done.added, done.updated, done.unchanged, skipped


def _print_reasons(console: Console, skipped: Counter[Skip]) -> None:
    if not skipped:
        return
    table = Table("skipped because", title="Skipped rows")
    table.add_column("rows", justify="right")
    for reason, count in skipped.most_common():
        table.add_row(reason.value, f"{count:,}")
    console.print(table)
