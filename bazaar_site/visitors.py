"""Every visitor has a session, so that an anonymous game has an owner."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token

from negotiation.openenv.bazaar import is_environment

SAFE = ("GET", "HEAD", "OPTIONS")

MACHINES = (
    *("/healthz", "/metrics", "/manifest.webmanifest", "/service-worker.js"),
    "/status/",
)
"""Addresses that are asked without cookies or without a database: who asks owns nothing."""


class VisitorMiddleware:
    """Start for each page visitor a session and a CSRF cookie before the first unsafe request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Make the session if there is none yet."""
        if request.path in MACHINES or is_environment(request.path):
            return self.get_response(request)
        session = request.session
        # A cookie may outlive its session; what an unsafe request makes must have a real owner.
        is_stale = request.method not in SAFE and not session.exists(session.session_key or "")
        if session.session_key is None or is_stale:
            session.create()
        get_token(request)
        return self.get_response(request)
