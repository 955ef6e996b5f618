"""JSON schemas of what goes in and out, made from the types themselves."""

import functools
from typing import Any

import msgspec

from negotiation.openenv.frames import StepRequest
from negotiation.openenv.kinds import AnyKind


def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Write the JSON schema of a type, its fields at the top."""
    schema = msgspec.json.schema(kind)
    definitions = schema.get("$defs", {})
    top = definitions.pop(kind.__name__)
    return {**top, "$defs": definitions} if definitions else top


@functools.cache
def schemas(kind: AnyKind) -> dict[str, Any]:
    """Give what ``GET schema`` answers."""
    return {
        "action": schema_of(kind.action),
        "observation": schema_of(kind.view),
        "reset_observation": schema_of(kind.view),
        "state": schema_of(kind.standing),
    }


@functools.cache
def openapi(kind: AnyKind) -> dict[str, Any]:
    """Give what ``GET openapi.json`` answers: the paths as they are seen under the prefix."""
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
            "/mcp": {"post": _get("JSON-RPC for MCP clients; there are no tools")},
        },
        "components": {"schemas": parts},
    }


API_VERSION = "1.0.0"

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
