"""Players of several issues on drawn cases: the receipt of ``bazaarbatna cases``."""

from typing import Any

import msgspec
from django.urls import reverse

from bazaarbatna.players.package_trials import Receipt
from negotiation.ttl_cache import cached
from training.receipts.figures import SHARE, figure
from training.receipts.views import SEVERAL_ISSUES
from training.runs import lifecycle

LOOK_EVERY_S = 600.0

TOLD = ", told"
"""In the names of rows that are no other players: the others say something first there."""


def several_issues() -> dict[str, Any] | None:
    """Read the ``rows``, each with how far ours is ahead (``figure``); nothing without receipt."""
    return cached(SEVERAL_ISSUES, LOOK_EVERY_S, _table)


def _table() -> dict[str, Any] | None:
    path = lifecycle.RECEIPTS / f"{SEVERAL_ISSUES}.json"
    if not path.is_file():
        return None
    read = msgspec.json.decode(path.read_bytes(), type=Receipt)
    link = reverse("table", args=[SEVERAL_ISSUES])
    rows = [
        {
            "row": row,
            "ahead": figure(
                None if TOLD in row.name else row.behind, SHARE, f"{link}#/rows/{at}/behind"
            ),
        }
        for at, row in enumerate(read.rows)
    ]
    return {"ours": read.rows[0], "rows": rows, "receipt": link, "command": read.command}
