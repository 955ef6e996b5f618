"""Many people watch one match: who is sent everything in order, how late, and what it costs.

Starts a real site and opens real sockets from this process, so both share the machine. The delay of
an event is counted from the moment it was stored to the moment a spectator has it.

    python -m tests.benchmarks.arena_spectators --spectators 500

``--html`` watches as pages do (every frame drawn), ``--services`` on PostgreSQL and Redis.
"""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import django
import msgspec
from websockets.asyncio.client import connect

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
django.setup()

from tests.support.arena import PAUSELESS, any_listing  # noqa: E402
from tests.support.people import Visitor  # noqa: E402
from tests.support.servers import Site  # noqa: E402
from tests.support.services import Postgres, Redis  # noqa: E402

PATIENCE_S = 300.0
JOINING_AT_ONCE = 20
LINE_UP = ["rules:boulware", "rules:micro", "rules:boulware", "rules:micro"]


class Spectator(msgspec.Struct):
    """What one socket heard: numbers of events, when each came (s since 1970), how late it sat."""

    numbers: list[int] = []
    heard_at: list[float] = []
    joined_s: float = 0.0


async def watch(site: Site, match_id: str, gate: asyncio.Semaphore, html: bool) -> Spectator:
    """Follow a match to its end."""
    spectator = Spectator([], [])
    offered: Any = ["bazaar.html.v1"] if html else None
    url = f"{site.ws_url}/ws/arena/{match_id}/"
    async with gate:
        started = time.perf_counter()
        socket = await connect(url, subprotocols=offered, proxy=None, open_timeout=PATIENCE_S)
        await socket.send('{"type":"sync","after":0}')
        await hear(socket, spectator)
        spectator.joined_s = time.perf_counter() - started
    async with asyncio.timeout(PATIENCE_S):
        while not await hear(socket, spectator):
            pass
    await socket.close()
    return spectator


async def hear(socket: Any, spectator: Spectator) -> bool:
    """Take one frame; tell whether it was the end."""
    text = await socket.recv()
    if not text.startswith('{"type":"event"'):
        return False
    spectator.heard_at.append(time.time())
    # The number stands near the beginning: 500 clients in one process must not read whole pages.
    spectator.numbers.append(int(text[text.index('"seq":') + 6 : text.index(',"event"')]))
    return '"kind":"ended"' in text[:200]


def delays_ms(site: Site, match_id: str, spectators: list[Spectator]) -> list[float]:
    """How late each event came to each spectator who was there when it happened."""
    sql = "select seq, created_at from negotiation_eventrow where game_id = %s order by seq"
    stored = {seq: _seconds(moment) for seq, moment in site.query(sql, match_id)}
    everybody_there = max(spectator.heard_at[0] for spectator in spectators)
    return sorted(
        1000 * (moment - stored[number])
        for spectator in spectators
        for number, moment in zip(spectator.numbers, spectator.heard_at, strict=True)
        if stored[number] > everybody_there
    )


def _seconds(moment: Any) -> float:
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    return float(moment.timestamp())


def memory_mb(site: Site) -> float:
    """Memory that the server's process holds now."""
    assert site.process is not None
    status = Path(f"/proc/{site.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def cpu_s(site: Site) -> float:
    """Seconds of processor time that the server has used."""
    assert site.process is not None
    fields = Path(f"/proc/{site.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(site: Site, spectators: int, html: bool) -> dict[str, Any]:
    """Let some people watch one match and say how it went."""
    asha = Visitor(site)
    match_id = start_match(asha)
    idle_mb, used_s = memory_mb(site), cpu_s(site)
    gate = asyncio.Semaphore(JOINING_AT_ONCE)
    started = time.perf_counter()
    watching = [asyncio.create_task(watch(site, match_id, gate, html)) for _ in range(spectators)]
    full_mb = idle_mb
    while not all(task.done() for task in watching):
        full_mb = max(full_mb, memory_mb(site))
        await asyncio.wait(watching, timeout=0.5)
    done = [task.result() for task in watching]
    asha.close()
    late = delays_ms(site, match_id, done)
    events = site.query("select count(*) from negotiation_eventrow where game_id = %s", match_id)[
        0
    ][0]
    whole = list(range(1, int(events) + 1))
    joined = sorted(spectator.joined_s for spectator in done)
    return {
        "spectators": spectators,
        "html": html,
        "events": int(events),
        "all_in_order": sum(spectator.numbers == whole for spectator in done),
        "delays": len(late),
        "p50_ms": round(statistics.median(late), 1) if late else None,
        "p95_ms": round(late[int(0.95 * (len(late) - 1))], 1) if late else None,
        "max_ms": round(late[-1], 1) if late else None,
        "join_p95_ms": round(1000 * joined[int(0.95 * (len(joined) - 1))], 1),
        "server_mb_before": round(idle_mb),
        "server_mb_most": round(full_mb),
        "server_cpu_s": round(cpu_s(site) - used_s, 1),
        "wall_s": round(time.perf_counter() - started, 1),
    }


def start_match(visitor: Visitor) -> str:
    """Start a match that takes many rounds."""
    wanted = {"listing": any_listing(visitor.site), "lineup": LINE_UP, "persona": "deceptive"}
    answer = visitor.post("/api/arena/", {**wanted, "seed": 1})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def main() -> None:
    """Read the command line, serve, measure, print one JSON line per load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spectators", type=int, nargs="+", default=[500])
    parser.add_argument("--pause", type=float, default=4.0, help="seconds between two rounds")
    parser.add_argument("--html", action="store_true", help="draw every frame")
    parser.add_argument("--services", action="store_true", help="PostgreSQL and Redis")
    parser.add_argument("--port", type=int, default=None)
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {**PAUSELESS, "BAZAAR_ARENA_PAUSE_S": str(asked.pause)}
        if asked.services:
            urls["DATABASE_URL"] = stack.enter_context(Postgres()).url
            urls["REDIS_URL"] = stack.enter_context(Redis()).url
        site = stack.enter_context(Site(folder, port=asked.port, **urls))
        for spectators in asked.spectators:
            print(json.dumps(asyncio.run(measure(site, spectators, asked.html))), flush=True)


if __name__ == "__main__":
    main()
