"""How rooms answer: pages drawn anew each time, and files that a spreadsheet shows, not runs."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

View = TypeVar("View", bound=Callable[..., Any])


def shown_page(view: View) -> View:
    """Let a page be looked at alone."""
    return never_cache(require_safe(view))


def form_page(view: View) -> View:
    """Let a page be looked at, and its form be sent."""
    return never_cache(require_http_methods(["GET", "HEAD", "POST"])(view))


def attached(body: bytes | str, name: str, kind: str = "text/csv") -> HttpResponse:
    """Send a file under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(body, content_type=f"{kind}; charset=utf-8", headers=headers)


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
