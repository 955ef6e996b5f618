"""From wire frames to HTML: the same templates draw a live game, a reload and a replay."""

from collections.abc import Sequence

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from negotiation.bubbles import Frame, Tell, bubble_of, currency_of
from negotiation.charts.price_path import price_path
from negotiation.engine.quantities import to_rupees
from negotiation.models import Game
from negotiation.positions import position_of
from negotiation.signals import signal_rows
from negotiation.stored_scenario import stored_scenario
from negotiation.table import Table, table_of

PANELS = ("sale-standing", "sale-actions", "sale-chart", "sale-reading", "sale-outcome")
"""Ids of the elements that are drawn again whenever something happened."""


def event_html(frame: Frame, frames: Sequence[Frame], game: Game, *, seller: str = "You") -> str:
    """Draw one item of the transcript.

    Args:
        frame: the frame to draw. A ``tells`` frame draws the turn it belongs to again, now with
            its words underlined: the element has the id ``event-<of_seq>``.
        frames: the log so far, from its first frame.
        game: the game (not read: everything in the transcript comes from its frames).
        seller: what the seller is called on this page.

    Returns:
        Safe HTML of one element, or "" when the frame has no item of its own.
    """
    shown = _drawn_with(frame, frames)
    if shown is None:
        return ""
    if shown["event"]["kind"] == "ended":
        ending = {"ended": shown["event"], "seq": shown["seq"], "seller": seller}
        ending["currency"] = currency_of(frames)
        return render_to_string("negotiation/_ending.html", ending)
    bubble = bubble_of(shown, frames, seller)
    return render_to_string("negotiation/_event.html", {"bubble": bubble})


def transcript_html(frames: Sequence[Frame], game: Game) -> SafeString:
    """Draw the whole transcript, each turn once and with its tells."""
    items = (
        event_html(frame, frames, game) for frame in frames if frame["event"]["kind"] != "tells"
    )
    # Every item comes from a template, which has escaped what people wrote.
    return mark_safe("".join(items))  # noqa: S308


def panels_html(frames: Sequence[Frame], game: Game, audience: str) -> dict[str, str]:
    """Draw what stands around the transcript.

    Args:
        frames: the log so far as ``audience`` may see it.
        game: the game the frames belong to.
        audience: "seller" for the owner; others get no panel with the seller's own numbers.

    Returns:
        Safe HTML by element id; each value is one element with that id.
    """
    table = table_of(frames)
    return {
        "sale-standing": render_to_string("negotiation/_standing.html", {"table": table}),
        "sale-actions": _actions(game, table),
        "sale-chart": f'<div id="sale-chart">{price_path(frames)}</div>',
        "sale-reading": _reading(frames, table),
        "sale-outcome": _outcome(frames, game, table, audience),
    }


def _actions(game: Game, table: Table) -> str:
    reservation = position_of(game).state.scenario.sealed.reservation
    context = {"table": table, "reservation": to_rupees(reservation)}
    return render_to_string("negotiation/_actions.html", context)


def _drawn_with(frame: Frame, frames: Sequence[Frame]) -> Frame | None:
    if frame["event"]["kind"] != "tells":
        return frame
    of_seq = frame["event"]["of_seq"]
    # Sequence numbers count from 1; 0 means tells without words.
    return frames[of_seq - 1] if 0 < of_seq <= len(frames) else None


def _reading(frames: Sequence[Frame], table: Table) -> str:
    rows = signal_rows(table.signals) if table.signals is not None else ()
    hidden = ", ".join(row.label.lower() for row in rows if not row.observable)
    context = {
        "rows": [row for row in rows if row.observable],
        "hidden": hidden,
        "tells": _last_tells(frames),
    }
    return render_to_string("negotiation/_reading.html", context)


def _last_tells(frames: Sequence[Frame]) -> tuple[Tell, ...]:
    for frame in reversed(frames):
        if frame["event"]["kind"] == "tells":
            spoken = _drawn_with(frame, frames)
            return bubble_of(spoken, frames, "You").tells if spoken else ()
    return ()


def _outcome(frames: Sequence[Frame], game: Game, table: Table, audience: str) -> str:
    from negotiation.outcome import outcome_of

    outcome = None
    if table.ended is not None and audience == "seller":
        outcome = outcome_of(frames, stored_scenario(game), game.listing_id)
    return render_to_string("negotiation/_outcome.html", {"outcome": outcome})
