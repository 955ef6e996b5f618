"""Tells every viewer of a game that its log has grown, and which words are on their way."""

import asyncio
import logging
from collections.abc import Sequence

from asgiref.sync import async_to_sync
from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer
from django.dispatch import Signal
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

MESSAGE_TYPE = "log.grew"
"""The log has grown, or something changed that is not in it (number 0)."""

PARTIAL_TEXT_TYPE = "words.grew"
"""A message is being written."""

ROLL_TYPE = "guests.roll"
"""Somebody asks which guests are here."""


_server_loop: list[asyncio.AbstractEventLoop] = []


def server_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that serves the site; None where there is no server."""
    loop = _server_loop[0] if _server_loop else None
    return loop if loop is not None and loop.is_running() else None


def remember_loop() -> None:
    """Keep the running event loop as the server's."""
    _server_loop[:] = [asyncio.get_running_loop()]


def group_of(game_id: str) -> str:
    """Name the channel layer group of a game's viewers."""
    return f"game.{game_id}"


def ring(game_id: str, seq: int) -> None:
    """Ring for all viewers in all processes. Only the number travels, never an event."""
    layer = get_channel_layer()
    if layer is None:
        return
    group, message = group_of(game_id), {"type": MESSAGE_TYPE, "game": game_id, "seq": seq}
    loop = server_loop()
    if loop is None:
        async_to_sync(layer.group_send)(group, message)
    else:
        # Whoever has moved does not wait for it.
        lost = "notifications do not arrive"
        asyncio.run_coroutine_threadsafe(ask_layer(lost, "group_send", group, message), loop)


async def ask_layer(lost: str, what: str, group: str, about: object) -> bool:
    """Let the channel layer, if there is one, do something; False, and a warning, if it fails."""
    layer = get_channel_layer()
    try:
        if layer is not None:
            await getattr(layer, what)(group, about)
    except (RedisError, OSError, ChannelFull) as wrong:
        # No traceback: words on their way would leave one several times a second.
        is_outage = not isinstance(wrong, ChannelFull)
        log.warning(lost, extra={"group": group, "why": type(wrong).__name__, "outage": is_outage})
        return False
    return True


async def send_partial_text(game_id: str, words: str) -> None:
    """Show the viewers what may be seen of a message that is being written."""
    message = {"type": PARTIAL_TEXT_TYPE, "game": game_id, "words": words}
    await ask_layer("partial text was lost", "group_send", group_of(game_id), message)


async def listen(game_id: str, channel: str) -> bool:
    """Let a viewer hear when a game's log grows. False: it does not, and only looks now and then.

    Whoever hears once hears again by itself after an outage; who came during one asks again.
    """
    return await ask_layer("notifications do not arrive", "group_add", group_of(game_id), channel)


async def stop_listening(game_id: str, channel: str) -> None:
    """Let a viewer go."""
    await ask_layer("notifications do not arrive", "group_discard", group_of(game_id), channel)


log_grew = Signal()
"""A game of any kind has grown. Sent with ``game_id`` and its new ``rows`` of the log."""


def tell_grown(game_id: str, rows: Sequence[object]) -> None:
    """Send ``log_grew``."""
    log_grew.send_robust(sender=None, game_id=game_id, rows=rows)


game_ended = Signal()
"""A game of any kind has ended and its end is stored. Sent with ``game_id`` (text) after the
commit, in the process that wrote the end; a receiver that fails is logged and harms nobody."""


def tell_ended(game_id: str) -> None:
    """Send ``game_ended``; what a receiver does wrong is logged by Django and goes no further."""
    game_ended.send_robust(sender=None, game_id=game_id)


person_moved = Signal()
"""A person has moved in a game of two sides, and the move is stored. Sent as ``game_ended`` is."""


def tell_moved(game_id: str) -> None:
    """Send ``person_moved``."""
    person_moved.send_robust(sender=None, game_id=game_id)
