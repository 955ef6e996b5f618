"""From wire frames to HTML: the same templates draw a live game, a reload and a replay."""

from collections.abc import Sequence

from django.template.loader import render_to_string

from negotiation.bubbles import Frame, bubble_of, currency_of
from negotiation.models import Game


def event_html(frame: Frame, frames: Sequence[Frame], game: Game, *, seller: str = "You") -> str:
    """Draw one item of the transcript.

    Args:
        frame: the frame to draw. A ``tells`` frame draws the turn it belongs to again, now with
            its words underlined: the element has the id ``event-<of_seq>``.
        frames: the log so far, from its first frame.
        game: the game (not read: everything on the page comes from its frames).
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


def _drawn_with(frame: Frame, frames: Sequence[Frame]) -> Frame | None:
    if frame["event"]["kind"] != "tells":
        return frame
    of_seq = frame["event"]["of_seq"]
    # Sequence numbers count from 1; 0 means tells without words.
    return frames[of_seq - 1] if 0 < of_seq <= len(frames) else None
