"""What a guest's page shows, drawn from the frames that a guest may see and from nothing else."""

import functools
from collections.abc import Sequence
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.rendering import event_html, placed, reading_html, standing_html
from negotiation.bargain.web.seats import BUYING, SELLING, Cast, Seat, looking_on, seat_of
from negotiation.bargain.web.table import table_of
from negotiation.charts.price_path import price_path
from negotiation.models import Game

WATCHED_SALE = looking_on(SELLING, "watched_sale")
WATCHED_PURCHASE = looking_on(BUYING, "watched_purchase")


def guest_seat(game: Game) -> Seat:
    """Return the words of a game's page for its guests: nobody there is "you"."""
    own = seat_of(game)
    return _facing(own.side, own.rival, get_language())


def guest_cast(seat: Seat) -> Cast:
    """Name both sides for somebody who looks on."""
    if seat.side == "seller":
        return Cast(gettext("the seller"), seat.rival, "seller", is_reader=False)
    return Cast(seat.rival, gettext("the buyer"), "buyer", is_reader=False)


@functools.cache
def _facing(side: Side, rival: str, language: str | None) -> Seat:
    del language  # of the words, so that a kept seat is not shown in another one
    return (WATCHED_SALE if side == "seller" else WATCHED_PURCHASE).facing(rival)


def guest_page(game: Game, frames: Sequence[Frame]) -> dict[str, Any]:
    """Gather a shared game's page; of its row only seat, policy, goods and photo are read."""
    seat = guest_seat(game)
    items = (guest_item(game, one, frames) for one in frames if one["event"]["kind"] != "tells")
    return {
        "seat": seat,
        # Whatever speaks for her, it is Sauda who buys.
        "who": "sauda" if seat.is_seller else game.policy,
        "thing": {"title": game.title, "category": game.category, "photo": game.photo},
        "opened": frames[0]["event"],
        "table": table_of(frames, seat),
        "panels": placed(guest_panels(game, frames)),
        # Items come from templates, which have escaped what people wrote.
        "transcript": mark_safe("".join(items)),  # noqa: S308
    }


def guest_item(game: Game, frame: Frame, frames: Sequence[Frame]) -> str:
    """Draw one item of the transcript as a guest reads it."""
    return event_html(frame, frames, game, cast=guest_cast(guest_seat(game)))


def guest_panels(game: Game, frames: Sequence[Frame]) -> dict[str, str]:
    """Draw what stands around the transcript: no button, no limit, no share."""
    table = table_of(frames, guest_seat(game))
    return {
        "sale-standing": standing_html(frames, game, table),
        "sale-chart": SafeString(f'<div id="sale-chart">{price_path(frames)}</div>'),
        "sale-reading": reading_html(frames, table, guest_cast(table.seat)),
        "sale-outcome": render_to_string("negotiation/_watch_end.html", {"table": table}),
    }
