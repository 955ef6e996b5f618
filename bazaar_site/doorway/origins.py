"""Whose pages may open a socket: those of this very site (``negotiation.openenv.origins``)."""

from collections.abc import Mapping
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings

from negotiation.openenv import origins


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
    said, host = _header(scope, b"origin"), _header(scope, b"host")
    return origins.is_welcome(said, host or "", is_secure=_is_secure(scope))


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
