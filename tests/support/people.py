"""People at the wire: cookies, HTTP calls and sockets against a served site.

Every byte that reaches a person is kept in ``heard``: what is not in there, they cannot know.
"""

import asyncio
import json
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.support.servers import Site
from tests.support.waiting import WITHIN_S

PATIENCE_S = WITHIN_S
"""Patience, not a measure: a busy machine may take long over anything."""

Frame = dict[str, Any]

LAMP = {"title": "Brass lamp", "asking_price": 2000, "reservation_price": 1200}


class Visitor:
    """Somebody with a browser's cookies who speaks to the site without a browser."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.heard = bytearray()
        self.http = httpx.Client(
            base_url=site.url,
            event_hooks={"response": [self._hear]},
            headers={"Referer": f"{site.url}/"},
            verify=site.trust or False,  # reading the world's authorities takes a while
            timeout=PATIENCE_S,
        )
        self.http.get("/")

    def close(self) -> None:
        """Leave."""
        self.http.close()

    @property
    def cookies(self) -> str:
        """The Cookie header of this visitor."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    def post(self, path: str, body: object) -> httpx.Response:
        """Post JSON with the CSRF token."""
        token = self.http.cookies.get("csrftoken", "")
        return self.http.post(path, json=body, headers={"X-CSRFToken": token})

    def presses(self, path: str, **fields: object) -> str:
        """Post a form and give the address to which it leads."""
        form = {"csrfmiddlewaretoken": self.http.cookies.get("csrftoken", ""), **fields}
        answer = self.http.post(path, data=form)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["Location"])

    def opens(self, **changes: object) -> str:
        """Open a sale and give its id."""
        answer = self.post("/api/sell/", {**LAMP, **changes})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def opens_a_zone(self, **changes: object) -> str:
        """Open sales until there is one in which a deal suits both sides."""
        while True:
            game_id = self.opens(**changes)
            if self.site.scenario(game_id).zopa > 0:
                return game_id

    def reads(self, game_id: str) -> dict[str, Any]:
        """Read an own sale over HTTP."""
        answer = self.http.get(f"/api/sell/{game_id}/")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def at(self, game_id: str, **options: Any) -> "Line":
        """A socket to a sale, to be used with ``async with``."""
        return Line(self, f"/ws/sell/{game_id}/", **options)

    async def first_bid(self) -> tuple[str, str]:
        """Open a sale; give who made Sauda's first bid, and what is kept of those who did not."""
        game_id = self.opens()
        async with self.at(game_id) as line:
            await line.send("sync")
            bid = await line.hear_event("offer", "buyer")
        sql = "select passed_over from negotiation_eventrow where game_id = %s and seq = 2"
        return bid["backend"], str(self.site.query(sql, game_id)[0][0])

    def shares(self, game_id: str) -> str:
        """Let guests look on at an own sale and give the key of the link."""
        page = self._presses(f"/sell/{game_id}/guests/")
        return page.partition("/watch/")[2][:24]

    def stops_sharing(self, game_id: str) -> None:
        """Take the link back."""
        self._presses(f"/sell/{game_id}/guests/stop/")

    def watching(self, key: str, **options: Any) -> "Line":
        """A guest's socket, to be used with ``async with``."""
        return Line(self, f"/ws/watch/{key}/", **options)

    def _presses(self, path: str) -> str:
        token = self.http.cookies.get("csrftoken", "")
        answer = self.http.post(path, headers={"X-CSRFToken": token}, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return answer.text

    def _hear(self, response: httpx.Response) -> None:
        response.read()
        for name, value in response.headers.raw:
            self.heard += name + b": " + value + b"\n"
        self.heard += response.content


class Line:
    """An open socket: sends frames, and waits for those it is asked to wait for."""

    def __init__(
        self,
        visitor: Visitor,
        path: str,
        *,
        origin: str | None = None,
        subprotocols: list[str] | None = None,
        open_within_s: float = PATIENCE_S,
    ) -> None:
        self.visitor = visitor
        self.open_within_s = open_within_s
        self.url = f"{visitor.site.ws_url}{path}"
        self.origin = origin
        self.subprotocols = subprotocols
        self.frames: list[Frame] = []
        self.socket: ClientConnection

    async def __aenter__(self) -> Self:
        self.socket = await connect(
            self.url,
            additional_headers={"Cookie": self.visitor.cookies},
            origin=self.origin,  # type: ignore[arg-type]
            subprotocols=self.subprotocols,  # type: ignore[arg-type]
            proxy=None,
            open_timeout=self.open_within_s,
            ssl=self.visitor.site.trust,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.socket.close()

    @property
    def events(self) -> list[Frame]:
        """Events heard on this line, in the order they came."""
        return [frame for frame in self.frames if frame["type"] == "event"]

    async def send(self, type_: str, **fields: object) -> None:
        """Send one frame."""
        await self.socket.send(json.dumps({"type": type_, **fields}))

    async def send_raw(self, text: str | bytes) -> None:
        """Send whatever this is."""
        await self.socket.send(text)

    async def hear(self, wanted: Callable[[Frame], bool] = lambda frame: True) -> Frame:
        """Wait for the next frame that is wanted; the others are kept too."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                text = await self.socket.recv()
                self.visitor.heard += text.encode() if isinstance(text, str) else text
                frame: Frame = json.loads(text)
                self.frames.append(frame)
                if wanted(frame):
                    return frame

    async def hear_type(self, type_: str) -> Frame:
        """Wait for the next frame of a type."""
        return await self.hear(lambda frame: frame["type"] == type_)

    async def hear_event(self, kind: str, actor: str | None = None) -> Frame:
        """Wait for the next event of a kind and give it without its envelope."""
        frame = await self.hear(
            lambda frame: (
                frame["type"] == "event"
                and frame["event"]["kind"] == kind
                and actor in (None, frame["event"].get("actor"))
            )
        )
        return dict(frame["event"])

    async def hear_error(self, code: str) -> Frame:
        """Wait for the next error, which must have this code."""
        frame = await self.hear_type("error")
        assert frame["code"] == code, frame
        return frame

    async def sync(self, after: int = 0) -> None:
        """Catch up, to the end of the log."""
        await self.send("sync", after=after)
        await self.hear()
        await self.send("ping")
        await self.hear_type("pong")

    async def hear_end(self) -> int:
        """Wait until the server hangs up and give the close code."""
        async with asyncio.timeout(PATIENCE_S):
            await self.socket.wait_closed()
        assert self.socket.close_code is not None
        return self.socket.close_code

    async def hear_bid(self) -> Frame:
        """Wait for Sauda's next move, or the end."""
        frame = await self.hear(
            lambda frame: (
                frame["type"] == "event"
                and (
                    frame["event"]["kind"] == "ended"
                    or (frame["event"]["kind"] == "offer" and frame["event"]["actor"] == "buyer")
                )
            )
        )
        return dict(frame["event"])
