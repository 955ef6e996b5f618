"""Which consumer answers which socket, and who may open one."""

import asyncio
import functools
import json
import re
from collections.abc import Mapping
from typing import Any, cast

from channels.layers import get_channel_layer
from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from channels.sessions import SessionMiddlewareStack
from django.conf import settings
from django.urls import re_path

from bazaar_site.flow_control import FlowControl
from bazaar_site.log_privacy import NOWHERE, plain_pattern
from bazaar_site.operating.access_log import looked_after
from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.market import MARKET
from negotiation.errors import UnknownGame
from negotiation.games.frame_socket import FrameSocket
from negotiation.games.game import lives
from negotiation.games.notify import remember_loop
from negotiation.games.page_turns import IN_SCOPE, PageTurn
from negotiation.games.turn_game import turn_games
from negotiation.games.turn_live import TURNS
from negotiation.games.turn_views import environment_of
from negotiation.games.viewer_socket import ViewerSocket
from negotiation.hanging_up import CLOSE_UNKNOWN, turn_away
from negotiation.openenv import origins
from negotiation.openenv.addresses import is_environment
from negotiation.openenv.serving import serve_socket
from training.bots.socket import bot_socket


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


class RemembersLoop:
    """Lets plain views start work on the event loop that serves them."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass the connection on."""
        remember_loop()
        await self.application(scope, receive, send)


AT_ONCE = 4
"""Pages that one process makes at the same time: each has a thread and a database connection.

All want the same interpreter: more are made no sooner, and a move at a table waits behind each.
"""

DESK = re.compile(r"/rooms/[A-Za-z]+/(?:desk|wall)/")
"""What a host looks at while a class plays; one at a time does not wait behind the class."""

AT_ANY_TIME = ("/healthz", "/metrics")


class InTurn:
    """Lets requests of a rush wait for each other, instead of for a database that is full."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._desk = asyncio.Semaphore(1)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer when it is this request's turn."""
        if scope["path"] in AT_ANY_TIME:
            await self.application(scope, receive, send)
            return
        goes_before = DESK.match(scope["path"]) and not self._desk.locked()
        async with PageTurn(self._desk if goes_before else self._turns) as turn:
            await self.application({**scope, IN_SCOPE: turn}, receive, send)


class Divided:
    """Answers for environments, for pages, or for both: as ``BAZAAR_ENVIRONMENTS`` says.

    Whoever knocks at the wrong process is told so; ``/healthz`` is answered everywhere.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a connection on, or tell where it belongs."""
        path, where = scope.get("path", ""), settings.ENVIRONMENTS
        is_theirs = is_environment(path) or path in SOCKETS_AT_ROOT
        if where == "here" or path in AT_ANY_TIME or is_theirs == (where == "only"):
            await self.application(scope, receive, send)
            return
        words = _elsewhere() if is_theirs else ENVIRONMENTS_ONLY
        if scope["type"] == "http":
            await _misdirected(send, words)
        else:
            await receive()
            await send({"type": "websocket.accept"})
            data = {"code": "SESSION_ERROR", "message": words}
            told = json.dumps({"type": "error", "data": data})
            await turn_away(receive, send, told, CLOSE_UNKNOWN)


SOCKETS_AT_ROOT = ("/ws", "/ws/")
ENVIRONMENTS_ONLY = "This process serves environments alone, below /env/."
MISDIRECTED = 421


def _elsewhere() -> str:
    where = f"on port {settings.ENV_PORT}" if settings.ENV_PORT else "on another port"
    return f"Environments have a process of their own here: it answers {where}."


async def _misdirected(send: Any, words: str) -> None:
    body = json.dumps({"error": {"code": "elsewhere", "detail": words}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": MISDIRECTED, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class NoSuchSocket(FrameSocket):
    """Tells a client that it knocked at a door that is not there."""

    async def connect(self) -> None:
        """Open, say so, close: a refused handshake would not say why."""
        await self.accept()
        await self.turn_away(UnknownGame(), CLOSE_UNKNOWN)


sockets: list[Any] = [
    *(
        re_path(pattern, cast("Any", ViewerSocket.as_asgi(live=live)), dict(says))
        for live in dict.fromkeys((*lives(), TURNS))
        for pattern, says in live.addresses.items()
    ),
    re_path(r"", cast("Any", NoSuchSocket.as_asgi())),
]
# Made before the first connection: two threads that ask for it at the same time get one each
# (channels 4.3), and a socket would listen where nobody rings.
get_channel_layer()

doors: list[Any] = [
    # Programs that train: no visitor, so no session to look up.
    re_path(r"^(?:env/bazaar/)?ws/?$", cast("Any", functools.partial(serve_socket, BAZAAR))),
    re_path(r"^env/market/ws/?$", cast("Any", functools.partial(serve_socket, MARKET))),
    re_path(r"^env/bots/ws/?$", cast("Any", bot_socket)),
    *(
        re_path(
            rf"^env/{game.kinds[0]}/ws/?$",
            cast("Any", functools.partial(serve_socket, environment_of(game))),
        )
        for game in turn_games()
    ),
    re_path(r"", cast("Any", SessionMiddlewareStack(URLRouter(sockets)))),
]


def socket_route(path: str) -> str:
    """Return the pattern of the address of a socket, or ``nowhere``."""
    patterns = (one.pattern for one in (*doors[:-1], *sockets[:-1]))
    found = (str(one) for one in patterns if one.match(path.lstrip("/")))
    return next(map(plain_pattern, found), NOWHERE)


websocket_application = FlowControl(looked_after(SameSite(URLRouter(doors)), socket_route))
