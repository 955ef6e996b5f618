"""Every visitor has a session key, so that an anonymous game has an owner."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token

from bazaar_site.errors import too_many, wait_for_place
from negotiation.errors import PlaceKept, RateLimited
from negotiation.openenv.addresses import is_environment

MACHINES = (
    *("/healthz", "/metrics", "/manifest.webmanifest", "/service-worker.js", "/favicon.ico"),
    "/status/",
    *("/rooms/lti/login/", "/rooms/lti/launch/", "/rooms/lti/keys.json"),
)
"""Addresses that are asked without cookies or without a database: who asks owns nothing.

A form of another site comes without the browser's own cookies, which must not be replaced.
"""


class VisitorMiddleware:
    """Give each page visitor a session key and a CSRF cookie before the first unsafe request.

    Nothing is stored for that: a row is made when something must be remembered
    (``negotiation.games.visitors.visitor``).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Name the visitor, and let the browser keep the name."""
        if request.path in MACHINES or is_environment(request.path):
            return self.get_response(request)
        session: Any = request.session
        if session.session_key is None:
            session.begin()
        get_token(request)
        response = self.get_response(request)
        if "public" in response.get("Cache-Control", ""):
            # What others keep for everybody must not give one name to all of them.
            request.META["CSRF_COOKIE_NEEDS_UPDATE"] = False
            return response
        # What says nothing is one person's: no cache gives it to the next; a browser asks again.
        response.setdefault("Cache-Control", "private, no-cache")
        if session.session_key is None and not session.modified:
            session.begin()  # the cookie has outlived its session
        _name(request, response)
        return response

    def process_exception(self, request: HttpRequest, wrong: Exception) -> HttpResponse | None:
        """Answer a page that may not make another visitor, now or at all."""
        if isinstance(wrong, PlaceKept):
            return wait_for_place(request, wrong.due)
        return too_many(request, wrong) if isinstance(wrong, RateLimited) else None


def _name(request: HttpRequest, response: Any) -> None:
    key = request.session.session_key
    if key and key != request.COOKIES.get(settings.SESSION_COOKIE_NAME):
        response.set_cookie(
            settings.SESSION_COOKIE_NAME,
            key,
            max_age=settings.SESSION_COOKIE_AGE,
            domain=settings.SESSION_COOKIE_DOMAIN,
            path=settings.SESSION_COOKIE_PATH,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=settings.SESSION_COOKIE_HTTPONLY,
            samesite=settings.SESSION_COOKIE_SAMESITE,
        )
