"""What more machines bring to an evaluation and to a league, and where the database ends it.

    python -m tests.benchmarks.spread --machines 1 2 --episodes 400
    python -m tests.benchmarks.spread --machines 1 2 --league

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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

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
    parser.add_argument("--league", action="store_true", help="a league instead of an evaluation")
    options = parser.parse_args()
    play = league if options.league else evaluated
    what = "games" if options.league else "bargains"
    mini = mini_league() if options.league else None
    with (
        tempfile.TemporaryDirectory() as folder,
        Postgres(durable=True) as postgres,
        Redis() as redis,
    ):
        told: dict[str, Any] = {
            "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url,
            "BAZAAR_COMMIT": "bench",
        }
        asking = Site(Path(folder) / "asking", catalogue=False, **told)
        asking.data_dir.mkdir()
        plain = play(asking, options.episodes)
        print(f"one process, no workers asked: {plain[0] / plain[1]:,.0f} {what}/s")
        rate = per_bargain = 0.0
        for count in options.machines:
            commits = committed(postgres)
            with workers(Path(folder), told, count):
                # One order at a time on each machine, so that one machine is one core.
                rows, took = play(asking, options.episodes, f"--spread={count}")
            here = rows / took
            # The clock of whoever asks beats, looks and knocks; it is counted with the games.
            per_bargain = (committed(postgres) - commits) / rows
            rate = rate or here
            print(f"{count} worker(s): {here:,.0f} {what}/s, {per_bargain:.5f} commits each")
        ceiling = commits_per_second(postgres, options.seconds)
        print(f"PostgreSQL here: {ceiling:,.0f} commits/s of {WRITERS} writers")
        for count in EXTRAPOLATED:
            print(f"extrapolated to {count:>2} machines: {count * rate:>9,.0f} {what}/s, "
                  f"{count * rate * per_bargain:>7,.0f} commits/s")  # fmt: skip
            if mini is not None:
                elsewhere = mini.games / (count * rate)
                print(f"    a league of the mini size: {mini.steps_s:,.0f} s of steps on one core, "
                      f"{elsewhere:,.0f} s of other games on {count}")  # fmt: skip
        print(f"the database would end it at {ceiling / (rate * per_bargain):,.0f} machines")


def evaluated(site: Site, episodes: int, *more: str) -> tuple[int, float]:
    """Play, and give bargains and seconds of playing (not of starting)."""
    folder = Path(tempfile.mkdtemp(dir=site.data_dir)) / "run"
    words = [f"--policies={POLICIES}", f"--suites={SUITES}", f"--episodes={episodes}"]
    alone = () if more else ("--workers=1",)
    command = [sys.executable, "manage.py", "evaluate", *words, f"--out={folder}", *alone, *more]
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


LEAGUE = {
    "sellers": 60_000, "width": 160, "games": 16, "epochs": 1, "steps": 2, "rounds": 1,
    "round_steps": 1, "check_every": 100, "save_every": 100, "candidates": 40, "generations": 8,
    "search_games": 512, "check_games": 16_384,
}  # fmt: skip
"""Searches and checks of the mini size, and next to nothing that is learned between them."""

SEARCHED = 2 * 40 * (8 + 1) * 512
CHECKED = 2 * (2 * 16_384 + 10 * 4_096) + 16_384
"""After the first step: a search before the round and one at the end; two checks, and the last."""


def league(site: Site, _: int, *more: str) -> tuple[int, float]:
    """Train, and give the games of searches and checks and the seconds from the first step on."""
    told = [word for name, value in LEAGUE.items() for word in ("--set", f"{name}={value}")]
    command = [sys.executable, "manage.py", "train", "league", "--size=toy", *told, *more]
    known = set(site.data_dir.glob("runs/*/metrics.jsonl"))
    with subprocess.Popen(
        command, cwd=ROOT, env=site.environment, stdout=subprocess.DEVNULL
    ) as process:
        while process.poll() is None and known == set(site.data_dir.glob("runs/*/metrics.jsonl")):
            time.sleep(0.01)
        began = time.monotonic()
        process.wait()
    assert process.returncode == 0
    return SEARCHED + CHECKED, time.monotonic() - began


class Mini(NamedTuple):
    """A league of the mini size: seconds of its steps, and its games that may be elsewhere."""

    steps_s: float
    games: int


def mini_league() -> Mini:
    """Time one step of the mini size, which stays in one process, and count the other games."""
    import django

    django.setup()
    import numpy as np
    import torch

    from bazaarbatna.envs.bargain.people.games import deal_many
    from training.stages.config import LeagueConfig
    from training.stages.league.groups import population
    from training.stages.league.learning import Towers, learn, play, turns_of
    from training.stages.league.outcomes import ENDS, OPENINGS
    from training.stages.registry import make_config

    config = make_config("league", "mini")
    assert isinstance(config, LeagueConfig)
    torch.set_num_threads(1)
    dice = np.random.default_rng(0)
    deals = deal_many(population(config.sellers, 0).everybody, config.games, dice, config.blind)
    towers = Towers(config.width)
    optimizer = torch.optim.Adam(towers.parameters(), lr=config.learning_rate)
    for _ in range(2):  # The first one also loads what learns.
        began = time.process_time()
        games, rounds = play(towers, deals, dice)
        played = time.process_time()
        turns = turns_of(games.worth(), rounds, config)
        learn(towers, turns, optimizer, config, config.entropy, dice)
        learned = time.process_time()
    kinds, lines = len(population(config.sellers, 0).kinds), len(OPENINGS) * len(ENDS)
    ends = {config.steps + number * config.round_steps for number in range(config.rounds + 1)}
    checks = len(ends | set(range(config.check_every, config.all_steps + 1, config.check_every)))
    search = (config.generations + 1) * config.candidates * config.search_games
    found = Mini(
        config.all_steps * (learned - began),
        (config.rounds + 1) * search
        + checks * (2 * config.check_games + kinds * (config.check_games // 4))
        + config.check_games
        + kinds * lines * (config.check_games // 4),
    )
    print(f"a step of the mini size: {played - began:.2f} s of a core for {config.games:,} games, "
          f"{learned - played:.2f} s to learn from them; "
          f"{turns.seen.astype(np.float32).nbytes / 1e6:.1f} MB are learned from")  # fmt: skip
    print(f"a league of it: {config.all_steps} steps, {found.games:,} games that may be elsewhere")
    return found


@contextmanager
def workers(folder: Path, told: dict[str, Any], count: int) -> Iterator[None]:
    """Let so many machines work."""
    with ExitStack() as at_work:
        for number in range(count):
            site = Site(folder / f"worker-{count}-{number}", catalogue=False, **told)
            site.data_dir.mkdir()
            at_work.enter_context(site.slow_worker())
            while "ready" not in (site.data_dir / "worker.log").read_text(errors="replace"):
                time.sleep(0.1)
        yield


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
