"""What an environment answers over HTTP, whichever server asks, and its schemas."""

import functools
from typing import Any, Generic

import msgspec

from bazaarbatna import nulls
from bazaarbatna.envs.openenv.errors import Invalid
from bazaarbatna.envs.openenv.frames import StepRequest
from bazaarbatna.envs.openenv.kinds import (
    API_VERSION,
    A,
    AnyKind,
    Kind,
    O,
    R,
    W,
    fresh_id,
    schema_of,
)
from bazaarbatna.envs.openenv.mcp import KeptGame, Request, answer_rpc, named_session, read_rpc

NAME_IT = (
    "Say which episode: reset gave metadata.episode_id; send it beside the action, as "
    '{"episode_id": ..., "action": {...}}.'
)

ASKED = ("schema", "metadata", "health", "openapi.json")
"""What OpenEnv's tools ask beside reset, step, state and mcp; by ``Door.about``."""


class Rpc(msgspec.Struct, frozen=True):
    """What goes back to an MCP client: nothing where it wants no answer.

    Attributes:
        answer: the JSON-RPC answer, if any.
        session: the id of the client's session; "" where the request could not be read.
        begun: how many games the request began.
    """

    answer: dict[str, Any] | None
    session: str = ""
    begun: int = 0


class Door(Generic[R, W, A, O]):
    """Reads the bodies of requests, plays on a shelf, and says what to answer; refusals raise.

    ``shelf`` is a ``Shelf`` or whatever else keeps the games of clients; ``readme`` is the
    environment's page, where the server has it.
    """

    def __init__(self, kind: Kind[R, W, A, O], readme: str | None = None) -> None:
        self.kind = kind
        self._readme = readme

    def reset(self, shelf: Any, client: str, body: bytes) -> Any:
        """Start a game; the answer's metadata names its episode."""
        # An empty body asks for a game of our choice.
        return shelf.reset(client, nulls.decoded(self.kind.resets, body or b"{}"))

    def step(self, shelf: Any, client: str, body: bytes) -> Any:
        """Make a move in a named episode."""
        wanted = nulls.decoded(self.kind.steps, body or b"{}")
        if wanted.episode is None:
            raise Invalid(NAME_IT)
        return shelf.step(client, wanted.episode, self.kind.read(wanted.action))

    def state(self, shelf: Any, client: str, episode_id: str | None) -> Any:
        """Return where an episode stands; without one, what a seat looks like before its reset."""
        return shelf.state(client, episode_id) if episode_id else self.kind.standing()

    def mcp(self, shelf: Any, client: str, body: bytes, session: str | None) -> Rpc:
        """Answer JSON-RPC of an MCP client; ``session`` is what its header names, if anything."""
        wanted = read_rpc(body)
        if not isinstance(wanted, Request):
            return Rpc(wanted)
        named = wanted.params.get("session_id"), session
        id_ = next(filter(None, map(named_session, named)), "") or fresh_id()
        game = KeptGame(self.kind, shelf, client, id_)
        return Rpc(answer_rpc(self.kind, game, wanted), id_, game.begun)

    def about(self, what: str) -> dict[str, Any]:
        """Return what OpenEnv's tools ask of an environment, one of ``ASKED``."""
        match what:
            case "schema":
                return schemas(self.kind)
            case "openapi.json":
                return openapi(self.kind)
            case "health":
                return {"status": "healthy"}
            case _:
                return {
                    "name": self.kind.name,
                    "description": self.kind.about,
                    "version": API_VERSION,
                    "author": "BazaarBATNA",
                    "documentation_url": None,
                    "readme_content": self._readme,
                }


@functools.cache
def schemas(kind: AnyKind) -> dict[str, Any]:
    """Return what ``GET schema`` answers."""
    return {
        "action": schema_of(kind.action),
        "observation": schema_of(kind.view),
        "reset_observation": schema_of(kind.view),
        "state": schema_of(kind.standing),
    }


@functools.cache
def openapi(kind: AnyKind) -> dict[str, Any]:
    """Return what ``GET openapi.json`` answers: the paths as they are seen under the prefix."""
    types = (kind.wanted, StepRequest, kind.action, kind.answer, kind.standing)
    _, parts = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    parts["StepRequest"]["properties"]["action"] = _ref(kind.action.__name__)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": kind.title,
            "version": API_VERSION,
            "description": f"{kind.about} Reset, then step until done.",
        },
        "paths": {
            "/reset": {"post": _post("Start a game", kind.wanted.__name__, kind.answer.__name__)},
            "/step": {"post": _post("Make a move", "StepRequest", kind.answer.__name__)},
            "/state": {"get": _get("Where a game stands", kind.standing.__name__, _EPISODE)},
            "/schema": {"get": _get("JSON schemas")},
            "/metadata": {"get": _get("What this environment is")},
            "/health": {"get": _get("Whether it answers")},
            "/mcp": {"post": _get("JSON-RPC for MCP clients: the actions as tools")},
        },
        "components": {"schemas": parts},
    }


_EPISODE = {
    "name": "episode_id",
    "in": "query",
    "required": False,
    "schema": {"type": "string"},
}


def _post(summary: str, body: str, answer: str) -> dict[str, Any]:
    return {
        "requestBody": {"content": {"application/json": {"schema": _ref(body)}}},
        **_get(summary, answer),
    }


def _get(summary: str, answer: str = "", *parameters: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = _ref(answer) if answer else {"type": "object"}
    told = {"description": summary, "content": {"application/json": {"schema": schema}}}
    named = {"parameters": [*parameters]} if parameters else {}
    return {"summary": summary, **named, "responses": {"200": told}}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
