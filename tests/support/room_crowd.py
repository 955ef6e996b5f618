"""A crowd in a room: people who come in, wait, play, reload, open two tabs, and vanish.

Each is a browser without a screen: pages over HTTP, games over the socket with the frames that
pages get. What they were sent is kept, so that it can be searched for what they must not know.
"""

import asyncio
import html
import json
import random
import re
import time
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.support.servers import Site

LOOK_S = 2.0
"""Between two looks at the lobby, as its page does."""

OPENING_AT_ONCE = 12


class Habits(msgspec.Struct, frozen=True):
    """Shares of moves after which somebody does that, 0..1; ``think_s`` before each move.

    ``vanish`` is the share of people who leave for good in the middle of a game.
    """

    think_s: float = 2.0
    reload: float = 0.1
    two_tabs: float = 0.1
    vanish: float = 0.2


class Person(msgspec.Struct):
    """One of the crowd, and what happened to it; ``ended``: games whose end came by socket."""

    name: str
    http: httpx.AsyncClient
    luck: random.Random
    vanishes: bool
    games: list[str] = []
    heard: dict[str, bytes] = {}
    numbers: dict[str, list[int]] = {}
    ended: set[str] = set()
    waits_s: list[float] = []
    reached_s: list[float] = []
    troubles: list[str] = []
    is_done: bool = False
    is_gone: bool = False

    @property
    def cookies(self) -> str:
        """The Cookie header of this browser."""
        return "; ".join(f"{one.name}={one.value}" for one in self.http.cookies.jar)


