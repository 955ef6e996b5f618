"""Do harm to the site while people play: what is lost, doubled, told, and how long it takes.

    python -m tests.benchmarks.faults --people 100 --rounds 2
    python -m tests.benchmarks.faults --people 3 --rounds 1 --only sqlite
    python -m tests.benchmarks.faults --only services
    python -m tests.benchmarks.faults --people 100 --storm 60 --only sqlite services

``serve`` runs as an operator starts it, once for each site of ``--only``: ``sqlite`` (all of its
processes are killed, also at chosen points of a move; the database is locked; clocks jump),
``disk`` (its disk is full) and ``services`` (two web processes; Redis and PostgreSQL go and come
back). In each round every fault happens once, and while it does everybody names a price:
again and again, until the log has it; every second person repeats the frame unread after a line
broke, and every sixth opens a new game first. Beside them some people ask without end and never
read an answer.

*Lost* counts events that somebody had seen and that the log does not have; *doubled* prices that
stand in it twice. ``seconds`` is how long the slowest of them waited for the move, 0.3 of them for
the client to read the log first; ``after_s`` the same from when the fault was over. ``log_kb`` is
what all processes together wrote into their log meanwhile. ``longest_pause_s`` is how long at most
no game got its grades while some had none.

``--storm 60`` does harm without a rest, one fault after the other for so many seconds, while
everybody plays on. Afterwards each makes the move that was under way, and one more: ``unmade`` are
those that were not in the log ``STORM_PATIENCE_S`` after they had been named.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import msgspec

from bazaar_site.programs import STEADY_S
from tests.support.commands import ROOT
from tests.support.faults_player import AGAIN_S, MOST_MOVES, PATIENCE_S, Player, doubled, lost
from tests.support.harm import Harm
from tests.support.new_databases import SQLITE
from tests.support.served import children
from tests.support.servers import Site
from tests.support.services import Postgres, Redis
from tests.support.silent_sockets import SilentSockets
from tests.support.small_disk import SmallDisk, small_disk

SITES = ("sqlite", "disk", "services")
HELD_S = 10.0
"""How long the database is locked, the disk full, Redis away."""
RESTART_S = 3.0
"""How long PostgreSQL is away."""
HOUR_S = 3600.0
SILENT_EACH = 5
"""For so many people one more asks and never reads."""
DISK_MB = 64
PAUSE_S = 1.0
START_S = 3.0
STOPPED_S, REST_S, STORM_PATIENCE_S = 4.0, 3.0, 300.0
"""How long a process stands still in a storm, how long nothing happens between two faults, and how
long a player tries to make a move: until long after it."""


class Fault(msgspec.Struct):
    """What happens: ``begins`` (False: not possible here), for ``held_s``, then ``ends``."""

    name: str
    begins: Callable[[], object]
    held_s: float = 0.0
    ends: Callable[[], object] = lambda: None
    happened: Callable[[], bool] = lambda: True
    rest_s: float = 0.0


class Served:
    """A site of ``serve``'s, with what may happen to it."""

    def __init__(self, site: Site, harm: Harm, process: subprocess.Popen[bytes]) -> None:
        self.site = site
        self.harm = harm
        self.process = process
        self.log = site.data_dir / "serve.log"

    def kill(self, word: str, how: signal.Signals = signal.SIGKILL) -> bool:
        """Send a signal to the child whose command line has a word; False where there is none."""
        found = [pid for pid, args in children(self.process.pid).items() if word in args]
        for pid in found[:1]:
            os.kill(pid, how)
        return bool(found)

    def stopped(self, word: str) -> Fault:
        """Return the fault that such a child stands still for a while, all of them go on after."""

        def go_on() -> None:
            for pid, args in children(self.process.pid).items():
                if word in args:
                    os.kill(pid, signal.SIGCONT)

        stop = partial(self.kill, word, signal.SIGSTOP)
        return Fault(f"stop {word} for {STOPPED_S:g} s", stop, STOPPED_S, go_on)

    def wait(self) -> None:
        """Wait until the site is healthy."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.site.url}/healthz", timeout=5).status_code == 200:
                    return
            time.sleep(0.1)
        raise SystemExit("the site does not come up")

    def wait_for_the_model(self) -> None:
        """Wait until its local model speaks, as far as it has one."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            said = httpx.get(f"{self.site.url}/sauda/health", timeout=30).json()
            if said["speaking"] == "local":
                return
            time.sleep(AGAIN_S)


