"""What the game page shows, gathered for its template."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import mark_safe

from negotiation.brief import brief_of, listing_brief
from negotiation.bubbles import Frame
from negotiation.models import Game, Listing
from negotiation.money import SIGNS
from negotiation.rendering import panels_html, transcript_html
from negotiation.stored_scenario import stored_scenario
from negotiation.table import table_of


def sale_page(frames: Sequence[Frame], game: Game) -> dict[str, Any]:
    """Gather the game page: the same pieces that the socket sends later, one by one."""
    table = table_of(frames)
    panels = panels_html(frames, game, "seller")
    return {
        "game": game,
        "opened": frames[0]["event"],
        "table": table,
        # Panels come from templates, which have escaped what people wrote.
        "panels": {
            name.removeprefix("sale-"): mark_safe(html)  # noqa: S308
            for name, html in panels.items()
        },
        "transcript": transcript_html(frames, game),
        "brief": brief_of(stored_scenario(game), game.policy),
        "sign": SIGNS.get(table.currency, table.currency),
    }


def start_page(listing: Listing) -> dict[str, Any]:
    """Gather the page before the start: the seller's brief for a listing."""
    return {"listing": listing, "brief": listing_brief(listing, "sauda")}
