"""What is new for the guests of a game, in a thread: drawn once for all who know as much."""

import functools

from negotiation import sessions
from negotiation.guest_drawing import guest_item, guest_panels
from negotiation.guests import game_for_guest
from negotiation.models import Game
from negotiation.visibility import Frame, frames
from negotiation.watching import View

KEPT = 256
"""Batches of news kept in one process: guests of a game ask for the same one at the same time."""


def look(key: str, after: int, *, html: bool) -> View:
    """Read what comes after an event. The right to do so is the key, asked for every time.

    Args:
        key: the key of the link.
        after: number of the last event the guest knows.
        html: add to every frame what a page shows, and the panels to the last one.

    Raises:
        UnknownGame: the game is not shared, or not any more.
    """
    game = game_for_guest(key)
    thinking = sessions.awaits_house(game)
    if after >= game.last_seq:
        return View(game.last_seq, (), thinking)
    seq, new = _news(game.pk, game.last_seq, after, html)
    return View(seq, new, thinking)


@functools.lru_cache(maxsize=KEPT)
def _news(game_id: str, last_seq: int, after: int, html: bool) -> tuple[int, tuple[Frame, ...]]:
    # The log of a game only grows, so what followed an event once follows it for ever.
    game = Game.objects.get(pk=game_id)
    log = frames(game, "guest")
    seq = int(log[-1]["seq"])
    new = tuple(frame for frame in log if frame["seq"] > after)
    if not html:
        return seq, new
    drawn = tuple({**frame, "html": guest_item(game, frame, log)} for frame in new)
    return seq, (*drawn, {"type": "panels", "panels": guest_panels(game, log)})
