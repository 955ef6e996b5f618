"""Many people sell at once: how long a turn takes, who answers, and whether the log stays whole.

Starts the site as ``make play`` does (web and model processes, without workers) and plays games
over real sockets from this process, so all share the machine; the cores that each used are told.

    python -m tests.benchmarks.live_games --games 1 25 50 100 200 --moves 8 --think 3

``--policy`` names the buyer: ``sauda`` (the default) speaks through the shipped model, the one that
``POST /api/sell/`` deals is ``sauda-network``. ``--html`` plays as pages do (every frame drawn),
``--web 2`` with two web processes, ``--services`` on PostgreSQL and Redis, ``--models 0`` with the
model in the web process.
"""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

from tests.support.served import Served
from tests.support.servers import Site
from tests.support.services import Postgres, Redis

OPENING_AT_ONCE = 8
PATIENCE_S = 60.0
WORDS = "bas {} final bhai"
SALE = {"title": "Brass lamp", "asking_price": 20000, "reservation_price": 1000}


class Game(msgspec.Struct):
    """One seller's game: turn times in seconds and the numbers of the events that came."""

    id: str
    cookies: str
    turns_s: list[float] = []
    numbers: list[int] = []
    failures: list[str] = []


async def open_games(site: Site, count: int, policy: str = "") -> list[Game]:
    """Let each of ``count`` visitors open a sale."""
    sale = SALE | {"policy": policy} if policy else SALE
    gate = asyncio.Semaphore(OPENING_AT_ONCE)

    async def open_one() -> Game:
        async with gate, httpx.AsyncClient(base_url=site.url, timeout=PATIENCE_S) as client:
            await client.get("/")
            token = client.cookies["csrftoken"]
            answer = await client.post("/api/sell/", json=sale, headers={"X-CSRFToken": token})
            answer.raise_for_status()
            cookies = f"sessionid={client.cookies['sessionid']}"
            return Game(answer.json()["id"], cookies)

    return list(await asyncio.gather(*(open_one() for _ in range(count))))


async def play(
    site: Site, game: Game, moves: int, think_s: float, html: bool, words: str = WORDS
) -> None:
    """Play one game: wait, ask a little less, wait for the answer."""
    rng = random.Random(game.id)
    url = f"{site.ws_url}/ws/sell/{game.id}/"
    headers = {"Cookie": game.cookies}
    offered: Any = ["bazaar.html.v1"] if html else None
    line = connect(url, additional_headers=headers, subprotocols=offered, proxy=None)
    async with line as socket:
        await socket.send('{"type":"sync","after":0}')
        await _until_buyer(socket, game)
        ask = 20000
        for _ in range(moves):
            await asyncio.sleep(rng.uniform(0.5, 1.5) * think_s)
            ask -= rng.randrange(20, 60)
            started = time.perf_counter()
            await socket.send(json.dumps({"type": "say", "text": words.format(ask)}))
            if await _until_buyer(socket, game):
                return
            game.turns_s.append(time.perf_counter() - started)


async def _until_buyer(socket: Any, game: Game) -> bool:
    """Read to the buyer's offer; tell whether the game is over."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            frame = json.loads(await socket.recv())
            if frame["type"] == "error":
                game.failures.append(frame["detail"])
                return True
            if frame["type"] != "event" or frame["seq"] <= len(game.numbers):
                # What came live while the log was caught up with comes twice, and pages skip it.
                continue
            game.numbers.append(frame["seq"])
            event = frame["event"]
            if event["kind"] == "ended":
                return True
            if event["kind"] == "offer" and event["actor"] == "buyer":
                return False


async def measure(
    site: Site,
    games: int,
    moves: int,
    think_s: float,
    html: bool,
    words: str = WORDS,
    policy: str = "",
) -> dict[str, Any]:
    """Play a number of games at the same time and say how it went."""
    opened = await open_games(site, games, policy)
    started = time.perf_counter()
    await asyncio.gather(*(play(site, game, moves, think_s, html, words) for game in opened))
    wall_s = time.perf_counter() - started
    turns = sorted(second for game in opened for second in game.turns_s)
    wrong = [game for game in opened if game.numbers != list(range(1, len(game.numbers) + 1))]
    forked = [game for game in opened if not _is_whole(site.numbers(game.id))]
    return {
        "games": games,
        "turns": len(turns),
        "turns_per_s": round(len(turns) / wall_s, 1),
        "p50_ms": round(1000 * statistics.median(turns), 1),
        "p95_ms": round(1000 * turns[int(0.95 * (len(turns) - 1))], 1),
        "max_ms": round(1000 * turns[-1], 1),
        "lost_or_doubled": len(wrong),
        "logs_not_whole": len(forked),
        "errors": Counter(failure for game in opened for failure in game.failures),
    }


def answered_by(site: Site) -> dict[str, int]:
    """Count the buyer's events so far by who served them, and by why a model did not."""
    sql = "select backend, passed_over from negotiation_eventrow where backend <> ''"
    found: Counter[str] = Counter()
    for backend, passed in site.query(sql):
        found[backend] += 1
        over = json.loads(passed) if isinstance(passed, str) else passed
        found.update(f"{one['backend']}: {one['why']}" for one in over)
    return dict(found)


def use(site: Served) -> dict[str, float]:
    """Return the processor seconds of everybody so far, this process as the generator."""
    return site.cpu_s() | {"generator": time.process_time()}


def less(now: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return what came since then, without what did not."""
    grown = {name: round(value - before.get(name, 0), 2) for name, value in now.items()}
    return {name: value for name, value in grown.items() if value}


def _is_whole(numbers: Sequence[int]) -> bool:
    return list(numbers) == list(range(1, len(numbers) + 1))


def main() -> None:
    """Read the command line, serve, measure, print one JSON line per load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[1, 25, 50, 100, 200])
    parser.add_argument("--moves", type=int, default=8, help="seller's moves per game, 1..9")
    parser.add_argument("--think", type=float, default=3.0, help="mean seconds between moves")
    parser.add_argument("--html", action="store_true", help="draw every frame")
    parser.add_argument("--policy", default="sauda", help="the buyer")
    parser.add_argument("--web", type=int, default=1, help="web processes")
    parser.add_argument("--models", type=int, default=1, help="model processes")
    parser.add_argument("--services", action="store_true", help="PostgreSQL and Redis")
    parser.add_argument("--port", type=int, default=None)
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {}
        if asked.services:
            urls["DATABASE_URL"] = stack.enter_context(Postgres()).url
            urls["REDIS_URL"] = stack.enter_context(Redis()).url
        urls["BAZAAR_MODEL_PROCESSES"] = str(asked.models)
        site = stack.enter_context(
            Served(folder, web=asked.web, catalogue=False, port=asked.port, **urls)
        )
        site.wait_for_the_model()
        print(json.dumps({"memory_mb": site.memory_mb()}), flush=True)
        for games in asked.games:
            began, cpu, served = time.perf_counter(), use(site), answered_by(site)
            result = asyncio.run(
                measure(site, games, asked.moves, asked.think, asked.html, policy=asked.policy)
            )
            wall_s = time.perf_counter() - began
            cores = {name: spent / wall_s for name, spent in less(use(site), cpu).items()}
            result["answers"] = less(answered_by(site), served)
            result["cores"] = {name: round(share, 2) for name, share in cores.items()}
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
