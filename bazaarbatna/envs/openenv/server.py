"""OpenEnv's server for both worlds without the site: ``python -m bazaarbatna serve``.

A plain ASGI application over the same door as the site's: the bazaar at the bare host and below
``/env/bazaar``, the market below ``/env/market``, or at the bare host where that is wished for.
It serves whoever can reach it, at any speed: for a trainer's own machine or container.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

import msgspec

from bazaarbatna.bargain.people import held_out
from bazaarbatna.envs.openenv import bazaar, market
from bazaarbatna.envs.openenv.dialogue import Dialogue
from bazaarbatna.envs.openenv.door import ASKED, Door
from bazaarbatna.envs.openenv.errors import Full, Gone, ProtocolError, TooLong, to_protocol
from bazaarbatna.envs.openenv.frames import LONGEST, write_error
from bazaarbatna.envs.openenv.kinds import AnyKind
from bazaarbatna.envs.openenv.mcp import SESSION, Game, KeptGame, named_session
from bazaarbatna.envs.openenv.shelf import Room, Shelf

SESSIONS = 4096
"""Sockets and HTTP sessions of a world that one process holds."""

IDLE_S = 3600.0
"""Seconds after which an HTTP session that nobody asks for is forgotten."""

CLOSE_FULL = 4429

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Answer = tuple[int, object, dict[str, str]]
"""Status, body (None: an empty one) and headers."""


class NoSuchAddress(Gone):
    """Environments are below /env/bazaar and /env/market; their addresses are in openapi.json."""

    status = 404


METHODS = {"reset": "POST", "step": "POST", "mcp": "POST"} | dict.fromkeys((*ASKED, "state"), "GET")
"""How an address is asked. An MCP client that gets 404 for its GET believes its session lost."""


class World:
    """One environment with the games that its clients play."""

    def __init__(self, kind: AnyKind) -> None:
        self.kind = kind
        self.room = Room(SESSIONS, SESSIONS)
        self.shelf: Any = Shelf(kind, self.room, IDLE_S, time.monotonic)
        self._door = Door(kind)

    def answer(self, method: str, name: str, asked: Mapping[str, str], body: bytes) -> Answer:
        """Answer one request; ``asked`` holds its headers and parameters, names in lower case."""
        door, shelf = self._door, self.shelf
        match method, name:
            case "GET", _ if name in ASKED or not name:
                return 200, door.about(name or "metadata"), {}
            case "POST", "reset":
                return 200, door.reset(shelf, "", body), {}
            case "POST", "step":
                return 200, door.step(shelf, "", body), {}
            case "GET", "state":
                return 200, door.state(shelf, "", asked.get("episode_id")), {}
            case "POST", "mcp":
                told = door.mcp(shelf, "", body, asked.get(SESSION.lower()))
                headers = {SESSION: told.session} if told.session else {}
                return (202 if told.answer is None else 200), told.answer, headers
            case _ if name in METHODS:
                wrong = {"code": "EXECUTION_ERROR", "detail": f"Asked with {METHODS[name]} alone."}
                return 405, {"error": wrong}, {"Allow": METHODS[name]}
            case _:
                raise NoSuchAddress

    async def talk(self, asked: Mapping[str, str], receive: Receive, send: Send) -> None:
        """Serve one socket: a game of its own, or that of the MCP session which it names."""
        await receive()
        await send({"type": "websocket.accept"})
        try:
            self.shelf.enter("")
        except Full as full:
            await send({"type": "websocket.send", "text": write_error(full)})
            await send({"type": "websocket.close", "code": CLOSE_FULL})
            return
        try:
            id_ = named_session(asked.get("session_id"))
            game: Game | None = KeptGame(self.kind, self.shelf, "", id_) if id_ else None
            dialogue = Dialogue(self.kind, game)
            while (message := await receive())["type"] != "websocket.disconnect":
                told = dialogue.answer(message.get("text"))
                if told is None:
                    await send({"type": "websocket.close", "code": 1000})
                    return
                await send({"type": "websocket.send", "text": told})
        finally:
            self.room.leave("")


class Server:
    """The ASGI application: finds the world of an address."""

    def __init__(self, at_the_host: str = "bazaar") -> None:
        """Serve both worlds; ``at_the_host`` (bazaar or market) also answers at the bare host."""
        worlds = {"bazaar": World(bazaar.BAZAAR), "market": World(market.MARKET)}
        if at_the_host not in worlds:
            raise ValueError(f"There is no world {at_the_host!r}: {', '.join(worlds)}.")
        self._worlds = {bazaar.PREFIX: worlds["bazaar"], market.PREFIX: worlds["market"]}
        self._worlds[""] = worlds[at_the_host]

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            raise NotImplementedError  # as ASGI wants of who has nothing to begin or to end
        query = parse_qs(scope["query_string"].decode("ascii", "replace"))
        asked = {name: said[0] for name, said in query.items()}
        # The longest prefix first; the bare host is the last.
        path = scope["path"].rstrip("/")
        prefix = next(p for p in self._worlds if path == p or path.startswith(p + "/") or not p)
        name = path[len(prefix) :].lstrip("/")
        if scope["type"] == "websocket":
            await self._worlds[prefix].talk(asked, receive, send)
            return
        asked |= {key.decode().lower(): said.decode("latin-1") for key, said in scope["headers"]}
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        try:
            body = await _body(receive)
            status, told, headers = self._worlds[prefix].answer(method, name, asked, body)
        # The outermost loop of a request: to_protocol logs what is our fault.
        except Exception as wrong:  # noqa: BLE001  as said above
            status, told, headers = _refused(to_protocol(wrong))
        await _send(send, status, told, headers)


def run(world: str, host: str, port: int) -> None:
    """Serve both worlds until told to stop; ``world`` (bazaar or market) at the bare host."""
    import uvicorn

    uvicorn.run(Server(world), host=host, port=port, log_level="warning")


def _refused(wrong: ProtocolError) -> Answer:
    told: dict[str, Any] = {"code": wrong.code, "detail": wrong.message}
    again = {} if wrong.retry_after_s is None else {"Retry-After": str(wrong.retry_after_s)}
    return wrong.status, {"error": told}, again


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        part = await receive()
        body += part.get("body", b"")
        if len(body) > LONGEST:
            raise TooLong
        more = part.get("more_body", False)
    return body


async def _send(send: Send, status: int, told: object, headers: dict[str, str]) -> None:
    body = b"" if told is None else msgspec.json.encode(told)
    said = {"content-type": "application/json", "content-length": str(len(body)), **headers}
    lines = [(name.lower().encode(), value.encode()) for name, value in said.items()]
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})


held_out.plug_in()
app = Server()
"""What ``uvicorn bazaarbatna.envs.openenv.server:app`` serves."""
