"""The channel layers, as much of them as notifications need: over Redis, or within one process."""

import asyncio
import contextlib
import time
import uuid
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

TIDY_EVERY_S = 5.0


class GroupLayer(RedisPubSubChannelLayer):  # type: ignore[misc]  # untyped package
    """Carries group messages only.

    Nobody sends to a single socket here, so sockets get no Redis subscription of their own: one
    round trip less to open, and they open while Redis is away. (channels-redis 4.3 subscribes in
    ``new_channel`` and lets its error refuse the socket.)
    """

    async def new_channel(self, prefix: str = "specific.") -> str:
        """Make the mailbox of a socket in this process."""
        layer = self._get_layer()
        channel = f"{layer.prefix}{prefix}{uuid.uuid4().hex}"
        layer.channels[channel] = asyncio.Queue()
        return channel


class ProcessLayer(InMemoryChannelLayer):
    """Carries messages within the one process of a site without Redis.

    Channels 4.3 looks through every mailbox and every group at each message, so 200 games pay for
    each other, and begins a task for each mailbox. Looking once in a while is as good.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._tidied = 0.0

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Put a message into every mailbox of a group; one that is full goes without."""
        self._clean_expired()
        for channel in list(self.groups.get(group, ())):
            with contextlib.suppress(ChannelFull):
                await self.send(channel, message)

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now - self._tidied > TIDY_EVERY_S:
            self._tidied = now
            super()._clean_expired()  # type: ignore[misc]  # the types leave it out
