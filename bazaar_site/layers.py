"""The channel layer over Redis, as much of it as notifications need."""

import asyncio
import contextlib
import uuid
from collections.abc import Iterator

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import ConnectionError  # noqa: A004  Redis's own


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
        with _one_connection():
            await self._get_layer().group_add(group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        """Let a mailbox have it no more; RedisError: Redis could not be told."""
        with _one_connection():
            await self._get_layer().group_discard(group, channel)


@contextlib.contextmanager
def _one_connection() -> Iterator[None]:
    """Take it for an outage where two tasks connect anew at once: the one receives, one subscribes.

    In channels-redis 4.3 with redis 8.1 they share a connection, and one of them finds the other
    reading from it ("readuntil() called while another coroutine is already waiting").
    """
    try:
        yield
    except RuntimeError as wrong:
        raise ConnectionError("Redis is being connected to.") from wrong
