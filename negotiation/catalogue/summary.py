"""What an import did, as tables."""

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from negotiation.catalogue.importing import FileReport
from negotiation.catalogue.skips import Skip

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
