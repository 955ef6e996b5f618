"""What serves one kind of environment in this process: its socket and its HTTP sessions.

The socket is a plain ASGI application, one session per connection, and not a Channels consumer:
those await two queues with a task each per message, which costs more than a turn of the game, and
this socket hears of nothing but its own client.
"""

import asyncio
import functools
import itertools
import logging
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from autobahn.exception import Disconnected
from django.conf import settings

from bazaarbatna.envs.openenv.dialogue import Dialogue
from bazaarbatna.envs.openenv.errors import Full, TooFast, UnknownEpisode
from bazaarbatna.envs.openenv.frames import write_error
from bazaarbatna.envs.openenv.kinds import A, AnyKind, Kind, O, R, W
from bazaarbatna.envs.openenv.mcp import Game, KeptGame, named_session
from bazaarbatna.envs.openenv.shelf import Room, Shelf
from negotiation.hanging_up import (
    CLOSE_FULL,
    CLOSE_IDLE,
    Receive,
    Send,
    hang_up,
    turn_away,
)
from negotiation.limits import is_own_program_at, scope_key
from negotiation.openenv.pace import FREE, LONGEST_WAIT_S, Pace, pace
from negotiation.openenv.shared_shelf import SharedShelf

log = logging.getLogger(__name__)

IN_A_ROW = 8
"""Messages of one connection that are answered before others get their turn."""


class EnvironmentSocket:
    """Serves every connection with an environment of its own."""

    def __init__(
        self,
        kind: AnyKind,
        room: Room,
        idle_s: float,
        clock: Callable[[], float] = time.monotonic,
        enter: Callable[[str], None] | None = None,
        pace: Pace | None = None,
        game: Game | None = None,
    ) -> None:
        """Serve in a room, where each connection takes a place by ``enter``.

        A connection ends after ``idle_s`` seconds without a message; the clock only goes up. All
        connections of a client go at ``pace`` together; None: as fast as they like. ``game`` is
        one that lives elsewhere and may be slow to answer; without it each has its own.
        """
        self._kind = kind
        self._room = room
        self._enter = enter or room.enter
        self._idle_s = idle_s
        self._clock = clock
        self._pace = pace or FREE
        self._game = game

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Serve one connection."""
        await receive()
        try:
            await send({"type": "websocket.accept"})
            client = scope_key(scope)
            try:
                self._enter(client)
            except Full as full:
                await turn_away(receive, send, write_error(full), CLOSE_FULL)
                return
            try:
                dialogue = Dialogue(self._kind, self._game)
                line = _Connection(dialogue, receive, send, self._idle_s, self._clock)
                await line.serve(self._pace, client)
            finally:
                self._room.leave(client)
        except Disconnected:
            log.debug("the client had hung up")


class _Connection:
    def __init__(
        self,
        dialogue: Dialogue,
        receive: Receive,
        send: Send,
        idle_s: float,
        clock: Callable[[], float],
    ) -> None:
        self._receive, self._send = receive, send
        self._idle_s, self._clock = idle_s, clock
        self._dialogue = dialogue
        self._heard_at = clock()

    async def serve(self, pace: Pace, client: str) -> None:
        self._look()
        try:
            await self._talk(pace, client)
        finally:
            self._timer.cancel()

    async def _talk(self, pace: Pace, client: str) -> None:
        receive, send, clock = self._receive, self._send, self._clock
        answer, dialogue = self._dialogue.answer, self._dialogue
        for number in itertools.count(1):
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            self._heard_at = clock()
            begun = dialogue.games
            try:
                pace.check(client)
            except TooFast as wrong:
                told: str | None = write_error(wrong)
            else:
                text = message.get("text")
                is_slow = dialogue.is_elsewhere
                told = await asyncio.to_thread(answer, text) if is_slow else answer(text)
            if told is None:
                await send({"type": "websocket.close", "code": 1000})
                return
            await send({"type": "websocket.send", "text": told})
            rest_s = pace.took(client, 1, dialogue.games - begun)
            if rest_s:
                # Nothing is read meanwhile: soon the client's own messages wait on its side.
                await asyncio.sleep(min(rest_s, LONGEST_WAIT_S))
                self._heard_at = clock()
            elif number % IN_A_ROW == 0:
                # Neither of these waits gives way while messages are queued.
                await asyncio.sleep(0)

    def _look(self) -> None:
        # One timer per connection, set again when it fires: a message pays nothing for it.
        left = self._heard_at + self._idle_s - self._clock()
        loop = asyncio.get_running_loop()
        if left > 0:
            self._timer = loop.call_later(left, self._look)
        else:
            self._ending = loop.create_task(self._hang_up())

    async def _hang_up(self) -> None:
        gone = UnknownEpisode("Nothing was said for too long; connect and reset to go on.")
        try:
            await hang_up(self._send, write_error(gone), CLOSE_IDLE)
        except Disconnected:
            log.debug("the idle client had hung up")


MINUTE_S = 60.0

AnyShelf = Shelf[Any, Any, Any, Any] | SharedShelf[Any, Any, Any, Any]


@functools.cache
def room_of(kind: AnyKind) -> Room:
    """Return the room that sockets and HTTP sessions of a kind share in this process."""
    return Room(settings.ENV_SESSIONS, settings.ENV_SESSIONS_PER_CLIENT)


def shelf_of(kind: Kind[R, W, A, O]) -> Shelf[R, W, A, O] | SharedShelf[R, W, A, O]:
    """Return the HTTP sessions of a kind: of this process, or with Redis those of all processes."""
    return _shelf_of(kind)


@functools.cache
def _shelf_of(kind: AnyKind) -> AnyShelf:
    idle_s = settings.ENV_IDLE_MINUTES * MINUTE_S
    if not settings.REDIS_URL:
        return Shelf(kind, room_of(kind), idle_s)
    return SharedShelf(
        kind,
        settings.REDIS_URL,
        most=settings.ENV_SESSIONS,
        most_per_client=settings.ENV_SESSIONS_PER_CLIENT,
        idle_s=idle_s,
    )


def forget_all() -> None:
    """Forget all sessions of this process."""
    room_of.cache_clear()
    pace.cache_clear()
    _shelf_of.cache_clear()


async def serve_socket(kind: AnyKind, scope: Any, receive: Any, send: Any) -> None:
    """Serve one connection."""
    room, shelf = room_of(kind), shelf_of(kind)
    # Games in Redis are counted apart and take no place here.
    enter = shelf.enter if isinstance(shelf, Shelf) else room.enter
    idle_s = settings.ENV_IDLE_MINUTES * MINUTE_S
    # OpenEnv's MCP client shares the session of its requests with its socket.
    asked = parse_qs(scope.get("query_string", b"").decode("ascii", "replace"))
    id_ = named_session(asked.get("session_id", [""])[0])
    game = KeptGame(kind, shelf, scope_key(scope), id_) if id_ else None
    speed = FREE if is_own_program_at(scope) else pace()
    socket = EnvironmentSocket(kind, room, idle_s, enter=enter, pace=speed, game=game)
    await socket(scope, receive, send)
