"""A socket that speaks one JSON frame at a time: reading, limits and errors for every game."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import OperationalError

from negotiation.errors import BadFrame, UnknownGame
from negotiation.games.wire_errors import REFUSALS, fault, refusal
from negotiation.hanging_up import CLOSE_UNKNOWN, UNTIL_HEARD_S
from negotiation.limits import QUICK, Name, spend
from negotiation.outages import is_cut_off
from negotiation.retry import retry
from negotiation.threads import in_thread

log = logging.getLogger(__name__)

Result = TypeVar("Result")

PAUSES_S = (0.2, 0.5, 1.0)
"""Between tries where a connection to the database broke; a new one waits for much longer."""


async def through_a_restart(work: Callable[[], Awaitable[Result]]) -> Result:
    """Do some work, again where the database was restarted in the middle of it.

    Nothing is done twice by that: a log grows only after the position that was read.
    """
    return await retry(
        work,
        PAUSES_S,
        OperationalError,
        pause=lambda wrong, planned_s: planned_s if is_cut_off(wrong) else None,
    )


def _plain(value: object) -> str:
    # Django marks the strings of its templates as safe with a subclass that msgspec does not know.
    if isinstance(value, str):
        return value + ""
    raise NotImplementedError


_encoder = msgspec.json.Encoder(enc_hook=_plain)


def encoded(frame: Mapping[str, Any]) -> str:
    """Write a frame as it goes over the wire."""
    return _encoder.encode(frame).decode()


def numbered(frames: Iterable[Mapping[str, Any]]) -> tuple[tuple[int, str], ...]:
    """Write frames of events as they go over the wire, each with its number."""
    return tuple((frame["seq"], encoded(frame)) for frame in frames)


class FrameSocket(AsyncWebsocketConsumer):
    """Reads frames, obeys them, answers what goes wrong; ``visitor`` keys the frame limit."""

    visitor: str
    _away: int | None = None
    """The close code of somebody who may not stay."""
    _closing: asyncio.Task[None] | None = None

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
        if self._away is not None:
            await self.close(code=self._away)
            return
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

    async def turn_away(self, wrong: Exception, code: int) -> None:
        """Say why somebody who has just come may not stay, and hang up when they have spoken."""
        self._away = code
        await self.give_error(wrong)
        self._closing = asyncio.create_task(self._close_late(code))

    async def websocket_disconnect(self, message: Any) -> None:
        """Hear that the client is gone."""
        if self._closing is not None:
            self._closing.cancel()
        await super().websocket_disconnect(message)

    async def spend(self, name: Name, key: str = "") -> None:
        """Count one use of a limit, or raise RateLimited."""
        if name == QUICK:
            spend(name, key or self.visitor)
        else:
            await in_thread(spend)(name, key or self.visitor)

    async def _close_late(self, code: int) -> None:
        await asyncio.sleep(UNTIL_HEARD_S)
        await self.close(code=code)

    async def _receive(self, text_data: str | None) -> None:
        await self.spend("frames")
        if text_data is None:
            raise BadFrame("Messages are JSON text, not bytes.")
        frame = self.read(text_data)
        await through_a_restart(lambda: self.obey(frame))
