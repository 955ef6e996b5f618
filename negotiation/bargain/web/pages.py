"""What the game page shows, gathered for its template."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import mark_safe

from negotiation.bargain.purchases import suggested_budget
from negotiation.bargain.scenarios import MAX_ROUNDS, stored_scenario
from negotiation.bargain.shops import open_shops, shop_of
from negotiation.bargain.voices import default_buyer, voices
from negotiation.bargain.web.brief import BEFORE_A_PURCHASE, brief_of, listing_brief, purchase_brief
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.rendering import panels_html, transcript_html
from negotiation.bargain.web.seats import seat_of
from negotiation.bargain.web.table import table_of
from negotiation.engine.quantities import to_rupees
from negotiation.models import Game, Listing
from negotiation.money import SIGNS


def sale_page(frames: Sequence[Frame], game: Game) -> dict[str, Any]:
    """Gather the game page: the same pieces that the socket sends later, one by one."""
    seat = seat_of(game)
    table = table_of(frames, seat)
    panels = panels_html(frames, game, seat.side)
    scenario = stored_scenario(game)
    sure = game.zone_promised
    brief = (
        brief_of(scenario, game.policy, has_zone=sure)
        if seat.is_seller
        else purchase_brief(scenario, has_zone=sure)
    )
    return {
        "game": game,
        "seat": seat,
        "opened": frames[0]["event"],
        "table": table,
        # Panels come from templates, which have escaped what people wrote.
        "panels": {
            name.removeprefix("sale-"): mark_safe(html)  # noqa: S308
            for name, html in panels.items()
        },
        "transcript": transcript_html(frames, game),
        "brief": brief,
        "shop": shop_of(game.policy),
        "sign": SIGNS.get(table.currency, table.currency),
    }


def start_page(listing: Listing) -> dict[str, Any]:
    """Gather the page before the start: the seller's brief for a listing."""
    brief = listing_brief(listing, default_buyer())
    return {"listing": listing, "brief": brief, "voices": voices()}


def purchase_start_page(listing: Listing) -> dict[str, Any]:
    """Gather the page before a purchase: what is asked, by whom, and a budget to start from."""
    currency = listing.currency
    return {
        "listing": listing,
        "currency": currency,
        "asking_price": to_rupees(listing.list_price),
        "suggested": to_rupees(suggested_budget(listing.list_price)),
        "max_rounds": MAX_ROUNDS,
        "shops": open_shops(),
        "walking_away": BEFORE_A_PURCHASE,
        "sign": SIGNS.get(currency, currency),
    }
