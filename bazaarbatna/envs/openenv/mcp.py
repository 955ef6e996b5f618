"""MCP: the actions of an environment as tools, over JSON-RPC 2.0.

Who speaks MCP as such begins with ``initialize`` and keeps the session that the answer's header
names; OpenEnv's client asks for one by ``openenv/session/create``. A session is an episode's id:
nothing is kept of it before its first ``reset``.
"""

from typing import Any, Protocol

import msgspec

from bazaarbatna import nulls
from bazaarbatna.envs.bargain.resets import LONGEST_ID
from bazaarbatna.envs.openenv.errors import (
    Invalid,
    ProtocolError,
    UnknownEpisode,
    Unplayable,
    to_protocol,
)
from bazaarbatna.envs.openenv.kinds import API_VERSION, AnyKind, fresh_id, fresh_seed, schema_of

SESSION = "Mcp-Session-Id"
"""The header that names a session."""

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of the protocol whose ``tools`` are these, the newest first."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
SERVER_ERROR = -32000

RESET_FIRST = "There is no game in this session yet: call reset."


class Request(msgspec.Struct, frozen=True):
    """One request of a client; without an ``id`` it wants no answer."""

    method: str
    jsonrpc: str
    params: dict[str, Any] = {}
    id: str | int | None = None


_requests = msgspec.json.Decoder(Request)


class Game(Protocol):
    """The game of one session; ``begun`` counts its resets. Whatever is refused raises."""

    id: str
    begun: int

    @property
    def seat(self) -> Any:
        """The seat, to look at."""

    @property
    def state(self) -> msgspec.Struct:
        """Where it stands, also before its first reset."""

    def reset(self, wanted: Any) -> Any:
        """Start it anew."""

    def step(self, action: Any) -> Any:
        """Move in it."""

    def close(self) -> None:
        """Give its place back."""


class OwnGame:
    """The game of a socket, which has its seat to itself."""

    def __init__(self, kind: AnyKind) -> None:
        self.id, self.begun = fresh_id(), 0
        self.seat: Any = kind.seat()

    @property
    def state(self) -> Any:
        """Where it stands."""
        return self.seat.state

    def reset(self, wanted: Any) -> Any:
        """Start it anew."""
        self.begun += 1
        return self.seat.reset(wanted, seed=fresh_seed(), episode_id=fresh_id())

    def step(self, action: Any) -> Any:
        """Move in it."""
        return self.seat.step(action)

    def close(self) -> None:
        """Do nothing: it ends with its socket."""


class KeptGame:
    """A game on the shelf of HTTP sessions: requests and a socket may share it."""

    def __init__(self, kind: AnyKind, shelf: Any, client: str, id_: str) -> None:
        self.id, self.begun = id_, 0
        self._kind, self._shelf, self._client = kind, shelf, client

    @property
    def seat(self) -> Any:
        """The seat, to look at; raises ``Unplayable`` before the first reset."""
        try:
            return self._shelf.seat(self._client, self.id)
        except UnknownEpisode:
            raise Unplayable(RESET_FIRST) from None

    @property
    def state(self) -> Any:
        """Where it stands."""
        try:
            return self._shelf.state(self._client, self.id)
        except UnknownEpisode:
            return self._kind.standing()

    def reset(self, wanted: Any) -> Any:
        """Start it anew."""
        self.begun += 1
        named = msgspec.structs.replace(wanted, episode_id=self.id)
        return self._shelf.reset(self._client, named)

    def step(self, action: Any) -> Any:
        """Move in it; raises ``Unplayable`` before the first reset."""
        try:
            return self._shelf.step(self._client, self.id, action)
        except UnknownEpisode:
            raise Unplayable(RESET_FIRST) from None

    def close(self) -> None:
        """Give its place back."""
        self._shelf.forget(self._client, self.id)


def named_session(said: object) -> str | None:
    """Return the name of a session as it was said, or None where that is no name."""
    return said if isinstance(said, str) and 0 < len(said) <= LONGEST_ID else None


