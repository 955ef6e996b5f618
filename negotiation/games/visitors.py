"""Who asks: the session behind a request or a socket."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_from_request

_visitors = import_module(settings.SESSION_ENGINE).SessionStore()


def visitor_of(session_key: str) -> str:
    """Return a session's visitor; "" when it is gone, as after a logout on another tab."""
    return session_key if session_key and _visitors.exists(session_key) else ""


def visitor(request: HttpRequest) -> str:
    """Return the visitor of a request: the session's key."""
    return request.session.session_key or ""


def language_of(scope: Mapping[str, Any]) -> str:
    """Return in which language a socket's visitor reads, as pages find it out."""
    request = HttpRequest()
    request.COOKIES = dict(scope.get("cookies", {}))
    accepted = [value for name, value in scope["headers"] if name == b"accept-language"]
    request.META["HTTP_ACCEPT_LANGUAGE"] = b",".join(accepted).decode("latin-1")
    return get_language_from_request(request)
