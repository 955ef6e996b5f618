"""Kill processes and lock the database while people play: what is lost, doubled, told, how long.

    python -m tests.benchmarks.faults
    python -m tests.benchmarks.faults --people 3 --rounds 1

``serve`` runs as an operator starts it. In each round every fault happens once, and while it does
everybody names a price: again and again, until the log has it. *Lost* counts events that somebody
had seen and that the log does not have; *doubled* prices that stand in it twice. ``seconds`` is how
long the slowest of them waited for the move, 0.3 of them for the client to read the log first.
"""

import argparse
import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from tests.support.commands import ROOT
from tests.support.new_databases import SQLITE
from tests.support.people import Visitor
from tests.support.served import children
from tests.support.servers import Site

PATIENCE_S = 90.0
LOCKED_S = 10.0
ANSWER_S = 30.0
QUIET_S = 0.3
"""Seconds without a frame after which the log is taken for whole."""


class Player:
    """Somebody who sells, and names a lower price in each round."""

    def __init__(self, site: Site) -> None:
        self.visitor = Visitor(site)
        self.price = 1990
        self.told: Counter[str] = Counter()
        self.seen: dict[str, set[int]] = {}
        self.named: dict[str, list[int]] = {}
        self._open()

    def _open(self) -> None:
        self.game = self.visitor.opens(reservation_price=900)
        self.seen[self.game], self.named[self.game], self.price = {1}, [], 1990

    async def moves(self) -> float:
        """Name the next price until the log has it; return the seconds that took."""
        if len(self.named[self.game]) > 5:
            await asyncio.to_thread(self._open)
        self.price -= 10
        self.named[self.game].append(self.price)
        started = time.monotonic()
        while time.monotonic() - started < PATIENCE_S:
            try:
                async with asyncio.timeout(ANSWER_S), self.visitor.at(self.game) as line:
                    if await self._names(line):
                        return time.monotonic() - started
            except (OSError, WebSocketException, TimeoutError) as wrong:
                self.told[type(wrong).__name__] += 1
                await asyncio.sleep(0.1)
        return PATIENCE_S

    async def _names(self, line: Any) -> bool:
        # All of the log first: whoever names a price again without looking names it twice.
        await line.socket.send(json.dumps({"type": "sync", "after": 0}))
        last, is_asked = None, False
        while True:
            try:
                async with asyncio.timeout(QUIET_S):
                    frame = json.loads(await line.socket.recv())
            except TimeoutError:
                if last == "buyer" and not is_asked:
                    is_asked = True
                    offer = {"type": "offer", "price": self.price}
                    await line.socket.send(json.dumps(offer))
                continue
            if frame["type"] == "error":
                self.told[f"{frame['code']}: {frame['detail']}"] += 1
                is_asked = False
            elif frame["type"] == "event":
                self.seen[self.game].add(frame["seq"])
                event = frame["event"]
                if event["kind"] == "ended":
                    self.named[self.game] += [0] * 6
                    return True
                if event["kind"] == "offer":
                    last = event["actor"]
                    if last == "seller" and event["price"] == self.price:
                        return True


def kill(parent: int, word: str) -> bool:
    """Kill the child whose command line has a word; False where there is none."""
    found = [pid for pid, args in children(parent).items() if word in args]
    for pid in found[:1]:
        os.kill(pid, signal.SIGKILL)
    return bool(found)


def lock(data: Path) -> bool:
    """Hold the database for writing, from outside, for a while."""

    def hold() -> None:
        with sqlite3.connect(data / SQLITE, timeout=30, isolation_level=None) as file:
            file.execute("begin immediate")
            time.sleep(LOCKED_S)
            file.execute("rollback")

    threading.Thread(target=hold, daemon=True).start()
    time.sleep(0.2)
    return True


def doubled(site: Site, players: list[Player]) -> int:
    """Count the prices that a seller named once and that stand in the log more than once."""
    sql = "select payload from negotiation_eventrow where game_id = %s and kind = 'offer'"
    extra = 0
    for player in players:
        for game in player.named:
            events = [json.loads(bytes(row[0])) for row in site.query(sql, game)]
            prices = Counter(e["price"] for e in events if e.get("actor") == "seller")
            extra += sum(count - 1 for price, count in prices.items() if price)
    return extra


def lost(site: Site, players: list[Player]) -> int:
    """Count the events that were seen and are not stored."""
    return sum(
        len(seen - set(site.numbers(game))) + (len(site.numbers(game)) != max(site.numbers(game)))
        for player in players
        for game, seen in player.seen.items()
    )


def wait_for(url: str) -> None:
    """Wait until the site is healthy."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{url}/healthz", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise SystemExit("the site does not come up")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        site = Site(data, catalogue=False)
        site.prepare()
        command = [sys.executable, "manage.py", "serve", "--port", str(site.port)]
        with (data / "serve.log").open("wb") as log:
            parent = subprocess.Popen(
                command, cwd=ROOT, env=site.environment, stdout=log, stderr=log
            )
        try:
            wait_for(site.url)
            run(site, parent.pid, asked.people, asked.rounds)
        finally:
            parent.terminate()
            parent.wait(30)


def run(site: Site, parent: int, people: int, rounds: int) -> None:
    """Let everything happen, and print a row for each fault."""
    players = [Player(site) for _ in range(people)]
    faults: dict[str, Callable[[], bool]] = {
        "none": lambda: True,
        "kill -9 web": lambda: kill(parent, "daphne"),
        "kill -9 models": lambda: kill(parent, "model_process"),
        "kill -9 worker": lambda: kill(parent, "worker@"),
        "kill -9 training worker": lambda: kill(parent, "slow@"),
        f"database locked {LOCKED_S:g} s": lambda: lock(site.data_dir),
    }
    waits: dict[str, list[float]] = {name: [] for name in faults}
    told: dict[str, Counter[str]] = {name: Counter() for name in faults}

    async def everybody() -> list[float]:
        return list(await asyncio.gather(*(player.moves() for player in players)))

    for _ in range(rounds):
        for name, happens in faults.items():
            for player in players:
                player.told.clear()
            if not happens():
                continue
            waits[name] += asyncio.run(everybody())
            for player in players:
                told[name] += player.told
            wait_for(site.url)
    for name in faults:
        row = {
            "fault": name,
            "moves": len(waits[name]),
            "seconds": round(max(waits[name]), 1) if waits[name] else None,
            "told": dict(told[name]),
        }
        print(json.dumps(row), flush=True)
    print(json.dumps({"lost": lost(site, players), "doubled": doubled(site, players)}))


if __name__ == "__main__":
    main()
