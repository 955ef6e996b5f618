"""The channel layer over Redis, as much of it as notifications need."""

import asyncio
import uuid

from channels_redis.pubsub import RedisPubSubChannelLayer


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
