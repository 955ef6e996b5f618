"""A hostile week: Mallory sends a real site whatever there is, and what breaks is counted.

Each input is drawn from the seed and its own number, so that a find can be sent once more; only the
ids of games are others.
"""

import asyncio
import collections
import contextlib
import json
import random
import re
import socket
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.support import hostile
from tests.support.hostile_inputs import (
    FRAMES,
    KNOWN_BODIES,
    METHODS,
    RAW_REQUESTS,
    pages,
    places_of,
)
from tests.support.html_forms import forms_at
from tests.support.people import Line, Visitor
from tests.support.servers import Site

PATIENCE_S = 60.0
"""A connection that says nothing for so long hangs."""
QUIET_S, SETTLED_WITHIN_S = 5, 120
"""So long nothing may happen in games whose turns are made, and so soon that has to be."""

NO_LIMITS = {
    f"BAZAAR_LIMIT_{name}": "1000000/second"
    for name in (
        *("FORKS", "IMPORTS", "PHOTOS", "GRADES", "NAMES", "BOTS", "BOT_PLAYS", "CODES"),
        *("LOGINS", "VISITORS", "HIGHLIGHT", "GAMES", "MATCHES", "MESSAGES", "FRAMES", "SOCKETS"),
    )
} | {
    "BAZAAR_ARENA_TURN_S": "600",
    "BAZAAR_ENV_SESSIONS_PER_CLIENT": "400",
    "BAZAAR_GAMES": "tests.support.rock_paper_scissors.RockPaperScissors",
    "SAUDA_LOCAL_MODEL": "none",
    "SAUDA_VOICE_S": "0",
}
"""Limits would keep most inputs from what they are meant for."""

SALES = ("sell", "buy")

NOT_MALLORYS = (
    "select * from auth_user order by id",
    "select * from auth_group order by id",
    "select * from auth_user_user_permissions order by id",
    "select * from rooms_room order by id",
    "select * from rooms_member order by id",
    "select * from rooms_study order by id",
    "select * from rooms_ltiplatform order by id",
    "select * from training_run order by id",
    "select * from negotiation_listing order by id",
    "select id, forced_backend, metered_closed, checkpoint from agents_switches order by id",
)
"""Rows that nobody without an account writes."""


class Finds:
    """What was sent, what came back, what broke."""

    def __init__(self) -> None:
        self.sent: collections.Counter[str] = collections.Counter()
        self.answers: collections.Counter[str] = collections.Counter()
        self.doors: collections.Counter[str] = collections.Counter()
        self.faults: list[str] = []
        self.hung: list[str] = []
        self.heard: list[str] = []
        self.secrets: tuple[bytes, ...] = ()

    @property
    def total(self) -> int:
        """Inputs of all kinds."""
        return self.sent.total()

    def listen(self, where: str, told: bytes | str) -> None:
        """Note what somebody else's secret stands in."""
        data = told.encode() if isinstance(told, str) else told
        if any(secret in data for secret in self.secrets):
            self.heard.append(where[:200])

    def said(self, number: int, what: str, status: int, is_promised: bool) -> None:
        """Note an HTTP answer; a 503 that says when to come back is a refusal."""
        self.answers[f"{status}"] += 1
        if status >= 500 and not is_promised:
            self.faults.append(f"#{number} {status} {what[:200]}")


