"""Whose pages may open a socket: those of this very site, its scheme and port included."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain

DEFAULT_PORTS = {"http": 80, "https": 443}

Origin = tuple[str, str, int]
"""Scheme, host and port."""


class SameSite:
    """Refuses sockets that pages of other sites open, as Django refuses their forms.

    Browsers always name the page's origin; a program without one carries no visitor's cookies. The
    scheme behind a proxy is what ``SECURE_PROXY_SSL_HEADER`` says, where the operator trusts it.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass on what may come in."""
        inside = self.application if is_welcome(scope) else WebsocketDenier()
        await inside(scope, receive, send)


def is_welcome(scope: Mapping[str, Any]) -> bool:
    """Whether whoever knocks comes from a page of this site, or from no page."""
    said = _header(scope, b"origin")
    if said is None:
        return True
    origin = read_origin(said)
    return origin is not None and (origin == own_origin(scope) or _is_trusted(origin))


def own_origin(scope: Mapping[str, Any]) -> Origin | None:
    """Return the origin of the site as its visitor sees it; None under a name that it is not."""
    host = _header(scope, b"host") or ""
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return None
    return read_origin(f"{'https' if _is_secure(scope) else 'http'}://{host}")


def read_origin(text: str) -> Origin | None:
    """Read an origin.

    >>> read_origin("https://Bazaar.example:443")
    ('https', 'bazaar.example', 443)
    >>> read_origin("null")
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, DEFAULT_PORTS[parts.scheme] if port is None else port


def _is_trusted(origin: Origin) -> bool:
    scheme, host, port = origin
    for said in settings.CSRF_TRUSTED_ORIGINS:
        trusted = read_origin(said.replace("*.", "", 1))
        if trusted is None or (trusted[0], trusted[2]) != (scheme, port):
            continue
        pattern = f".{trusted[1]}" if "*." in said else trusted[1]
        if is_same_domain(host, pattern):
            return True
    return False


def _is_secure(scope: Mapping[str, Any]) -> bool:
    if settings.SECURE_PROXY_SSL_HEADER:
        name, value = settings.SECURE_PROXY_SSL_HEADER
        header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
        said = _header(scope, header)
        if said is not None:
            return said.split(",")[0].strip() == value
    return scope.get("scheme") in ("wss", "https")


def _header(scope: Mapping[str, Any], name: bytes) -> str | None:
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None
