"""Evaluations and leagues on several machines have the files of one machine, byte for byte.

Machines are workers with data folders of their own that share PostgreSQL and Redis.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.evaluate_process import begun, lines
from tests.support.servers import Site
from tests.support.services import Postgres, Redis, missing
from tests.support.waiting import until

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]

PLAYED = (
    "--policies=sauda,rules:og,rules:linear",
    "--suites=single_deal,career_10",
    "--episodes=60",
    "--seed=7",
    "--name=spread",
)
FILES = ("config.json", "episodes.jsonl", "summary.json")
WITHIN_S = 120


class Machines:
    """One site of several machines: a database and a broker for all, a folder for each."""

    def __init__(self, folder: Path, postgres: Postgres, redis: Redis) -> None:
        self.folder = folder
        self._told = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}

    def machine(self, name: str, commit: str = "test") -> Site:
        (self.folder / name).mkdir(exist_ok=True)
        return Site(self.folder / name, catalogue=False, BAZAAR_COMMIT=commit, **self._told)


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    with Postgres() as postgres, Redis() as redis:
        yield Machines(tmp_path_factory.mktemp("machines"), postgres, redis)


@pytest.fixture(scope="module")
def straight(machines: Machines) -> dict[str, bytes]:
    """The files of a run in one process of one machine."""
    site = machines.machine("alone")
    folder = site.data_dir / "run"
    site.manage("evaluate", *PLAYED, f"--out={folder}", "--workers=1")
    return files(folder)


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


def has_played(site: Site) -> bool:
    log = site.data_dir / "worker.log"
    return "training.tasks.play_orders" in log.read_text(errors="replace")


def test_three_machines_write_what_one_writes(
    machines: Machines, straight: dict[str, bytes]
) -> None:
    asking = machines.machine("asking")
    workers = [machines.machine(f"worker-{number}") for number in range(2)]
    with ExitStack() as at_work:
        for site in workers:
            at_work.enter_context(site.slow_worker())
        with begun(asking, *PLAYED, f"--out={asking.data_dir / 'run'}", "--spread=4") as process:
            said, _ = process.communicate(timeout=WITHIN_S)
        assert process.returncode == 0, said
    assert files(asking.data_dir / "run") == straight
    # Who is quick may take all there is; the one that asked plays nothing.
    assert any(map(has_played, workers))
    assert asking.query("select count(*) from training_order") == [(0,)]
    assert not list((asking.data_dir / "run").glob("*.part"))


@pytest.mark.soak
def test_a_machine_that_dies_in_the_middle_changes_nothing(
    machines: Machines, straight: dict[str, bytes]
) -> None:
    asking, folder = machines.machine("asking"), machines.folder / "asking" / "killed"
    first, second = (machines.machine(f"mortal-{number}") for number in range(2))
    with first.slow_worker() as mortal, second.slow_worker():
        until(lambda: "ready" in (second.data_dir / "worker.log").read_text())
        with begun(asking, *PLAYED, f"--out={folder}", "--spread=4") as process:
            claimed = (
                "select count(*) from training_order where claimed_until > now() and answer is null"
            )
            until(lambda: lines(folder) > 0 and asking.query(claimed) != [(0,)], every_s=0.01)
            os.killpg(mortal.pid, signal.SIGKILL)
            said, _ = process.communicate(timeout=WITHIN_S)
        assert process.returncode == 0, said
    assert files(folder) == straight


def test_whoever_asks_may_die_too_and_goes_on(
    machines: Machines, straight: dict[str, bytes]
) -> None:
    asking, folder = machines.machine("asking"), machines.folder / "asking" / "resumed"
    with machines.machine("steady").slow_worker():
        with begun(asking, *PLAYED, f"--out={folder}", "--spread=2") as process:
            until(lambda: lines(folder) > 0, every_s=0.01)
            os.killpg(process.pid, signal.SIGKILL)
        assert 0 < lines(folder) < straight["episodes.jsonl"].count(b"\n")
        asking.manage("evaluate", f"--resume={folder}", "--spread=2")
    assert files(folder) == straight


@pytest.mark.soak
def test_a_machine_with_other_code_leaves_the_games_alone(
    machines: Machines, straight: dict[str, bytes]
) -> None:
    asking, folder = machines.machine("asking"), machines.folder / "asking" / "foreign"
    other = machines.machine("older", commit="before")
    with other.slow_worker(), begun(asking, *PLAYED, f"--out={folder}", "--spread=2") as process:
        said, _ = process.communicate(timeout=WITHIN_S)
        assert process.returncode == 0, said
    assert files(folder) == straight
    assert "another version" in (other.data_dir / "worker.log").read_text()


LEAGUE = ("league", "--size=toy", "--set", "sellers=200", "--set", "games=64",
          "--set", "check_games=2000", "--set", "search_games=512")  # fmt: skip
"""A league of half a minute here, most of it in games that may be played elsewhere."""

KEPT = ("summary.json", "metrics.jsonl", "model/model.safetensors")


@pytest.fixture(scope="module")
def alone(machines: Machines) -> dict[str, bytes]:
    """What a league leaves that one process has played."""
    site = machines.machine("alone")
    site.manage("train", *LEAGUE)
    return left(site)


def left(site: Site) -> dict[str, bytes]:
    [model] = (site.data_dir / "runs").glob("*/model")
    return {name: (model.parent / name).read_bytes() for name in KEPT}


@pytest.mark.soak
def test_a_league_outlives_a_machine_and_whoever_asked_and_leaves_the_same_network(
    machines: Machines, alone: dict[str, bytes]
) -> None:
    asking = machines.machine("league")
    first, second = (machines.machine(f"league-worker-{number}") for number in range(2))
    ordered = "select count(*) from training_order where errand = 'league'"
    claimed = f"{ordered} and claimed_until > now() and answer is null"
    with first.slow_worker() as mortal, second.slow_worker():
        for site in (first, second):
            until(lambda site=site: "ready" in (site.data_dir / "worker.log").read_text())
        with begun(asking, *LEAGUE, "--spread=4", command="train") as process:
            until(lambda: asking.query(claimed) != [(0,)], every_s=0.01)
            os.killpg(process.pid, signal.SIGKILL)
        [run] = (asking.data_dir / "runs").glob("*_league")
        with begun(asking, "--resume", run.name, "--spread=4", command="train") as process:
            until(lambda: asking.query(claimed) != [(0,)], every_s=0.01)
            os.killpg(mortal.pid, signal.SIGKILL)
            said, _ = process.communicate(timeout=WITHIN_S)
        assert process.returncode == 0, said
    assert left(asking) == alone
    assert any(map(has_played, (first, second)))
    assert asking.query(ordered) == [(0,)]
