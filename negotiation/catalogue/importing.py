"""From files of others to listings in the database, and the summary of an import."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from negotiation.catalogue.formats import Format, as_record
from negotiation.catalogue.price_field import Skip, Skipped
from negotiation.catalogue.records import UnreadableFile
from negotiation.catalogue.shelving import Shelved, shelve
from negotiation.models import Listing


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