class Row(msgspec.Struct):
    """What came of a fault, in all rounds."""

    waits: list[float] = []
    after: list[float] = []
    told: Counter[str] = msgspec.field(default_factory=Counter)
    log_kb: float = 0.0
    missed: int = 0


@contextlib.contextmanager
def served(data: Path, log: Path, **given: str) -> Iterator[Served]:
    """Run ``serve`` with programs that can be harmed."""
    data.mkdir(exist_ok=True)
    harm = Harm(log.parent / f"harm-{log.stem}")
    given |= {"BAZAAR_LOG_JSON": "true"}
    site = Site(data, catalogue=False, **harm.environment, **given)
    site.prepare()
    command = [sys.executable, "-m", "tests.support.harm", "serve", "--port", str(site.port)]
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=site.environment, stdout=out, stderr=out)
    found = Served(site, harm, process)
    found.log = log
    try:
        found.wait()
        found.wait_for_the_model()
        yield found
    finally:
        process.terminate()
        process.wait(30)


def sqlite_faults(at: Served) -> list[Fault]:
    """Return what happens to a site on one machine."""
    killed = [
        Fault(f"kill -9 {name}", lambda word=word: at.kill(word), rest_s=STEADY_S + START_S)
        for name, word in (
            ("web", "daphne"),
            ("models", "model_process"),
            ("worker", "worker@"),
            ("training worker", "slow@"),
        )
    ]
    at_points = [
        Fault(
            f"kill -9 at {point}",
            lambda point=point: at.harm.kill_at(point),
            ends=lambda point=point: at.harm.take_back(point),
            happened=lambda point=point: at.harm.has_killed(point),
            rest_s=STEADY_S + START_S,
        )
        for point in (
            "move-received",
            "move-uncommitted",
            "move-committed",
            "turn-claimed",
            "turn-uncommitted",
            "turn-committed",
        )
    ]
    return [
        Fault("none", lambda: True),
        *killed,
        *at_points,
        Fault("database locked", lambda: _lock(at.site.data_dir), HELD_S),
        Fault("clock an hour ahead", lambda: at.harm.put_clocks(HOUR_S)),
        Fault("clock an hour back", lambda: at.harm.put_clocks(0)),
    ]


def _lock(data: Path) -> bool:
    def hold() -> None:
        with sqlite3.connect(data / SQLITE, timeout=30, isolation_level=None) as file:
            file.execute("begin immediate")
            time.sleep(HELD_S)
            file.execute("rollback")

    threading.Thread(target=hold, daemon=True).start()
    time.sleep(0.2)
    return True


def disk_faults(disk: SmallDisk) -> list[Fault]:
    """Return what happens to a site whose disk has no room left."""
    return [
        Fault("none", lambda: True),
        Fault("disk full", lambda: (disk.fill(), True)[1], HELD_S, disk.clear),
    ]


def services_faults(at: Served, postgres: Postgres, redis: Redis) -> list[Fault]:
    """Return what happens to a site with servers of its own."""

    def without_data() -> None:
        shutil.rmtree(redis.folder / "appendonlydir")
        redis.start()

    return [
        Fault("none", lambda: True),
        Fault("kill -9 one of two web", lambda: at.kill("daphne")),
        Fault(
            "redis away, back with its data", lambda: (redis.stop(), True)[1], HELD_S, redis.start
        ),
        Fault("redis away, back empty", lambda: (redis.stop(), True)[1], HELD_S, without_data),
        *(
            Fault(
                f"postgresql stopped {name}",
                lambda how=how: (postgres.stop(how), True)[1],
                RESTART_S,
                postgres.start,
            )
            for name, how in (("fast", signal.SIGINT), ("immediately", signal.SIGQUIT))
        ),
        Fault("clock an hour ahead", lambda: at.harm.put_clocks(HOUR_S)),
        Fault("clock an hour back", lambda: at.harm.put_clocks(0)),
    ]


