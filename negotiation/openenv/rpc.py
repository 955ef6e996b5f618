"""JSON-RPC for MCP clients: the bazaar has no tools, and says so in their words."""

from typing import Any

import msgspec

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601


class _Request(msgspec.Struct, frozen=True):
    method: str
    jsonrpc: str
    params: dict[str, Any] = {}
    id: str | int | None = None


def answer_rpc(body: bytes) -> dict[str, Any]:
    """Answer one JSON-RPC 2.0 request; an error is an answer.

    >>> answer_rpc(b'{"jsonrpc": "2.0", "method": "tools/list", "id": 1}')["result"]
    {'tools': []}
    """
    try:
        request = msgspec.json.decode(body, type=_Request)
    except msgspec.ValidationError as wrong:
        return _error(INVALID_REQUEST, f"Invalid request: {wrong}")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _error(PARSE_ERROR, "Parse error")
    if request.jsonrpc != "2.0":
        return _error(INVALID_REQUEST, "Invalid request: jsonrpc is '2.0'", request.id)
    if request.method == "tools/list":
        return {"jsonrpc": "2.0", "id": request.id, "result": {"tools": []}}
    told = f"Method not found: {request.method[:60]}. Play with reset and step; there are no tools."
    return _error(METHOD_NOT_FOUND, told, request.id)


def _error(code: int, message: str, id_: str | int | None = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}
