"""One shape for every error the site answers with: JSON for programs, pages elsewhere."""

import json
import logging
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from bazaar_site.context import places
from bazaar_site.operating.request_ids import current_number
from bazaarbatna.word_tables import read_table
from negotiation.errors import Away, NoRoom, RateLimited, SessionError, UnknownGame
from negotiation.games.visitors import keep_place
from negotiation.games.wire_errors import OUR_FAULT, REFUSALS, refusal, status_of
from negotiation.openenv.addresses import is_environment
from negotiation.outages import is_away, is_full

log = logging.getLogger(__name__)

API = ("/api/", "/highlight")

JSON_ONLY = ("/api/",)
"""Where bodies are JSON; the older addresses of environments take it under any name."""

PLAIN: dict[int, tuple[str, str]] = {
    400: ("bad-request", "The request cannot be read."),
    403: (
        "csrf",
        "Load any page first, then send its csrftoken cookie back as X-CSRFToken header.",
    ),
    404: ("not-found", "There is nothing at this address."),
    405: ("method-not-allowed", "This address does not take that method."),
    415: ("bad-request", "This address takes JSON, sent as application/json."),
    500: (OUR_FAULT["code"], OUR_FAULT["detail"]),
}


def answers_programs(path: str) -> bool:
    """Whether programs ask at this address, and get JSON also where something is wrong."""
    return path.startswith(API) or is_environment(path)


def _refusing(status: int) -> Callable[..., HttpResponse]:
    def view(request: HttpRequest, *_: object, **__: object) -> HttpResponse:
        return _answer(request, status)

    return view


bad_request = _refusing(400)
"""Answers a request that makes no sense."""
forbidden = csrf_failure = _refusing(403)
"""Answers what this visitor may not do, and a form that came without a valid token."""
not_found = _refusing(404)
"""Answers a request for something that is not there or not for this visitor."""


def our_fault(request: HttpRequest) -> HttpResponse:
    """Answer when the site itself has failed, without the request: its session may be lost."""
    wrong = sys.exc_info()[1]
    if is_full(wrong):
        return _page(request, NoRoom())
    if is_away(wrong):
        return _page(request, Away())
    if answers_programs(request.path):
        return _json(500, *PLAIN[500])
    told = {**places(request), "number": current_number()}
    return HttpResponse(render_to_string("errors/500.html", told), status=500)


def _page(request: HttpRequest, wrong: SessionError) -> HttpResponse:
    """Say what the site has run out of; its page is drawn without a look at the session."""
    if answers_programs(request.path):
        return _refused(request, wrong)
    page = render_to_string(f"errors/{wrong.status}.html", places(request))
    return _with_time(HttpResponse(page, status=wrong.status), wrong)


def too_many(request: HttpRequest, wrong: RateLimited) -> HttpResponse:
    """Answer whoever has done too much of something for now."""
    if answers_programs(request.path):
        return _refused(request, wrong)
    response = render(request, "errors/429.html", {"detail": wrong.detail}, status=429)
    return _with_time(response, wrong)


def wait_for_place(request: HttpRequest, due: float) -> HttpResponse:
    """Draw the page on which a new visitor waits for the turn that was promised: it sends the form.

    ``due`` is in seconds since 1970.
    """
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken"
        for value in values
    ]
    seconds = max(1, math.ceil(due - time.time()))
    response = render(request, "errors/place.html", {"sent": sent, "seconds": seconds}, status=429)
    response["Retry-After"] = str(seconds)
    keep_place(request, response, due)
    return response


def answer_errors(api: NinjaAPI) -> None:
    """Return the API its answers to everything that can go wrong."""
    for kind in REFUSALS:
        api.add_exception_handler(kind, _refused)
    api.add_exception_handler(ValidationError, _unreadable)
    api.add_exception_handler(HttpError, _stopped)
    api.add_exception_handler(Http404, lambda request, _: _json(404, *PLAIN[404]))
    api.add_exception_handler(SuspiciousOperation, lambda request, _: _json(400, *PLAIN[400]))
    api.add_exception_handler(DataError, _unstorable)
    api.add_exception_handler(Exception, _broken)


class ApiErrorShape:
    """Turns error pages for programs into JSON: wrong methods, wrong hosts, lost CSRF tokens.

    What the API is sent in another form than JSON is read by nobody: the check of the CSRF token
    would read a form to its end, and leave nothing of it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on and look at what comes back."""
        if _is_no_json(request):
            return _json(415, *PLAIN[415])
        response = self.get_response(request)
        if not answers_programs(request.path) or response.status_code not in PLAIN:
            return response
        if response.headers.get("Content-Type", "").startswith("application/json"):
            return response
        shaped = _json(response.status_code, *PLAIN[response.status_code])
        if "Allow" in response.headers:
            shaped["Allow"] = response["Allow"]
        return shaped


def _is_no_json(request: HttpRequest) -> bool:
    if not request.path.startswith(JSON_ONLY) or request.content_type in ("", "application/json"):
        return False
    has_length = request.headers.get("Content-Length", "0") not in ("", "0")
    return has_length or "Transfer-Encoding" in request.headers


def _answer(request: HttpRequest, status: int) -> HttpResponse:
    if answers_programs(request.path):
        return _json(status, *PLAIN[status])
    return render(request, f"errors/{status}.html", status=status)


def _refused(request: HttpRequest, wrong: Any) -> HttpResponse:
    return _with_time(_json(status_of(wrong), **refusal(wrong)), wrong)


def _with_time(response: HttpResponse, wrong: Exception) -> HttpResponse:
    if isinstance(wrong, RateLimited | Away):
        response["Retry-After"] = str(wrong.retry_after_s)
    return response


def _unreadable(request: HttpRequest, wrong: Any) -> HttpResponse:
    fields = {_field(error["loc"]): _sentence(error) for error in wrong.errors}
    detail = " ".join(f"{name}: {text}" for name, text in fields.items())
    return _json(422, "bad-request", detail, fields=fields)


def _unstorable(request: HttpRequest, wrong: Any) -> HttpResponse:
    # PostgreSQL does not look for an id with a NUL in it, SQLite does and finds none.
    if "\0" in request.path:
        return _refused(request, UnknownGame())
    log.warning("a request holds what cannot be stored", exc_info=wrong)
    return _json(422, "bad-request", "A text or a number in it cannot be stored.")


def _stopped(request: HttpRequest, wrong: Any) -> HttpResponse:
    code, detail = PLAIN.get(wrong.status_code, ("bad-request", str(wrong)))
    return _json(wrong.status_code, code, detail)


def _broken(request: HttpRequest, wrong: Any) -> HttpResponse:
    log.error("api request failed", exc_info=wrong)
    if is_full(wrong):
        return _refused(request, NoRoom())
    if is_away(wrong):
        return _refused(request, Away())
    return _json(500, **OUR_FAULT)


SENTENCES = read_table(Path(__file__).with_name("faults.toml"), dict[str, str])


def _sentence(error: dict[str, Any]) -> str:
    return SENTENCES.get(error["type"], f"{error['msg'].rstrip('.')}.")


def _field(place: tuple[Any, ...]) -> str:
    # ("query", "page") or ("body", "wanted", "price"): "wanted" is our own parameter's name.
    return str(place[0]) if len(place) == 2 and place[0] == "body" else str(place[-1])


def _json(status: int, code: str, detail: str, **more: Any) -> HttpResponse:
    body = json.dumps({"error": {"code": code, "detail": detail, **more}}, ensure_ascii=False)
    return HttpResponse(body, status=status, content_type="application/json; charset=utf-8")