class Victim:
    """Somebody whose games nobody else may move."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.person = Visitor(site)
        listing = self.person.http.get("/api/listings/").json()["results"][0]["id"]
        self.listing = listing
        self.places = places_of(self.person, listing, seed=5)
        self.places["watch"] = self.person.shares(self.places["sell"])
        self.env = self.person.http.post("/reset?task=single_deal&seed=5").json()["session_id"]

    def secrets(self) -> tuple[bytes, ...]:
        """What nobody else may ever hear: cookies, and what is sealed in the own games."""
        cookies = [self.person.http.cookies.get(name, "") for name in ("sessionid", "csrftoken")]
        sealed: list[str] = []
        for name in ("sell", "buy", "market", "games"):
            sql = "select scenario from negotiation_sealedrecord where game_id = %s"
            for row in self.site.query(sql, self.places[name]):
                sealed += re.findall(r'"salt":"([^"]{12,})"', bytes(row[0]).decode())
        sealed += [str(self.site.scenario(self.places[name]).sealed.seed) for name in SALES]
        return tuple(text.encode() for text in (*cookies, *sealed))

    def settled(self) -> dict[str, Any]:
        """The same, once the house has answered what was opened."""
        asyncio.run(self._look_at(f"/ws/games/{self.places['games']}/"))
        told = self.state()
        quiet_s = 0
        for _ in range(SETTLED_WITHIN_S):
            time.sleep(1)
            was, told = told, self.state()
            quiet_s = quiet_s + 1 if was == told else 0
            if quiet_s == QUIET_S:
                return told
        raise AssertionError("Her games go on by themselves.")

    async def _look_at(self, path: str) -> None:
        # The house chooses its hand when somebody looks.
        async with Line(self.person, path) as line:
            await line.hear_event("chosen")

    def state(self) -> dict[str, Any]:
        """Everything stored of the victim's games, and where the environment stands."""
        told: dict[str, Any] = {}
        for name in ("sell", "buy", "games", "market"):
            id_ = self.places[name]
            rows = self.site.query(
                "select seq, payload from negotiation_eventrow where game_id = %s order by seq", id_
            )
            told[name] = [tuple(map(str, row)) for row in rows]
            told[f"{name}-row"] = [
                str(row)
                for row in self.site.query(
                    "select owner, rival, status from negotiation_game where id = %s", id_
                )
            ]
        seats = "select owner from arena_matchseat where match_id = %s"
        told["seats"] = [str(row) for row in self.site.query(seats, self.places["arena"])]
        for rows in NOT_MALLORYS:
            told[rows] = list(map(str, self.site.query(rows)))
        told["env"] = self.person.http.get("/state", params={"session_id": self.env}).json()[
            "step_count"
        ]
        return told


