"""Bodies of HTTP requests, and answers to them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from negotiation.openenv.errors import InvalidJson, ProtocolError, TooLong, to_protocol
from negotiation.openenv.frames import LONGEST

JSON = "application/json"


_encoder = msgspec.json.Encoder()


def endpoint(
    *methods: str,
) -> Callable[[Callable[[HttpRequest], object]], Callable[[HttpRequest], HttpResponse]]:
    """Make a view of a function that returns what to answer, or raises what was wrong.

    An API: programs send no cookie and no CSRF token, and no visitor's right depends on one.
    """

    def decorate(view: Callable[[HttpRequest], object]) -> Callable[[HttpRequest], HttpResponse]:
        @csrf_exempt
        @require_http_methods([*methods, "HEAD"] if "GET" in methods else [*methods])
        @wraps(view)
        def answer(request: HttpRequest) -> HttpResponse:
            try:
                return in_json(view(request))
            # The outermost loop of a request: to_protocol logs what is our fault.
            except Exception as wrong:  # noqa: BLE001  as said above
                return refused(to_protocol(wrong))

        return answer

    return decorate


def in_json(value: object, status: int = 200) -> HttpResponse:
    """Answer with a value."""
    response = HttpResponse(_encoder.encode(value), status=status, content_type=JSON)
    # The first API resets by GET: no proxy may answer in our place.
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


def body_of(request: HttpRequest) -> bytes:
    """Return the body.

    Raises:
        TooLong: it is larger than a message may be.
    """
    said = request.headers.get("Content-Length") or "0"
    if not said.isdigit():
        raise InvalidJson("Content-Length is a number of bytes.")
    if int(said) > LONGEST or len(request.body) > LONGEST:
        raise TooLong
    return request.body