def run(at: Served, faults: list[Fault], people: int, rounds: int, where: str) -> None:
    """Let everything happen, and print a row for each fault."""
    players = [
        Player(at.site, hasty=bool(number % 2), ahead=number % MOST_MOVES)
        for number in range(people)
    ]
    rows = {fault.name: Row() for fault in faults}
    silent = [
        (f"/ws/sell/{one.game}/", one.visitor.cookies)
        for one in players[: -(-people // SILENT_EACH)]
    ]
    with SilentSockets(at.site, silent) as beside:
        for _ in range(rounds):
            for fault in faults:
                _happen(at, fault, players, rows[fault.name])
    for name, row in rows.items():
        told = {
            "site": where,
            "fault": name,
            "moves": len(row.waits),
            "missed": row.missed,
            "seconds": round(max(row.waits), 1) if row.waits else None,
            "after_s": round(max(row.after), 1) if row.after else None,
            "log_kb": round(row.log_kb),
            "told": dict(row.told.most_common(8)),
        }
        print(json.dumps(told, ensure_ascii=False), flush=True)
    ended = {
        "site": where,
        "people": people,
        "silent": len(silent),
        "silent_asked": beside.asked,
        "lost": lost(at.site, players),
        "doubled": doubled(at.site, players),
    }
    print(json.dumps(ended), flush=True)


def storm(at: Served, faults: list[Fault], people: int, seconds: float, where: str) -> None:
    """Do harm for so long while everybody plays on, and print what is lost, doubled, unmade."""
    players = [
        Player(
            at.site, hasty=bool(number % 2), ahead=number % MOST_MOVES, patience_s=STORM_PATIENCE_S
        )
        for number in range(people)
    ]
    happened: Counter[str] = Counter()
    is_over = threading.Event()

    def rage() -> None:
        until = time.monotonic() + seconds
        for fault in itertools.cycle(faults):
            if time.monotonic() > until:
                break
            happened[fault.name] += bool(fault.begins())
            time.sleep(fault.held_s)
            fault.ends()
            time.sleep(REST_S)
        is_over.set()

    async def plays(player: Player) -> list[float]:
        waits = []
        while not is_over.is_set():
            waits.append(await player.moves())
        return [*waits, await player.moves()]

    async def everybody() -> list[float]:
        return [wait for waits in await asyncio.gather(*map(plays, players)) for wait in waits]

    raging = threading.Thread(target=rage)
    raging.start()
    waits = sorted(asyncio.run(everybody()))
    raging.join()
    at.wait()
    told = sum((player.told for player in players), Counter())
    row = {
        "site": where,
        "people": people,
        "storm_s": seconds,
        "faults": dict(happened),
        "games": sum(len(player.named) for player in players),
        "moves": len(waits),
        "unmade": sum(wait >= STORM_PATIENCE_S for wait in waits),
        "p50_s": round(waits[len(waits) // 2], 1),
        "p95_s": round(waits[len(waits) * 95 // 100], 1),
        "max_s": round(waits[-1], 1),
        "lost": lost(at.site, players),
        "doubled": doubled(at.site, players),
        "told": dict(told.most_common(8)),
    }
    print(json.dumps(row, ensure_ascii=False), flush=True)


def grade(at: Served, people: int) -> None:
    """Print how long it takes until all games have grades: nobody killed, graders at two points."""
    players = [Player(at.site) for _ in range(people)]

    async def everybody() -> list[str]:
        return list(await asyncio.gather(*(player.leaves() for player in players)))

    for point in ("nowhere", "grade-claimed", "grade-unwritten"):
        at.harm.kill_at(point)
        left = dict(zip(asyncio.run(everybody()), players, strict=True))
        started = latest = time.monotonic()
        pause = 0.0
        while left and time.monotonic() - started < PATIENCE_S:
            without = {game: one for game, one in left.items() if not one.has_grades(game)}
            if len(without) < len(left):
                pause = max(pause, time.monotonic() - latest)
                latest = time.monotonic()
            left = without
            time.sleep(AGAIN_S)
        row = {
            "fault": f"kill -9 at {point}",
            "happened": at.harm.has_killed(point),
            "games": people,
            "without_grades": len(left),
            "longest_pause_s": round(pause, 1),
            "seconds": round(time.monotonic() - started, 1),
        }
        at.harm.take_back(point)
        print(json.dumps(row), flush=True)


def _happen(at: Served, fault: Fault, players: list[Player], row: Row) -> None:
    for player in players:
        player.told.clear()
    before = at.log.stat().st_size
    if not fault.begins():
        return
    started = time.monotonic()
    timer = threading.Timer(fault.held_s, fault.ends)
    if fault.held_s:
        timer.start()

    async def everybody() -> list[float]:
        waits = list(await asyncio.gather(*(player.moves() for player in players)))
        # Until it is over, and once more.
        while time.monotonic() - started < fault.held_s:
            await asyncio.sleep(PAUSE_S)
            waits += await asyncio.gather(*(player.moves() for player in players))
        return waits

    waits = asyncio.run(everybody())
    over = time.monotonic() - started
    if fault.held_s:
        timer.join()
    else:
        row.missed += not fault.happened()
        fault.ends()
    row.waits += waits
    row.after.append(max(0.0, over - fault.held_s))
    row.log_kb += (at.log.stat().st_size - before) / 1024
    for player in players:
        row.told += player.told
    at.wait()
    # A process that dies soon after its start is started again after a rest: not measured here.
    time.sleep(max(0.0, fault.rest_s - (time.monotonic() - started)))


def on_sqlite(folder: Path, people: int, rounds: int, storm_s: float) -> None:
    """Kill, lock and put clocks."""
    with served(folder / "data", folder / "sqlite.log") as at:
        if storm_s:
            killed = [one for one in sqlite_faults(at) if one.rest_s and " at " not in one.name]
            storm(at, [*killed, at.stopped("daphne")], people, storm_s, "sqlite")
            return
        run(at, sqlite_faults(at), people, rounds, "sqlite")
        grade(at, people)


def on_a_small_disk(folder: Path, people: int, rounds: int, storm_s: float) -> None:
    """Fill the disk."""
    with small_disk(folder / "small", DISK_MB) as disk:
        if disk is None:
            print(json.dumps({"site": "disk", "skipped": "no file system can be mounted here"}))
            return
        with served(disk.folder / "data", folder / "disk.log") as at:
            if storm_s:
                storm(at, disk_faults(disk)[1:], people, storm_s, "disk")
                return
            run(at, disk_faults(disk), people, rounds, "disk")


def on_services(folder: Path, people: int, rounds: int, storm_s: float) -> None:
    """Take Redis away."""
    with Postgres() as postgres, Redis(keeps=True) as redis:
        given = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url, "BAZAAR_WEB_PROCESSES": "2"}
        with served(folder / "services", folder / "services.log", **given) as at:
            faults = services_faults(at, postgres, redis)
            if storm_s:
                harms = [
                    one for one in faults if one.name.startswith(("kill", "redis", "postgres"))
                ]
                killed = Fault("kill -9 worker", lambda: at.kill("worker@"))
                harms += [killed, at.stopped("daphne")]
                storm(at, harms, people, storm_s, "services")
                return
            run(at, faults, people, rounds, "services")


RUNS = {"sqlite": on_sqlite, "disk": on_a_small_disk, "services": on_services}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--storm", type=float, default=0.0, help="seconds of faults without a rest")
    parser.add_argument("--only", choices=SITES, nargs="+", default=SITES)
    parser.add_argument("--keep", type=Path, help="a folder that keeps the logs")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = asked.keep or Path(folder)
        where.mkdir(parents=True, exist_ok=True)
        for name in asked.only:
            RUNS[name](where, asked.people, asked.rounds, asked.storm)


if __name__ == "__main__":
    main()
