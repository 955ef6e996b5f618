"""How many guests are here: they report to the owner's sockets, and nothing is stored.

A guest reports when it comes, with every ping and when it leaves; an owner who opens the page calls
the roll. So the count is right across processes and forgets by itself whoever vanished.
"""

import logging
import time

from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from negotiation.games.notify import ROLL_TYPE, group_of

log = logging.getLogger(__name__)

HERE, GONE = "guest.here", "guest.gone"
"""Message types; Channels calls the consumers' methods of the same name with an underscore."""

GONE_AFTER_S = 70.0
"""A guest that has not reported for so long is gone: pages ping every 25 s."""


def hosts_of(game_id: str) -> str:
    """Name the channel layer group of a game's owner."""
    return f"hosts.{game_id}"


async def report(game_id: str, guest: str, *, here: bool = True) -> None:
    """Tell the owner that a guest is here, or has gone."""
    await _send(hosts_of(game_id), {"type": HERE if here else GONE, "guest": guest})


async def await_guests(game_id: str, channel: str) -> None:
    """Let an owner's socket hear of guests, and ask who is here already."""
    layer = get_channel_layer()
    try:
        if layer is not None:
            await layer.group_add(hosts_of(game_id), channel)
    except (RedisError, OSError):
        log.warning("guests will not be counted")
    else:
        await _send(group_of(game_id), {"type": ROLL_TYPE})


async def forget_guests(game_id: str, channel: str) -> None:
    """Let an owner's socket hear of guests no more."""
    layer = get_channel_layer()
    try:
        if layer is not None:
            await layer.group_discard(hosts_of(game_id), channel)
    except (RedisError, OSError):
        log.warning("guests are still listened for")


class GuestList:
    """Who has reported lately."""

    def __init__(self) -> None:
        self._seen: dict[str, float] = {}

    def come(self, guest: str) -> int:
        """Note a report and return how many are here."""
        self._seen[guest] = time.monotonic()
        return self.count()

    def leave(self, guest: str) -> int:
        """Strike a guest off and return how many are left."""
        self._seen.pop(guest, None)
        return self.count()

    def count(self) -> int:
        """Return how many have reported within ``GONE_AFTER_S``."""
        oldest = time.monotonic() - GONE_AFTER_S
        self._seen = {guest: at for guest, at in self._seen.items() if at >= oldest}
        return len(self._seen)


async def _send(group: str, message: dict[str, str]) -> None:
    layer = get_channel_layer()
    try:
        if layer is not None:
            await layer.group_send(group, message)
    except (RedisError, OSError, ChannelFull):
        log.warning("the guests were not counted")
