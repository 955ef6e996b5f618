"""Who asks: the session behind a request or a socket."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_from_request

from negotiation.games.visitor_sessions import SessionStore
from negotiation.limits import request_key, spend

SAFE = ("GET", "HEAD", "OPTIONS")

_visitors = import_module(settings.SESSION_ENGINE).SessionStore()


def visitor_of(session_key: str) -> str:
    """Return a session's visitor; "" when it is gone, as after a logout on another tab."""
    return session_key if session_key and _visitors.exists(session_key) else ""


def visitor(request: HttpRequest) -> str:
    """Return the visitor of a request: the session's key.

    Who only looks is stored nowhere. What an unsafe request makes has an owner from here on.

    Raises:
        RateLimited: too many new visitors come from this address.
    """
    session: Any = request.session
    if request.method not in SAFE and isinstance(session, SessionStore):
        session.keep(lambda: spend("visitors", request_key(request)))
    return session.session_key or ""


def language_of(scope: Mapping[str, Any]) -> str:
    """Return in which language a socket's visitor reads, as pages find it out."""
    request = HttpRequest()
    request.COOKIES = dict(scope.get("cookies", {}))
    accepted = [value for name, value in scope["headers"] if name == b"accept-language"]
    request.META["HTTP_ACCEPT_LANGUAGE"] = b",".join(accepted).decode("latin-1")
    return get_language_from_request(request)
