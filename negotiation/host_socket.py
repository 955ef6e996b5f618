"""The part of an owner's socket that knows how many guests look on."""

import logging
from typing import Any

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from negotiation.games.frame_socket import FrameSocket
from negotiation.guest_count import GuestList, call_the_roll, hosts_of

log = logging.getLogger(__name__)


class HostSocket(FrameSocket):
    """Tells its page how many guests are here, whenever that changes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._guests, self._told = GuestList(), 0

    async def await_guests(self, game_id: str) -> None:
        """Begin to listen for guests and ask who is here already."""
        layer = get_channel_layer()
        try:
            if layer is not None:
                await layer.group_add(hosts_of(game_id), self.channel_name)
        except (RedisError, OSError):
            log.warning("guests will not be counted")
        else:
            await call_the_roll(game_id)

    async def forget_guests(self, game_id: str) -> None:
        """Stop listening for guests."""
        layer = get_channel_layer()
        try:
            if layer is not None:
                await layer.group_discard(hosts_of(game_id), self.channel_name)
        except (RedisError, OSError):
            log.warning("guests are still listened for")

    async def count_guests(self) -> None:
        """Tell the count anew if somebody vanished without a word."""
        await self._tell(self._guests.count())

    async def guest_here(self, message: dict[str, Any]) -> None:
        """Hear that a guest is here."""
        await self._tell(self._guests.come(message["guest"]))

    async def guest_gone(self, message: dict[str, Any]) -> None:
        """Hear that a guest has left."""
        await self._tell(self._guests.leave(message["guest"]))

    async def guests_roll(self, message: dict[str, Any]) -> None:
        """Do nothing: the roll is called for guests, who hear the same bell."""

    async def _tell(self, count: int) -> None:
        if count != self._told:
            self._told = count
            await self.give({"type": "guests", "count": count})
