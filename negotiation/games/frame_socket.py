"""A socket that speaks one JSON frame at a time: reading, limits and errors for every game."""

import logging
from collections.abc import Awaitable, Mapping
from typing import Any

import msgspec
from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer

from negotiation.errors import BadFrame, UnknownGame
from negotiation.games.wire_errors import REFUSALS, fault, refusal
from negotiation.limits import QUICK, Name, spend
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

CLOSE_UNKNOWN = 4404
"""Close code: there is no such game for this visitor."""

CLOSE_LIMITED = 4429
"""Close code: too many connections."""


def _plain(value: object) -> str:
    # Django marks the strings of its templates as safe with a subclass that msgspec does not know.
    if isinstance(value, str):
        return value + ""
    raise NotImplementedError


_encoder = msgspec.json.Encoder(enc_hook=_plain)


def encoded(frame: Mapping[str, Any]) -> str:
    """Write a frame as it goes over the wire."""
    return _encoder.encode(frame).decode()


class FrameSocket(AsyncWebsocketConsumer):
    """Reads frames, obeys them, answers what goes wrong; ``visitor`` keys the frame limit."""

    visitor: str

    def read(self, text: str) -> msgspec.Struct:
        """Read one frame, or raise BadFrame."""
        raise NotImplementedError

    async def obey(self, frame: msgspec.Struct) -> None:
        """Do what a frame asks for."""
        raise NotImplementedError

    async def dispatch(self, message: Any) -> None:
        """Hand a message of the server or the channel layer to its method."""
        # Channels 4.3 first visits the one thread that all sockets share, to tidy database
        # connections there. Our database work has threads of its own and tidies up in them.
        await getattr(self, get_handler_name(message))(message)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take one frame from the client."""
        await self.guard(self._receive(text_data))

    async def guard(self, work: Awaitable[object]) -> None:
        """Do some work and answer what goes wrong with it; the socket stays open."""
        try:
            await work
        except UnknownGame as gone:
            await self.refuse(gone, CLOSE_UNKNOWN)
        except REFUSALS as wrong:
            await self.give_error(wrong)
        # The outermost loop of a socket: a fault of ours must not hang up on the player.
        except Exception as wrong:
            log.exception("socket frame failed")
            await self.give({"type": "error", **fault(wrong)})

    async def send(  # type: ignore[override]  # as in Channels' own class
        self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False
    ) -> None:
        """Send, unless the line is being closed: frames sent before are answered to nobody.

        Daphne raises there, and an error would end the consumer before it hears ``disconnect``.
        """
        try:
            await super().send(text_data, bytes_data, close)
        except Disconnected:
            log.debug("the client had hung up")

    async def give(self, frame: dict[str, Any]) -> None:
        """Send one frame."""
        await self.send(text_data=encoded(frame))

    async def give_error(self, wrong: Exception) -> None:
        """Say what was wrong; the socket stays open."""
        await self.give({"type": "error", **refusal(wrong)})

    async def refuse(self, wrong: Exception, code: int) -> None:
        """Say what was wrong and hang up."""
        await self.give_error(wrong)
        await self.close(code=code)

    async def spend(self, name: Name, key: str = "") -> None:
        """Count one use of a limit, or raise RateLimited."""
        if name == QUICK:
            spend(name, key or self.visitor)
        else:
            await in_thread(spend)(name, key or self.visitor)

    async def _receive(self, text_data: str | None) -> None:
        await self.spend("frames")
        if text_data is None:
            raise BadFrame("Messages are JSON text, not bytes.")
        await self.obey(self.read(text_data))
