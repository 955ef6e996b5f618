"""The socket of the bots, ``/env/bots/ws``: a plain ASGI application."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from autobahn.exception import Disconnected
from django.conf import settings

from negotiation.errors import RateLimited
from negotiation.limits import scope_key, spend
from negotiation.openenv.bazaar import BAZAAR
from negotiation.openenv.errors import Full, ProtocolError, Unplayable, to_protocol
from negotiation.openenv.frames import CloseFrame, StateFrame, StepFrame, write_error
from negotiation.openenv.serving import room_of
from negotiation.threads import in_thread
from training.bots.frames import (
    BotReset,
    ResetFrame,
    read_frame,
    write_observation,
    write_state,
)
from training.bots.owners import UnknownBot, bot_with_token
from training.bots.seat import Seat

log = logging.getLogger(__name__)

CLOSE_IDLE = 4408
CLOSE_FULL = 4429
"""Close code: too many connections, as the site's other sockets say it."""

CLOSE_UNKNOWN = 4401
"""Close code: no bot has this token."""

IDLE_MESSAGES = 20
"""Messages in a row without a move, after which each of them is answered a little later."""

IDLE_PAUSE_S = 0.2

MINUTE_S = 60.0

_pool = ThreadPoolExecutor(2, thread_name_prefix="bot")
"""Threads of their own: however fast bots play, live games of people have theirs."""

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class NoToken(ProtocolError):
    """The first reset names the bot's token: {"type": "reset", "data": {"token": "..."}}."""

    code = "SESSION_ERROR"
    status = 401


class NotYours(ProtocolError):
    """Which game comes next is the site's choice; leave that out."""

    code = "VALIDATION_ERROR"
    status = 422


async def bot_socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve one connection of a bot."""
    await receive()
    client = scope_key(scope)
    try:
        await send({"type": "websocket.accept"})
        try:
            await in_thread(spend)("sockets", client)
            room_of(BAZAAR).enter(client)
        except (Full, RateLimited) as full:
            told = full if isinstance(full, Full) else ProtocolError(full.detail)
            await _end(send, told, CLOSE_FULL)
            return
        try:
            await _serve(_Connection(_header_token(scope)), receive, send)
        finally:
            room_of(BAZAAR).leave(client)
    except Disconnected:
        log.debug("the bot had hung up")


async def _serve(connection: "_Connection", receive: Receive, send: Send) -> None:
    while True:
        try:
            async with asyncio.timeout(settings.ENV_IDLE_MINUTES * MINUTE_S):
                message = await receive()
        except TimeoutError:
            idle = Unplayable("Nothing was said for too long; connect again to go on.")
            await _end(send, idle, CLOSE_IDLE)
            return
        if message["type"] == "websocket.disconnect":
            return
        told = await in_thread(connection.answer, _pool)(message.get("text"))
        if told is None:
            await send({"type": "websocket.close", "code": 1000})
            return
        if connection.idle > IDLE_MESSAGES:
            # The next message is read after this answer: no flood gets past it.
            await asyncio.sleep(IDLE_PAUSE_S)
        await send({"type": "websocket.send", "text": told})
        if connection.is_stranger:
            await send({"type": "websocket.close", "code": CLOSE_UNKNOWN})
            return


class _Connection:
    """Answers each message, in a thread that has a database.

    Attributes:
        idle: messages since the last move.
        is_stranger: no bot has the token.
    """

    def __init__(self, token: str) -> None:
        self._token = token
        self._session = secrets.token_hex(8)
        self._seat: Seat | None = None
        self.idle = 0
        self.is_stranger = False

    def answer(self, text: str | None) -> str | None:
        """Answer one message; None for a goodbye."""
        self.idle += 1
        try:
            return self._answer(text)
        except UnknownBot as unknown:
            self.is_stranger = True
            return write_error(NoToken(unknown.detail))
        # The outermost loop of a socket: a fault of ours must not hang up on the bot.
        except Exception as wrong:  # noqa: BLE001  to_protocol logs what is our fault
            return write_error(to_protocol(wrong))

    def _answer(self, text: str | None) -> str | None:
        match read_frame(text):
            case ResetFrame(data=wanted):
                shown, notes = self._seated(wanted).next_game()
                return write_observation(shown, done=False, notes=notes)
            case StepFrame(data=action):
                if self._seat is None:
                    raise NoToken
                shown, notes, done = self._seat.step(action)
                self.idle = 0
                return write_observation(shown, done=done, notes=notes)
            case StateFrame():
                if self._seat is None:
                    raise NoToken
                return write_state(self._seat.state())
            case CloseFrame():
                return None

    def _seated(self, wanted: BotReset) -> Seat:
        if wanted.chosen:
            raise NotYours(f"Which game comes next is ours to say: no {', '.join(wanted.chosen)}.")
        token = wanted.token or self._token
        if not token:
            raise NoToken
        # Asked again at every reset: a token may have been replaced meanwhile.
        self._token = token
        bot = bot_with_token(token)
        if self._seat is None:
            self._seat = Seat(bot, self._session)
        return self._seat


def _header_token(scope: dict[str, Any]) -> str:
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return ""


async def _end(send: Send, wrong: ProtocolError, code: int) -> None:
    await send({"type": "websocket.send", "text": write_error(wrong)})
    await send({"type": "websocket.close", "code": code})