class Week:
    """Sends inputs of every kind."""

    def __init__(self, site: Site, seed: int = 20) -> None:
        self.site = site
        self.seed = seed
        self.finds = Finds()
        self.victim = Victim(site)
        self.mallory = Visitor(site)
        self.listing = self.victim.listing
        self.own = places_of(self.mallory, self.listing, seed=4)
        self.own["watch"] = self.mallory.shares(self.own["sell"])
        self.token = self.mallory.post("/api/bots/", {"name": "Mallorys"}).json()["token"]
        self._pages = pages()
        self._forms = forms_at(self.mallory.http, self._places_with_forms())
        self._before = self.victim.settled()
        self.finds.secrets = self.victim.secrets()
        assert len(self.finds.secrets) >= 6
        assert min(map(len, self.finds.secrets)) > 6

    def _places_with_forms(self) -> tuple[str, ...]:
        own = self.own
        return (
            *("/sell/", "/sell/new/", "/buy/", "/buy/new/", "/arena/", "/market/", "/pair/"),
            *("/rooms/", "/rooms/power/", "/daily/", "/puzzles/", "/puzzles/next/", "/bots/"),
            *("/replays/import/", "/leaderboard/people/", "/leaderboard/", "/voices/", "/"),
            *("/account/login/", "/admin/login/", "/search/", f"/pair/?listing={self.listing}"),
            *(f"/sell/{own['sell']}/", f"/buy/{own['buy']}/", f"/arena/{own['arena']}/"),
            *(f"/market/{own['market']}/", f"/sell/?listing={self.listing}"),
        )

    def dice(self, number: int) -> random.Random:
        """Return the dice of one input."""
        return random.Random(f"{self.seed}:{number}")

    async def run(self, requests: int, raw: int, connections: int, frames: int) -> Finds:
        """Send so many requests, malformed requests, and frames on so many connections."""
        limits = httpx.Limits(max_connections=6)
        async with httpx.AsyncClient(
            base_url=self.site.url, timeout=PATIENCE_S, limits=limits
        ) as client:
            await _at_once(6, [self._request(client, n) for n in range(requests)])
        await _at_once(6, [self._raw(n) for n in range(raw)])
        await _at_once(6, [self._socket(n, frames) for n in range(connections)])
        return self.finds

    def changed(self) -> list[str]:
        """Return what of the victim's is not as it was."""
        now = self.victim.state()
        return [
            f"{name}: {was} -> {now[name]}"
            for name, was in self._before.items()
            if now[name] != was
        ]

    def tracebacks(self) -> list[str]:
        """Return what every traceback in the server's log ends with."""
        ends = re.compile(r"^[A-Za-z_.]+(?:Error|Exception|Lost|Full|Refused)\b.*$", re.M)
        found = []
        for part in self.site.log.split("Traceback (most recent call last)")[1:]:
            end = ends.search(part)
            found.append(end[0][:200] if end else part[-200:])
        return found

    def close(self) -> None:
        """Leave."""
        self.victim.person.close()
        self.mallory.close()

    # One input each.

    async def _request(self, client: httpx.AsyncClient, number: int) -> None:
        rng = self.dice(number)
        if number % 3 == 0:
            method, path, kind, body = self._filled_form(rng)
        else:
            method, path = rng.choice(METHODS), self._place(rng)
            kind, body = self._body(rng)
        if method in ("GET", "HEAD", "OPTIONS", "TRACE") and rng.random() < 0.8:
            body = b""
            path += "?" + self._query(rng)
        what = f"{method} {path[:120]} {kind} {body[:60]!r}"
        self.finds.sent["http"] += 1
        try:
            request = client.build_request(
                method, path, content=body or None, headers=self._headers(rng, kind)
            )
            answer = await client.send(request)
        except httpx.TimeoutException:
            self.finds.hung.append(f"#{number} {what}")
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, ValueError) as wrong:
            self.finds.answers[type(wrong).__name__] += 1
        else:
            is_promised = answer.status_code == 503 and "Retry-After" in answer.headers
            self.finds.said(number, what, answer.status_code, is_promised)
            self.finds.listen(f"#{number} {what}", answer.content + repr(answer.headers).encode())

    async def _raw(self, number: int) -> None:
        rng = self.dice(1_000_000 + number)
        sent = RAW_REQUESTS[number % len(RAW_REQUESTS)]
        if number >= len(RAW_REQUESTS) and rng.random() < 0.7:
            at = rng.randrange(len(sent))
            sent = sent[:at] + bytes(rng.randrange(256) for _ in range(3)) + sent[at + 1 :]
        self.finds.sent["raw http"] += 1
        answer = await asyncio.to_thread(self._exchange, sent)
        if answer is None:
            self.finds.hung.append(f"#{number} raw {sent[:100]!r}")
            return
        self.finds.listen(f"#{number} raw {sent[:100]!r}", answer)
        if match := re.match(rb"HTTP/1.[01] (\d{3})", answer):
            self.finds.said(number, repr(sent[:100]), int(match[1]), is_promised=False)
        else:
            self.finds.answers["hung up"] += 1

    def _exchange(self, sent: bytes) -> bytes | None:
        with socket.create_connection(("127.0.0.1", self.site.port), timeout=PATIENCE_S) as line:
            try:
                line.sendall(sent)
                # No more comes: whoever waits for the rest of the request may stop.
                line.shutdown(socket.SHUT_WR)
                return line.recv(65_536)
            except TimeoutError:
                return None
            except OSError:
                return b""

    async def _socket(self, number: int, frames: int) -> None:
        rng = self.dice(2_000_000 + number)
        path = self._door(rng)
        protocols = rng.choice((None, ["bazaar.html.v1"], ["nonsense", "bazaar.html.v1"]))
        headers = {"Cookie": self.mallory.cookies} if rng.random() < 0.8 else {}
        if path.startswith("/env/bots") and rng.random() < 0.7:
            forged = f"{rng.choice(hostile.TEXTS[6:12]).strip()[:40]!a}"
            headers["Authorization"] = f"Bearer {rng.choice((self.token, forged))}"
        try:
            async with asyncio.timeout(PATIENCE_S * 2):
                async with connect(
                    self.site.ws_url + path,
                    additional_headers=headers,
                    subprotocols=protocols,  # type: ignore[arg-type]
                    proxy=None,
                    max_size=None,
                ) as line:
                    await self._talk(line, rng, frames)
                    self.finds.answers["socket answers"] += 1
        except TimeoutError:
            self.finds.hung.append(f"#{number} socket {path}")
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 1006
            self.finds.answers[f"socket closed {code}"] += 1
            if code == 1011:
                self.finds.faults.append(f"#{number} socket {path} 1011")
        except (InvalidHandshake, OSError, EOFError) as wrong:
            self.finds.answers[type(wrong).__name__] += 1
            if "500" in str(wrong):
                self.finds.faults.append(f"#{number} socket {path} {wrong}")

    async def _talk(self, line: Any, rng: random.Random, frames: int) -> None:
        heard = _Ear(line, self.finds)
        door = re.sub(r"/[a-z0-9]{12,24}/$", "", line.request.path)
        try:
            for _ in range(frames):
                self.finds.sent["frames"] += 1
                self.finds.doors[door] += 1
                await line.send(_frame(rng))
                if rng.random() < 0.2:
                    await asyncio.sleep(0)
            # Whatever was said before, an honest question is answered.
            heard.something.clear()
            is_game = line.request.path.startswith("/ws/")
            await line.send('{"type":"ping"}' if is_game else '{"type":"state"}')
            await heard.something.wait()
        finally:
            await heard.close()

    # What they are made of.

    def _ids(self, rng: random.Random) -> str:
        known = (*self.victim.places.values(), *self.own.values(), self.victim.env)
        if rng.random() < 0.75:
            return rng.choice(known)
        return rng.choice(
            ("0", "-1", "zzzzzzzzzzzz", "A" * 300, "%00", "%FF", "a b", "..%2f..", "१२३")
        )

    def _place(self, rng: random.Random) -> str:
        page = rng.choice(self._pages)

        def fill(found: re.Match[str]) -> str:
            kind = found[1]
            if kind == "int":
                return rng.choice(("0", "1", "3", "99999999999999999999", "2147483648"))
            if kind == "day":
                return rng.choice(("2026-11-25", "2026-02-30", "0000-00-00", "9999-12-31"))
            if kind == "room_code":
                return rng.choice(("ABCDEF", "abcdef", "ZZZZZZ"))
            return self._ids(rng)

        return "/" + re.sub(r"<(\w+):\w+>|\{\w+\}", fill, page)

    def _filled_form(self, rng: random.Random) -> tuple[str, str, str, bytes]:
        action, known = rng.choice(self._forms)
        fields: dict[str, bytes] = {}
        for name, value in known.items():
            luck = rng.random()
            wrong = rng.choice(hostile.VALUES) if luck < 0.35 else value
            if name == "csrfmiddlewaretoken" or luck > 0.95:
                continue
            if name == "listing" and luck >= 0.35:
                wrong = self.listing
            said = str(wrong or rng.choice(("1", "150", "a lamp", "seller")))
            fields[name] = said[:20_000].encode(errors="surrogatepass")
        if rng.random() < 0.8:
            return "POST", action, "application/x-www-form-urlencoded", urlencode(fields).encode()
        lines = []
        for name, data in fields.items():
            file = '; filename="a.jpg"' if name in ("file", "photo") else ""
            about = f'Content-Disposition: form-data; name="{name}"{file}'
            lines.append(f"--{hostile.BOUNDARY}\r\n{about}\r\n\r\n".encode() + data + b"\r\n")
        body = b"".join(lines) + f"--{hostile.BOUNDARY}--\r\n".encode()
        return "POST", action, f"multipart/form-data; boundary={hostile.BOUNDARY}", body

    def _query(self, rng: random.Random) -> str:
        names = (
            "q",
            "page",
            "sort",
            "at",
            "seq",
            "after",
            "before",
            "session_id",
            "episode_id",
            "door",
        )
        count = rng.randrange(4)
        fields = [
            (rng.choice(names), rng.choice(hostile.TEXTS)[:2_000].encode(errors="surrogatepass"))
            for _ in range(count)
        ]
        return urlencode(fields)

    def _body(self, rng: random.Random) -> tuple[str, bytes]:
        kind = rng.choice(hostile.CONTENT_TYPES)
        if rng.random() < 0.6:
            kind = rng.choice(("application/json", "application/x-www-form-urlencoded", kind))
        known = rng.choice(KNOWN_BODIES)
        if kind.startswith("application/x-www-form") and rng.random() < 0.8:
            fields = {
                name: str(rng.choice(hostile.VALUES) if rng.random() < 0.4 else value)[:5_000]
                for name, value in known.items()
            }
            return kind, urlencode(
                {name: value.encode(errors="surrogatepass") for name, value in fields.items()}
            ).encode()
        if kind.startswith("multipart") and rng.random() < 0.7:
            return kind, hostile.MULTIPART
        return kind, hostile.a_body(rng, known)

    def _headers(self, rng: random.Random, kind: str) -> dict[str, str]:
        token = self.mallory.http.cookies.get("csrftoken", "")
        headers = {
            "Content-Type": kind,
            "Cookie": self.mallory.cookies,
            "X-CSRFToken": token,
            "Referer": f"{self.site.url}/",
        }
        luck = rng.random()
        if luck < 0.1:
            headers["Cookie"] = rng.choice(
                ("sessionid=" + "x" * 40, "sessionid=;csrftoken=", "a" * 3_000)
            )
        elif luck < 0.2:
            headers["HX-Request"] = "true"
        elif luck < 0.25:
            headers["Accept-Language"] = rng.choice(("hi", "xx-" * 50, "*;q=nan", "hi;q=9"))
        elif luck < 0.3:
            headers["Range"] = "bytes=999999-0"
        elif luck < 0.35:
            headers["X-Forwarded-For"] = "::1, zzz, 999.1.1.1"
        return headers

    def _door(self, rng: random.Random) -> str:
        kind = rng.choice(("sell", "buy", "arena", "market", "games", "watch"))
        env = rng.choice(("/env/bazaar/ws", "/ws", "/env/market/ws", "/env/bots/ws", "/env/rps/ws"))
        luck = rng.random()
        if luck < 0.25:
            return env
        if luck < 0.65:
            return f"/ws/{kind}/{self.own.get(kind, 'w' * 24)}/"
        if luck < 0.9:
            return f"/ws/{kind}/{self.victim.places.get(kind, 'w' * 24)}/"
        return rng.choice(
            ("/ws/sell/%00/", "/ws/", "/ws/nothing/x/", f"/ws/sell/{'z' * 12}/", "/x")
        )


