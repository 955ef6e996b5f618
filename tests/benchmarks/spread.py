"""What more machines bring to an evaluation, and where the database ends it.

    python -m tests.benchmarks.spread --machines 1 2 --episodes 400

Machines are workers with folders of their own here, so they share this machine's cores: the rate of
one is measured, commits are counted by PostgreSQL, and how many commits it takes a second is
measured with ``fsync`` on. The rest is arithmetic, and printed as such.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

from tests.support.commands import ROOT
from tests.support.servers import Site
from tests.support.services import Postgres, Redis

POLICIES, SUITES = "rules", "single_deal,career_10"
EXTRAPOLATED = (1, 4, 16)
WRITERS = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--episodes", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=5.0, help="of writing, for the ceiling")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        Postgres(durable=True) as postgres,
        Redis() as redis,
    ):
        told = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url, "BAZAAR_COMMIT": "bench"}
        asking = Site(Path(folder) / "asking", catalogue=False, **told)
        asking.data_dir.mkdir()
        plain = evaluated(asking, options.episodes, "--workers=1")
        print(f"one process, no workers asked: {plain[0] / plain[1]:,.0f} bargains/s")
        rate = per_bargain = 0.0
        for count in options.machines:
            commits = committed(postgres)
            rows, took = spread(Path(folder), told, asking, options.episodes, count)
            here = rows / took
            # The clock of whoever asks beats, looks and knocks; it is counted with the games.
            per_bargain = (committed(postgres) - commits) / rows
            rate = rate or here
            print(f"{count} worker(s): {here:,.0f} bargains/s, {per_bargain:.3f} commits each")
        ceiling = commits_per_second(postgres, options.seconds)
        print(f"PostgreSQL here: {ceiling:,.0f} commits/s of {WRITERS} writers")
        for count in EXTRAPOLATED:
            print(f"extrapolated to {count:>2} machines: {count * rate:>9,.0f} bargains/s, "
                  f"{count * rate * per_bargain:>7,.0f} commits/s")  # fmt: skip
        print(f"the database would end it at {ceiling / (rate * per_bargain):,.0f} machines")


def evaluated(site: Site, episodes: int, *more: str) -> tuple[int, float]:
    """Play, and give bargains and seconds of playing (not of starting)."""
    folder = Path(tempfile.mkdtemp(dir=site.data_dir)) / "run"
    words = [f"--policies={POLICIES}", f"--suites={SUITES}", f"--episodes={episodes}"]
    command = [sys.executable, "manage.py", "evaluate", *words, f"--out={folder}", *more]
    began = time.monotonic()
    with subprocess.Popen(
        command, cwd=ROOT, env=site.environment, stdout=subprocess.DEVNULL
    ) as process:
        rows = folder / "episodes.jsonl"
        while process.poll() is None and not (rows.exists() and rows.stat().st_size):
            time.sleep(0.01)
            began = time.monotonic()
        before = rows.read_bytes().count(b"\n")
        last, ended = before, began
        while process.poll() is None:
            time.sleep(0.05)
            now = rows.read_bytes().count(b"\n")
            if now != last:
                last, ended = now, time.monotonic()
    assert process.returncode == 0
    return last - before, ended - began


def spread(
    folder: Path, told: dict[str, str], asking: Site, episodes: int, count: int
) -> tuple[int, float]:
    """Play on so many workers."""
    with ExitStack() as at_work:
        for number in range(count):
            site = Site(folder / f"worker-{count}-{number}", catalogue=False, **told)
            site.data_dir.mkdir()
            at_work.enter_context(site.slow_worker())
            while "ready" not in (site.data_dir / "worker.log").read_text(errors="replace"):
                time.sleep(0.1)
        # One order at a time on each machine, so that one machine is one core.
        return evaluated(asking, episodes, f"--spread={count}")


def committed(postgres: Postgres) -> int:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        # Sessions tell their sums when they rest.
        time.sleep(1.5)
        sql = "select xact_commit from pg_stat_database where datname = current_database()"
        row = connection.execute(sql).fetchone()
        assert row is not None
        return int(row[0])


def commits_per_second(postgres: Postgres, seconds: float) -> float:
    """Let writers claim rows as orders and games are claimed, each commit safe on disk."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("create table claims (id int primary key, until timestamptz)")
        connection.execute("insert into claims select n, null from generate_series(1, 1000) n")
    ends, counts = time.monotonic() + seconds, [0] * WRITERS

    def write(number: int) -> None:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            while time.monotonic() < ends:
                row = number + WRITERS * (counts[number] % 100)
                connection.execute("update claims set until = now() where id = %s", (row + 1,))
                counts[number] += 1

    writers = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    return sum(counts) / seconds


if __name__ == "__main__":
    main()