class Crowd:
    """``await Crowd(site, code, 200, Habits()).play()``."""

    def __init__(self, site: Site, code: str, count: int, habits: Habits, *, seed: int = 1) -> None:
        self.site, self.code, self.habits = site, code, habits
        luck = random.Random(seed)
        self.people = [
            Person(
                name=f"Guest {number}",
                http=httpx.AsyncClient(base_url=site.url, timeout=60),
                luck=random.Random(luck.random()),
                vanishes=luck.random() < habits.vanish,
            )
            for number in range(1, count + 1)
        ]
        self._sent: dict[tuple[str, float], float] = {}
        self._gate = asyncio.Semaphore(OPENING_AT_ONCE)

    async def come_in(self) -> None:
        """Let everybody join the room."""
        await asyncio.gather(*(self._join(one) for one in self.people))

    async def play(self, limit_s: float) -> None:
        """Let everybody play until nothing is left to play, or the time is over."""
        async with asyncio.timeout(limit_s):
            await asyncio.gather(*(self._live(one) for one in self.people))

    async def close(self) -> None:
        """Send everybody home."""
        for one in self.people:
            await one.http.aclose()

    async def _join(self, one: Person) -> None:
        async with self._gate:
            page = await self._get(one, f"/rooms/{self.code}/")
            form = {"csrfmiddlewaretoken": token_of(page), "nickname": one.name}
            answer = await one.http.post(f"/rooms/{self.code}/", data=form)
            if answer.status_code != 302:
                one.troubles.append(f"join: {answer.status_code}")

    async def _live(self, one: Person) -> None:
        began = time.monotonic()
        while not (one.is_done or one.is_gone):
            place = await self._lobby(one)
            if place is None:
                await asyncio.sleep(LOOK_S)
                continue
            one.waits_s.append(time.monotonic() - began)
            await self._game(one, place)
            began = time.monotonic()

    async def _lobby(self, one: Person) -> str | None:
        """Look into the lobby: where to play, if anywhere."""
        answer = await self._send(one, f"/rooms/{self.code}/", {})
        if answer is None or await self._elsewhere(one, answer):
            return None
        page = answer.text
        found = re.search(r'button-big" href="(/(?:sell|buy)/\w+/)"', page)
        if found:
            return found[1]
        if "standing-done" in page or "standing-over" in page:
            one.is_done = True
            return None
        answer = await self._send(one, f"/rooms/{self.code}/lobby/", {"HX-Request": "true"})
        place = answer.headers.get("HX-Redirect", "") if answer is not None else ""
        return place if place.startswith(("/sell/", "/buy/")) else None

    async def _elsewhere(self, one: Person, answer: httpx.Response) -> bool:
        """Whether a room leads elsewhere than into its lobby, as a study does."""
        return False

    async def _game(self, one: Person, place: str) -> None:
        kind, game = place.strip("/").split("/")
        if game not in one.games:
            one.games.append(game)
        moves = one.luck.randrange(2, 6)
        while not one.is_gone:
            page = await self._get(one, place)
            if 'data-turn="over"' not in page:
                one.heard[game] = one.heard.get(game, b"") + page.encode()
            if "data-socket" not in page or 'data-turn="over"' in page:
                return
            if one.vanishes and len(one.games) == 1 and one.luck.random() < 0.5:
                one.is_gone = True
                return
            try:
                went_on = await self._sit(one, kind, game, moves)
            except (OSError, WebSocketException, TimeoutError):
                went_on = True
                await asyncio.sleep(1)
            if not went_on:
                return
            moves = max(moves - 1, 1)

    async def _sit(self, one: Person, kind: str, game: str, moves: int) -> bool:
        """Play over one socket; whether the page is to be loaded again."""
        side = "seller" if kind == "sell" else "buyer"
        own: Any = {"Cookie": one.cookies}
        frames: Any = ["bazaar.html.v1"]
        url = f"{self.site.ws_url}/ws/{kind}/{game}/"
        line = connect(
            url,
            additional_headers=own,
            subprotocols=frames,
            proxy=None,
            max_size=None,
            open_timeout=60,
        )
        table: dict[str, Any] = {"ask": 0.0, "bid": 0.0, "turn": "buyer"}
        async with line as socket:
            await socket.send('{"type":"sync","after":0}')
            while True:
                await self._hear(one, game, socket, table, side)
                if table["turn"] == "over":
                    one.ended.add(game)
                    return False
                if table["turn"] == "gone":
                    return False
                if one.luck.random() < self.habits.reload:
                    return True
                if one.luck.random() < self.habits.two_tabs:
                    await self._second_tab(url, own, frames)
                await asyncio.sleep(one.luck.uniform(0.5, 1.5) * self.habits.think_s)
                frame = self._move(one, table, side, moves)
                moves -= 1
                if "price" in frame:
                    self._sent[game, frame["price"]] = time.perf_counter()
                await socket.send(json.dumps(frame))
                table["turn"] = "sent"

    async def _hear(
        self, one: Person, game: str, socket: Any, table: dict[str, Any], side: str
    ) -> None:
        """Read until it is one's own turn or the game is over."""
        while table["turn"] not in (side, "over", "gone") or table.get("stale", True):
            text = await asyncio.wait_for(socket.recv(), 180)
            now = time.perf_counter()
            one.heard[game] = one.heard.get(game, b"") + text.encode()
            frame = json.loads(text)
            match frame["type"]:
                case "event":
                    known = one.numbers.setdefault(game, [])
                    is_new = frame["seq"] not in known
                    known.append(frame["seq"])
                    self._see(one, game, frame["event"], table, side, now, is_new=is_new)
                case "error" if frame["code"] in ("unknown-game", "game-over"):
                    table["turn"] = "gone"
                case "error":
                    one.troubles.append(f"{frame['code']}: {frame['detail']}")
                    table["turn"] = side if frame["code"] != "not-your-turn" else table["turn"]
            if frame["type"] in ("panels", "synced", "error"):
                table["stale"] = False  # a batch has been read to its end

    def _see(
        self,
        one: Person,
        game: str,
        event: dict[str, Any],
        table: dict[str, Any],
        side: str,
        now: float,
        *,
        is_new: bool,
    ) -> None:
        match event["kind"], event.get("actor"):
            case "opened", _:
                table["ask"], table["turn"] = event["price"], "buyer"
            case "offer", actor:
                table["ask" if actor == "seller" else "bid"] = event["price"]
                table["turn"] = "buyer" if actor == "seller" else "seller"
                sent = self._sent.get((game, event["price"]))
                if actor != side and is_new and sent is not None:
                    one.reached_s.append(now - sent)
            case "ended", _:
                table["turn"] = "over"

    def _move(self, one: Person, table: dict[str, Any], side: str, moves: int) -> dict[str, Any]:
        if moves <= 0:
            return {"type": "walk"}
        gap = table["ask"] - (table["bid"] or table["ask"] * 0.5)
        step = gap * one.luck.uniform(0.05, 0.2)
        price = (
            table["ask"] - step if side == "seller" else (table["bid"] or table["ask"] * 0.5) + step
        )
        return {"type": "offer", "price": round(price, 2), "text": "dekho, itna hi"}

    async def _second_tab(self, url: str, own: Any, frames: Any) -> None:
        async with connect(
            url,
            additional_headers=own,
            subprotocols=frames,
            proxy=None,
            max_size=None,
            open_timeout=60,
        ) as tab:
            await tab.send('{"type":"sync","after":0}')
            await asyncio.wait_for(tab.recv(), 60)

    async def _get(self, one: Person, path: str) -> str:
        answer = await self._send(one, path, {})
        return "" if answer is None else answer.text

    async def _send(self, one: Person, path: str, headers: dict[str, str]) -> httpx.Response | None:
        """Ask for a page; a site that is down is asked again a little later."""
        for _ in range(60):
            try:
                answer = await one.http.get(path, headers=headers, follow_redirects=not headers)
            except httpx.TransportError:
                await asyncio.sleep(1)
                continue
            if answer.status_code >= 500:
                one.troubles.append(f"{answer.status_code} {path}")
            return answer
        one.troubles.append(f"nobody answers {path}")
        return None


