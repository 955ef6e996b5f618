"""The channel layers, as much of them as notifications need: over Redis, or within one process."""

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator
from typing import Any

from channels.exceptions import ChannelFull
from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import ConnectionError  # noqa: A004  Redis's own

ANSWERS_WITHIN_S = 3.0

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

    async def group_add(self, group: str, channel: str) -> None:
        """Let a mailbox have what is sent to a group; RedisError: not now."""
        if self._connects_anew(group):
            raise ConnectionError("Redis was away, and is being connected to.")
        async with _bounded():
            await self._get_layer().group_add(group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        """Let a mailbox have it no more; RedisError: Redis could not be told."""
        if not self._connects_anew(group):
            async with _bounded():
                await self._get_layer().group_discard(group, channel)
            return
        # What is sent to a group without a mailbox is dropped.
        layer = self._get_layer()
        name = layer._get_group_channel_name(group)
        layer.groups.get(name, set()).discard(channel)
        if not layer.groups.get(name):
            layer.groups.pop(name, None)

    def _connects_anew(self, group: str) -> bool:
        """Whether the task that receives is about to connect anew, once in a second.

        In channels-redis 4.3 with redis 8.1 it shares its connection with whoever subscribes. Where
        both connect at once, one reads the answer that the other waits for, for ever.
        """
        layer = self._get_layer()
        pubsub = layer._get_shard(layer._get_group_channel_name(group))._pubsub
        if pubsub is None or pubsub.connection is None or not pubsub.subscribed:
            return False
        return not pubsub.connection.is_connected


@contextlib.asynccontextmanager
async def _bounded() -> AsyncIterator[None]:
    """Take it for an outage where Redis does not answer, or the two have met all the same."""
    try:
        async with asyncio.timeout(ANSWERS_WITHIN_S):
            yield
    except (RuntimeError, TimeoutError) as wrong:
        raise ConnectionError("Redis does not answer.") from wrong


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
