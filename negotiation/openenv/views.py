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

from bazaarbatna.envs.openenv.door import ASKED, Door
from bazaarbatna.envs.openenv.errors import (
    Foreign,
    InvalidJson,
    ProtocolError,
    TooLong,
    to_protocol,
)
from bazaarbatna.envs.openenv.frames import LONGEST
from bazaarbatna.envs.openenv.kinds import A, Kind, O, R, W
from bazaarbatna.envs.openenv.mcp import SESSION
from negotiation.limits import is_own_program, request_key
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


class Endpoints(Generic[R, W, A, O]):
    """What a kind answers below its address."""

    def __init__(self, kind: Kind[R, W, A, O]) -> None:
        self._kind = kind
        self._door = Door(kind, _page(kind.page))

    def under(self, prefix: str) -> list[URLPattern]:
        """Return the addresses below a prefix, such as ``env/bazaar``."""
        about = self.about("metadata")
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
            *(path(f"{start}{what}", self.about(what)) for what in ASKED),
            path(f"{start}mcp", endpoint("POST")(self.mcp)),
        ]

    def reset(self, request: HttpRequest) -> Any:
        """Start a game; the answer's metadata names its episode."""
        return self._door.reset(shelf_of(self._kind), request_key(request), body_of(request))

    def step(self, request: HttpRequest) -> Any:
        """Make a move in a named episode."""
        return self._door.step(shelf_of(self._kind), request_key(request), body_of(request))

    def state(self, request: HttpRequest) -> object:
        """Return where an episode stands; without one, what a seat looks like before its reset."""
        id_ = request.GET.get("episode_id")
        return self._door.state(shelf_of(self._kind), request_key(request), id_)

    def mcp(self, request: HttpRequest) -> HttpResponse:
        """Answer JSON-RPC of an MCP client; its session is named in a header or a parameter."""
        client, session = request_key(request), request.headers.get(SESSION)
        told = self._door.mcp(shelf_of(self._kind), client, body_of(request), session)
        pace_of(request).took(client, games=told.begun)
        response = HttpResponse(status=202) if told.answer is None else in_json(told.answer)
        if told.session:
            response[SESSION] = told.session
        return response

    def about(self, what: str) -> Callable[..., HttpResponse]:
        """Make the view of what OpenEnv's tools ask, one of ``ASKED``."""

        def told(request: HttpRequest) -> dict[str, Any]:
            return self._door.about(what)

        return endpoint("GET")(told)


@functools.cache
def _page(name: str) -> str | None:
    file = Path(settings.BASE_DIR) / "docs" / name
    return file.read_text() if file.exists() else None