def token_of(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    return found[1] if found else ""


class Host:
    """Whoever has the room: an account, one room, and its desk."""

    def __init__(self, site: Site) -> None:
        told = site.manage("add_host", "Teacher")
        found = re.search(r"Password: (\S+)", told)
        assert found, told
        self.http = httpx.Client(base_url=site.url, timeout=120)
        self._post("/account/login/", username="Teacher", password=found[1])

    def opens(self, **plan: object) -> str:
        """Open a room and return its code."""
        page = self.http.get("/rooms/new/").text
        form = dict(fields_of(page))
        form.update({name: str(value) for name, value in plan.items() if value is not False})
        for name in (name for name, value in plan.items() if value is False):
            form.pop(name, None)
        place = self._post("/rooms/new/", **form)
        found = re.search(r"/rooms/([A-Z]{6})/desk/", place)
        assert found, place
        return found[1]

    def does(self, code: str, verb: str) -> None:
        """Press a button of the desk."""
        self._post(f"/rooms/{code}/desk/{verb}/")

    def studies(self, code: str, design: str) -> str:
        """Make a room a study by a file, end its pilot, and return the link for participants."""
        page = f"/rooms/{code}/study/"
        self._post(page, do="upload", text=design)
        self._post(page, do="live")
        found = re.search(r'id="link" readonly value="([^"]+)"', self.http.get(page).text)
        assert found
        link = html.unescape(found[1]).partition("{{")[0]
        return link.removeprefix(str(self.http.base_url).rstrip("/"))

    def reads(self, path: str) -> str:
        """Return what stands at an address."""
        answer = self.http.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    def close(self) -> None:
        """Go home."""
        self.http.close()

    def _post(self, path: str, **form: object) -> str:
        token = token_of(self.http.get("/rooms/").text) or self.http.cookies.get("csrftoken", "")
        answer = self.http.post(path, data={"csrfmiddlewaretoken": token, **form})
        assert answer.status_code == 302, (answer.status_code, answer.text[:3000])
        return str(answer.headers["Location"])


def fields_of(page: str) -> list[tuple[str, str]]:
    """Read what a form would send as it stands: inputs, ticked boxes, chosen options."""
    found = []
    for tag in re.findall(r"<input[^>]*>", page):
        given = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if given.get("type") in ("checkbox", "radio") and "checked" not in tag:
            continue
        if "name" in given and given["name"] != "csrfmiddlewaretoken":
            found.append((given["name"], given.get("value", "on")))
    for name, inside in re.findall(r'<select[^>]*name="(\w+)"[^>]*>(.*?)</select>', page, re.S):
        chosen = re.search(r'value="([^"]*)"[^>]*selected', inside) or re.search(
            r'value="([^"]*)"', inside
        )
        found.append((name, chosen[1] if chosen else ""))
    return found
