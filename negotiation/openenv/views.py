"""OpenEnv over HTTP: the endpoints of one kind of environment, and their schemas."""

import functools
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Generic

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from bazaarbatna import nulls
from negotiation.limits import is_own_program, request_key
from negotiation.openenv.errors import (
    Foreign,
    Invalid,
    InvalidJson,
    ProtocolError,
    TooLong,
    to_protocol,
)
from negotiation.openenv.frames import LONGEST, StepRequest
from negotiation.openenv.kinds import API_VERSION, A, AnyKind, Kind, O, R, W, fresh_id, schema_of
from negotiation.openenv.mcp import SESSION, KeptGame, Request, answer_rpc, named_session, read_rpc
from negotiation.openenv.origins import is_welcome
from negotiation.openenv.pace import FREE, Pace, pace
from negotiation.openenv.serving import shelf_of

JSON = "application/json"


_encoder = msgspec.json.Encoder()


def endpoint(
    *methods: str,
) -> Callable[[Callable[..., object]], Callable[..., HttpResponse]]:
    """Make a view of a function that returns what to answer, or raises what was wrong.

    An API: programs send no cookie and no CSRF token, and no visitor's right depends on one. A
    browser names the page that sends a post, and a page elsewhere may not play.
    """

    def decorate(view: Callable[..., object]) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @require_http_methods([*methods, "HEAD"] if "GET" in methods else [*methods])
        @wraps(view)
        def answer(request: HttpRequest, **named: str) -> HttpResponse:
            try:
                pace_of(request).spend(
                    request_key(request), is_game=request.path.endswith("/reset")
                )
                if request.method == "POST" and _is_foreign(request):
                    raise Foreign
                answered = view(request, **named)
                return answered if isinstance(answered, HttpResponse) else in_json(answered)
            # The outermost loop of a request: to_protocol logs what is our fault.
            except Exception as wrong:  # noqa: BLE001  as said above
                return refused(to_protocol(wrong))

        return answer

    return decorate


def pace_of(request: HttpRequest) -> Pace:
    """Return how fast whoever asks may go."""
    return FREE if is_own_program(request) else pace()


def in_json(value: object, status: int = 200) -> HttpResponse:
    """Answer with a value."""
    response = HttpResponse(_encoder.encode(value), status=status, content_type=JSON)
    response["Cache-Control"] = "no-store"
    return response


def refused(wrong: ProtocolError) -> HttpResponse:
    """Answer with what was wrong, in the site's shape and the protocol's code."""
    detail: dict[str, Any] = {"code": wrong.code, "detail": wrong.message}
    if wrong.retry_after_s is not None:
        detail["retry_after"] = wrong.retry_after_s
    response = in_json({"error": detail}, wrong.status)
    if wrong.retry_after_s is not None:
        response["Retry-After"] = str(wrong.retry_after_s)
    return response


def _is_foreign(request: HttpRequest) -> bool:
    said, host = request.headers.get("Origin"), request.get_host()
    return not is_welcome(said, host, is_secure=request.is_secure())


def body_of(request: HttpRequest) -> bytes:
    """Return the body; raises ``TooLong``."""
    said = request.headers.get("Content-Length") or "0"
    if not (said.isascii() and said.isdigit() and len(said) < 20):
        raise InvalidJson("Content-Length is a number of bytes.")
    if int(said) > LONGEST or len(request.body) > LONGEST:
        raise TooLong
    return request.body


NAME_IT = (
    "Say which episode: reset gave metadata.episode_id; send it beside the action, as "
    '{"episode_id": ..., "action": {...}}.'
)


class Endpoints(Generic[R, W, A, O]):
    """What a kind answers below its address."""

    def __init__(self, kind: Kind[R, W, A, O]) -> None:
        self._kind = kind

    def under(self, prefix: str) -> list[URLPattern]:
        """Return the addresses below a prefix, such as ``env/bazaar``."""
        about = endpoint("GET")(self.metadata)
        return [
            path(f"{prefix}/reset", endpoint("POST")(self.reset)),
            path(f"{prefix}/step", endpoint("POST")(self.step)),
            path(f"{prefix}/state", endpoint("GET")(self.state)),
            path(prefix, about),
            path(f"{prefix}/", about),
            *self.asked_of_a_container(f"{prefix}/"),
        ]

    def asked_of_a_container(self, start: str = "") -> list[URLPattern]:
        """Return what OpenEnv's tools ask beside reset, step and state."""
        return [
            path(f"{start}schema", endpoint("GET")(self.schema)),
            path(f"{start}metadata", endpoint("GET")(self.metadata)),
            path(f"{start}health", endpoint("GET")(self.health)),
            path(f"{start}openapi.json", endpoint("GET")(self.api)),
            path(f"{start}mcp", endpoint("POST")(self.mcp)),
        ]

    def reset(self, request: HttpRequest) -> O:
        """Start a game; the answer's metadata names its episode."""
        # An empty body asks for a game of our choice.
        wanted = nulls.decoded(self._kind.resets, body_of(request) or b"{}")
        return shelf_of(self._kind).reset(request_key(request), wanted)

    def step(self, request: HttpRequest) -> O:
        """Make a move in a named episode."""
        wanted = nulls.decoded(self._kind.steps, body_of(request) or b"{}")
        if wanted.episode is None:
            raise Invalid(NAME_IT)
        action = self._kind.read(wanted.action)
        return shelf_of(self._kind).step(request_key(request), wanted.episode, action)

    def state(self, request: HttpRequest) -> object:
        """Return where an episode stands; without one, what a seat looks like before its reset."""
        id_ = request.GET.get("episode_id")
        return (
            shelf_of(self._kind).state(request_key(request), id_) if id_ else self._kind.standing()
        )

    def schema(self, request: HttpRequest) -> dict[str, Any]:
        """Return the JSON schemas of action, observation and state."""
        return schemas(self._kind)

    def metadata(self, request: HttpRequest) -> dict[str, Any]:
        """Return what this environment is."""
        return {
            "name": self._kind.name,
            "description": self._kind.about,
            "version": API_VERSION,
            "author": "BazaarBATNA",
            "documentation_url": None,
            "readme_content": _page(self._kind.page),
        }

    def health(self, request: HttpRequest) -> dict[str, str]:
        """Return that this process answers."""
        return {"status": "healthy"}

    def api(self, request: HttpRequest) -> dict[str, Any]:
        """Return these endpoints in OpenAPI."""
        return openapi(self._kind)

    def mcp(self, request: HttpRequest) -> HttpResponse:
        """Answer JSON-RPC of an MCP client; its session is named in a header or a parameter."""
        client, wanted = request_key(request), read_rpc(body_of(request))
        if not isinstance(wanted, Request):
            return in_json(wanted)
        named = wanted.params.get("session_id"), request.headers.get(SESSION)
        id_ = next(filter(None, map(named_session, named)), "") or fresh_id()
        game = KeptGame(self._kind, shelf_of(self._kind), client, id_)
        answer = answer_rpc(self._kind, game, wanted)
        pace_of(request).took(client, games=game.begun)
        response = HttpResponse(status=202) if answer is None else in_json(answer)
        response[SESSION] = id_
        return response


@functools.cache
def _page(name: str) -> str | None:
    file = Path(settings.BASE_DIR) / "docs" / name
    return file.read_text() if file.exists() else None


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
