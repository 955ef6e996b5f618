"""Many pairs of people bargain at once: how long a move takes to reach the other side.

Starts a real site (``--web`` processes on one port; ``--services``: PostgreSQL and Redis) and plays
over real sockets with the frames of pages, from this process, so both share the machine. What the
load generator itself costs is printed, in processor seconds a second.

    python -m tests.benchmarks.pairs --pairs 1 30 100 --moves 6 --think 3
"""

import argparse
import asyncio
import json
import random
import re
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

from tests.benchmarks.live_games import OPENING_AT_ONCE, PATIENCE_S
from tests.support.one_port import OnePort
from tests.support.servers import Site
from tests.support.services import Postgres, Redis

CHAIRS = (("sell", "seller", "buyer"), ("buy", "buyer", "seller"))


class Pair(msgspec.Struct):
    """One game: when moves were sent and how long they took to the other side, in seconds."""

    id: str
    cookies: dict[str, str]
    sent: dict[float, float] = {}
    reached_s: list[float] = []
    numbers: dict[str, list[int]] = msgspec.field(default_factory=lambda: {"sell": [], "buy": []})
    failures: list[str] = []


async def open_pairs(site: Site, count: int) -> list[Pair]:
    """Let ``count`` people make a link, and as many friends open it."""
    gate = asyncio.Semaphore(OPENING_AT_ONCE)
    listing = site.query("select min(id) from negotiation_listing where list_price >= 1000000")[0][
        0
    ]

    async def post(client: httpx.AsyncClient, path: str, **fields: object) -> str:
        form = {"csrfmiddlewaretoken": client.cookies["csrftoken"], **fields}
        answer = await client.post(path, data=form)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["Location"])

    async def open_one() -> Pair:
        people = [httpx.AsyncClient(base_url=site.url, timeout=PATIENCE_S) for _ in CHAIRS]
        async with gate, people[0], people[1]:
            for one in people:
                await one.get("/sell/")
            link = await post(people[0], "/pair/", listing=listing, name="Asha", seat="seller")
            place = await post(people[1], link, name="Ravi")
            found = re.fullmatch(r"/buy/(\w+)/", place)
            assert found, place
            cookies = [f"sessionid={one.cookies['sessionid']}" for one in people]
            return Pair(found[1], dict(zip(("sell", "buy"), cookies, strict=True)))

    return list(await asyncio.gather(*(open_one() for _ in range(count))))


async def play(site: Site, pair: Pair, kind: str, side: str, moves: int, think_s: float) -> None:
    """Sit in one chair: read what comes, and move a little when it is one's turn."""
    rng = random.Random(f"{pair.id}{kind}")
    url = f"{site.ws_url}/ws/{kind}/{pair.id}/"
    headers = {"Cookie": pair.cookies[kind]}
    html: Any = ["bazaar.html.v1"]
    # Bids and asks that never meet: a game goes on until it is left.
    price, step = (10_000.0, 37.0) if side == "buyer" else (0.0, -41.0)
    made = 0
    line = connect(url, additional_headers=headers, subprotocols=html, proxy=None, max_size=None)
    async with line as socket:
        await socket.send('{"type":"sync","after":0}')
        async with asyncio.timeout(PATIENCE_S * (moves + 2)):
            while True:
                frame = json.loads(await socket.recv())
                now = time.perf_counter()
                if frame["type"] == "error":
                    pair.failures.append(frame["detail"])
                    return
                if frame["type"] != "event":
                    continue
                pair.numbers[kind].append(frame["seq"])
                event = frame["event"]
                if event["kind"] == "opened":
                    price = event["price"] * 0.4 if side == "buyer" else event["price"]
                if event["kind"] == "ended":
                    return
                if event["kind"] not in ("opened", "offer") or event["actor"] == side:
                    continue
                if event["kind"] == "offer":
                    pair.reached_s.append(now - pair.sent[event["price"]])
                elif side == "seller":
                    continue
                if made == moves:
                    await socket.send('{"type":"walk"}')
                    continue
                await asyncio.sleep(rng.uniform(0.5, 1.5) * think_s)
                made, price = made + 1, round(price + step * rng.uniform(0.5, 1.5), 2)
                pair.sent[price] = time.perf_counter()
                await socket.send(
                    json.dumps({"type": "offer", "price": price, "text": "dekho bhai"})
                )


async def measure(site: Site, count: int, moves: int, think_s: float) -> dict[str, Any]:
    """Let a number of pairs play at the same time and say how it went."""
    opened = await open_pairs(site, count)
    started, used = time.perf_counter(), time.process_time()
    await asyncio.gather(
        *(
            play(site, pair, kind, side, moves, think_s)
            for pair in opened
            for kind, side, _ in CHAIRS
        )
    )
    wall_s, own_s = time.perf_counter() - started, time.process_time() - used
    reached = sorted(second for pair in opened for second in pair.reached_s)
    wrong = [
        pair.id
        for pair in opened
        for numbers in pair.numbers.values()
        if numbers != list(range(1, len(numbers) + 1))
    ]
    return {
        "pairs": count,
        "sockets": 2 * count,
        "moves": len(reached),
        "p50_ms": round(1000 * reached[len(reached) // 2], 1),
        "p95_ms": round(1000 * reached[int(0.95 * (len(reached) - 1))], 1),
        "max_ms": round(1000 * reached[-1], 1),
        "lost_or_doubled": len(wrong),
        "errors": sum(len(pair.failures) for pair in opened),
        "generator_cpu": round(own_s / wall_s, 2),
    }


def main() -> None:
    """Read the command line, serve, measure, print one JSON line per load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[1, 30, 100])
    parser.add_argument("--moves", type=int, default=6, help="moves of each person, 1..9")
    parser.add_argument("--think", type=float, default=3.0, help="mean seconds before a move")
    parser.add_argument("--services", action="store_true", help="PostgreSQL and Redis")
    parser.add_argument("--web", type=int, default=1, help="web processes; more need --services")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {}
        if asked.services:
            urls["DATABASE_URL"] = stack.enter_context(Postgres()).url
            urls["REDIS_URL"] = stack.enter_context(Redis()).url
        site = stack.enter_context(Site(folder, **urls))
        if asked.web > 1:
            more = [Site(folder, **urls) for _ in range(asked.web - 1)]
            for one in more:
                one.start()
                stack.callback(one.kill)
            site = stack.enter_context(OnePort(site, *more)).site
        for count in asked.pairs:
            print(
                json.dumps(asyncio.run(measure(site, count, asked.moves, asked.think))), flush=True
            )


if __name__ == "__main__":
    main()
