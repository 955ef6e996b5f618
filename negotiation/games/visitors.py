"""Who asks: the session behind a request or a socket."""

from importlib import import_module

from django.conf import settings
from django.http import HttpRequest

_visitors = import_module(settings.SESSION_ENGINE).SessionStore()


def visitor_of(session_key: str) -> str:
    """Return a session's visitor; "" when it is gone, as after a logout on another tab."""
    return session_key if session_key and _visitors.exists(session_key) else ""


def visitor(request: HttpRequest) -> str:
    """Return the visitor of a request: the session's key."""
    return request.session.session_key or ""
