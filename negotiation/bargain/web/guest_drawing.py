"""What a guest's page shows, drawn from the frames that a guest may see and from nothing else."""

from collections.abc import Sequence
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.guest_words import guest_cast, guest_seat
from negotiation.bargain.web.rendering import event_html, reading_html
from negotiation.bargain.web.table import table_of
from negotiation.charts.price_path import price_path
from negotiation.models import Game


def guest_page(game: Game, frames: Sequence[Frame]) -> dict[str, Any]:
    """Gather the page of a shared game.

    Args:
        game: the game, of which only the seat of its owner and the house's policy are read.
        frames: its log as a guest may see it.
    """
    seat = guest_seat(game)
    panels = guest_panels(game, frames)
    items = (guest_item(game, one, frames) for one in frames if one["event"]["kind"] != "tells")
    return {
        "seat": seat,
        "opened": frames[0]["event"],
        "table": table_of(frames, seat),
        # Panels and items come from templates, which have escaped what people wrote.
        "panels": {
            name.removeprefix("sale-"): mark_safe(html)  # noqa: S308
            for name, html in panels.items()
        },
        "transcript": mark_safe("".join(items)),  # noqa: S308
    }


def guest_item(game: Game, frame: Frame, frames: Sequence[Frame]) -> str:
    """Draw one item of the transcript as a guest reads it."""
    return event_html(frame, frames, game, cast=guest_cast(guest_seat(game)))


def guest_panels(game: Game, frames: Sequence[Frame]) -> dict[str, str]:
    """Draw what stands around the transcript: no button, no limit, no share."""
    table = table_of(frames, guest_seat(game))
    return {
        "sale-standing": render_to_string("negotiation/_standing.html", {"table": table}),
        "sale-chart": SafeString(f'<div id="sale-chart">{price_path(frames)}</div>'),
        "sale-reading": reading_html(frames, table, guest_cast(table.seat)),
        "sale-outcome": render_to_string("negotiation/_watch_end.html", {"table": table}),
    }