def _frame(rng: random.Random) -> str | bytes:
    luck = rng.random()
    if luck < 0.25:
        raw = rng.choice(hostile.RAW_BODIES)[:16_000]
        return raw if rng.random() < 0.4 else raw.decode("utf-8", "replace")
    if luck < 0.3:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(60)))
    if luck < 0.31:
        return "x" * 17_000  # longer than a frame may be
    fields = dict(rng.choice(FRAMES))
    for name in list(fields):
        if rng.random() < 0.3:
            fields[name] = rng.choice(hostile.VALUES)
    if fields.get("type") in ("accept", "walk") and rng.random() < 0.9:
        fields["type"] = "ping"  # the games of Mallory's own should last a while
    return json.dumps(fields)[:16_000]


class _Ear:
    """Hears a line to its end, so that the server may go on talking."""

    def __init__(self, line: Any, finds: Finds) -> None:
        self._finds = finds
        self.something = asyncio.Event()
        self._line = line
        self._task = asyncio.create_task(self._listen())

    async def close(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _listen(self) -> None:
        try:
            while True:
                told = await self._line.recv()
                self._finds.listen(f"socket {self._line.request.path}", told)
                self.something.set()
        finally:
            self.something.set()


async def _at_once(many: int, works: Sequence[Any]) -> None:
    turns = asyncio.Semaphore(many)

    async def one(work: Any) -> None:
        async with turns:
            await work

    await asyncio.gather(*(one(work) for work in works))
