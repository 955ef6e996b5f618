"""JSON schemas of what goes in and out, made from the types themselves."""

import functools
from typing import Any

import msgspec

from negotiation.environment.actions import Action
from negotiation.environment.resets import Reset
from negotiation.environment.seat import Answer, Standing
from negotiation.environment.views import View
from negotiation.openenv.requests import StepRequest


def schema_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Write the JSON schema of a type, its fields at the top."""
    schema = msgspec.json.schema(kind)
    definitions = schema.get("$defs", {})
    top = definitions.pop(kind.__name__)
    return {**top, "$defs": definitions} if definitions else top


@functools.cache
def schemas() -> dict[str, Any]:
    """Give what ``GET schema`` answers."""
    return {
        "action": schema_of(Action),
        "observation": schema_of(View),
        "reset_observation": schema_of(View),
        "state": schema_of(Standing),
    }


@functools.cache
def openapi() -> dict[str, Any]:
    """Give what ``GET openapi.json`` answers: the paths as they are seen under the prefix."""
    kinds = (Reset, StepRequest, Answer, Standing)
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "BazaarBATNA: the bazaar",
            "version": API_VERSION,
            "description": "Bargain over one item. Reset, then step until done.",
        },
        "paths": {
            "/reset": {"post": _post("Start a game", "Reset", "Answer")},
            "/step": {"post": _post("Make a move", "StepRequest", "Answer")},
            "/state": {"get": _get("Where a game stands", "Standing", _EPISODE)},
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
