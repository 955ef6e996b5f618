"""Lines of CSV whose cells a spreadsheet shows and does not run."""

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so is a formula to a spreadsheet, and a formula may call out."""


def csv_row(cells: Sequence[str]) -> str:
    """Write cells as they are, as one line."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def csv_file(rows: Iterable[Sequence[str]]) -> bytes:
    """Write a file, in UTF-8 with the mark by which spreadsheets know it."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def safe_text(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: an apostrophe stands before one.

    >>> safe_text("=1+1"), safe_text("1100 for me")
    ("'=1+1", '1100 for me')
    """
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) or text.startswith("'") else text


def unsafe_text(cell: str) -> str:
    """Return the text of a cell that ``safe_text`` wrote."""
    return cell[1:] if cell.startswith("'") else cell