def read_rpc(body: bytes) -> Request | dict[str, Any]:
    """Read one request, or return the error that answers what is none."""
    try:
        request = nulls.decoded(_requests, body)
    except msgspec.ValidationError as wrong:
        return _error(INVALID_REQUEST, f"Invalid request: {wrong}")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _error(PARSE_ERROR, "Parse error")
    if request.jsonrpc != "2.0":
        return _error(INVALID_REQUEST, "Invalid request: jsonrpc is '2.0'", request.id)
    return request


def answer_rpc(kind: AnyKind, game: Game, request: Request) -> dict[str, Any] | None:
    """Answer one request; an error is an answer, and None goes to whoever wants none."""
    if request.id is None and request.method.startswith("notifications/"):
        return None
    answer = _METHODS.get(request.method)
    if answer is None:
        told = f"Method not found: {request.method[:60]}. There are {', '.join(_METHODS)}."
        return _error(METHOD_NOT_FOUND, told, request.id)
    try:
        result = answer(kind, game, request.params)
    # A fault of ours must not hang up on a client that shares its socket with a game.
    except Exception as wrong:  # noqa: BLE001  to_protocol logs what is our fault
        refused = to_protocol(wrong)
        code = INVALID_PARAMS if isinstance(refused, Invalid) else SERVER_ERROR
        return _error(code, refused.message, request.id)
    return {"jsonrpc": "2.0", "id": request.id, "result": result}


def _initialize(kind: AnyKind, game: Game, params: dict[str, Any]) -> dict[str, Any]:
    wanted = params.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": kind.name, "title": kind.title, "version": API_VERSION},
        "instructions": f"{kind.about} Call reset, then act until it is over.",
    }


def _list(kind: AnyKind, game: Game, params: dict[str, Any]) -> dict[str, Any]:
    reset = {
        "name": "reset",
        "description": f"Start a game; the one before is gone. {kind.about}",
        "inputSchema": schema_of(kind.wanted),
    }
    tools = [
        {"name": tool.name, "description": tool.about, "inputSchema": tool.schema}
        for tool in kind.toolbox.values()
    ]
    return {"tools": [reset, *tools]}


def _call(kind: AnyKind, game: Game, params: dict[str, Any]) -> dict[str, Any]:
    name, arguments = params.get("name"), params.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise Invalid("The arguments of a tool are an object.")
    tool = kind.toolbox.get(name) if isinstance(name, str) else None
    if tool is None and name != "reset":
        raise Invalid(
            f"There is no tool {str(name)[:40]!r}: {', '.join(('reset', *kind.toolbox))}."
        )
    try:
        if tool is None:
            answer = game.reset(nulls.converted(arguments, kind.wanted))
        else:
            answer = game.step(tool.read(arguments, game.seat))
    except Exception as wrong:
        refused = to_protocol(wrong)
        if not _is_for_the_model(refused):
            raise
        # What a model did wrong it reads as the tool's answer, and may do better.
        return _content(refused.message, refused.message, is_error=True)
    return _content(kind.describe(answer.observation), msgspec.to_builtins(answer))


def _is_for_the_model(refused: ProtocolError) -> bool:
    return isinstance(refused, Invalid | Unplayable)


def _content(text: str, data: object, *, is_error: bool = False) -> dict[str, Any]:
    told: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": is_error}
    if isinstance(data, dict):
        told["structuredContent"] = data
    # OpenEnv's client looks here.
    return told | {"data": data}


def _close(kind: AnyKind, game: Game, params: dict[str, Any]) -> dict[str, Any]:
    game.close()
    return {"session_id": game.id, "closed": True}


_METHODS = {
    "initialize": _initialize,
    "ping": lambda kind, game, params: {},
    "tools/list": _list,
    "tools/call": _call,
    "openenv/session/create": lambda kind, game, params: {"session_id": game.id},
    "openenv/session/close": _close,
}


def _error(code: int, message: str, id_: str | int | None = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}
