"""Four processes with a crowd of callers each rush a gate: no cap is passed by one.

Twelve callers of each are at the gate at any moment; a hundred in all are as thick as two hundred.
"""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import pytest

from tests.agents.gates.conftest import NOON, WIDE
from tests.support.commands import ROOT, inherited
from tests.support.crowd import Result, Rush
from tests.support.new_databases import make_database
from tests.support.services import Postgres, Redis, missing
from tests.support.warm import begin

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]

PROCESSES, CALLERS = 4, 25
THREADS = 12
"""Connections of one process: PostgreSQL has sixty, and on SQLite more of them only sleep."""
DAY = 86_400.0


class Process:
    """One process of the site, waiting for orders."""

    def __init__(self, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "tests.support.crowd", str(THREADS)]
        self.process = begin(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def is_ready(self) -> None:
        assert self._line() == "ready\n"

    def rush(self, rush: Rush) -> Result:
        assert self.process.stdin
        self.process.stdin.write(msgspec.json.encode(rush).decode() + "\n")
        self.process.stdin.flush()
        answer = self._line()
        return msgspec.json.decode(answer, type=Result) if answer else Result()

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()

    def _line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline()


class House:
    """A database, maybe a Redis, and four processes that share them; ``days`` keep rushes apart."""

    def __init__(self, folder: Path, **services: str) -> None:
        self.environment = {**inherited(), "BAZAAR_DATA_DIR": str(folder), **services}
        self.processes: list[Process] = []
        self.now = NOON
        self.backend = "hf"

    def __enter__(self) -> Self:
        make_database(self.environment)
        self.restart()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self.processes:
            process.end()

    def restart(self) -> None:
        """End all processes and start new ones."""
        for process in self.processes:
            process.end()
        self.processes = [Process(self.environment) for _ in range(PROCESSES)]
        for process in self.processes:
            process.is_ready()

    def mend(self) -> None:
        """Start the first process again, which has ended."""
        self.processes[0].end()
        self.processes[0] = Process(self.environment)
        self.processes[0].is_ready()

    def new_day(self) -> None:
        """Leave every count, window and breaker behind."""
        self.now += 3 * DAY
        self.backend = f"hf-{self.now / DAY:.0f}"

    def rush(self, gates: dict[str, float], processes: int = PROCESSES, **how: Any) -> list[Result]:
        """Everybody at once."""
        now, callers = how.pop("now", self.now), how.pop("callers", CALLERS)
        how.setdefault("backend", self.backend)
        rush = Rush({**WIDE, **gates}, now, callers=callers, **how)
        with ThreadPoolExecutor(processes) as pool:
            return list(pool.map(lambda each: each.rush(rush), self.processes[:processes]))


def passed(results: list[Result]) -> int:
    return sum(result.passed for result in results)


def most_at_once(results: list[Result]) -> int:
    """The most calls that were under way at one moment; CLOCK_MONOTONIC is one for all."""
    ends = [edge for result in results for span in result.spans for edge in _edges(span)]
    most = now = 0
    for _, step in sorted(ends):
        now += step
        most = max(most, now)
    return most


def _edges(span: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    return (span[0], 1), (span[1], -1)


HOUSES = ("sqlite", *(pytest.param(one, marks=pytest.mark.soak) for one in ("postgresql", "redis")))


@pytest.fixture(scope="module", params=HOUSES)
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """A site in each way it can be run."""
    folder = tmp_path_factory.mktemp("house")
    services: dict[str, str] = {}
    with ExitStack() as stack:
        if request.param != "sqlite":
            services["DATABASE_URL"] = stack.enter_context(Postgres()).url
        if request.param == "redis":
            services["REDIS_URL"] = stack.enter_context(Redis()).url
        yield stack.enter_context(House(folder, **services))


@pytest.fixture(autouse=True)
def another_day(house: House) -> None:
    house.new_day()


@pytest.mark.parametrize(
    ("gates", "gate", "most"),
    [
        ({"daily_calls": 37}, "daily-calls", 37),
        ({"daily_microusd": 50_000}, "daily-spend", 71),
        ({"concurrency": 4}, "concurrency", 4),
        ({"per_minute": 30}, "minute", 30),
        ({"per_hour": 41}, "hour", 41),
        ({"per_day": 43}, "day", 43),
    ],
)
def test_a_cap_is_reached_and_never_passed(
    house: House, gates: dict[str, float], gate: str, most: int
) -> None:
    results = house.rush(gates)
    assert passed(results) == most
    assert sum(result.refused.get(gate, 0) for result in results) == PROCESSES * CALLERS - most


def test_a_restart_keeps_every_count(house: House) -> None:
    assert passed(house.rush({"daily_microusd": 35_000})) == 50
    house.restart()
    assert passed(house.rush({"daily_microusd": 35_000})) == 0
    assert passed(house.rush({"daily_microusd": 35_000}, now=house.now + DAY)) == 50


def test_never_more_than_four_calls_are_under_way(house: House) -> None:
    results = house.rush({"concurrency": 4}, mode="work", tries=8)
    assert passed(results) >= 20
    assert 2 <= most_at_once(results) <= 4


def test_money_given_back_can_be_spent_and_no_more(house: House) -> None:
    cap = 17_500
    results = house.rush({"daily_microusd": cap}, mode="work", tries=2)
    spent = sum(result.cost_microusd for result in results)
    assert passed(results) > cap // 700
    assert spent <= cap
    for reserve, fits in ((cap - spent + 1, 0), (cap - spent, 1), (1, 0)):
        one = {"processes": 1, "callers": 1, "reserve_microusd": reserve}
        assert passed(house.rush({"daily_microusd": cap}, **one)) == fits


def test_a_killed_process_neither_loses_nor_doubles_money(house: House) -> None:
    gates = {"daily_microusd": 70_000, "concurrency": 75}
    # All callers of one process hold two calls each when it is killed.
    house.rush(gates, processes=1, mode="crash", tries=2)
    assert house.processes[0].process.wait() == -9
    house.mend()
    assert passed(house.rush(gates)) == 25
    later = house.rush(gates, now=house.now + 40)
    assert passed(later) == 25
    assert {gate for result in later for gate in result.refused} == {"daily-spend"}


def test_a_backend_that_recovers_is_tried_by_one_of_a_hundred(house: House) -> None:
    gates = {"breaker_failures": CALLERS, "breaker_open_s": 60}
    house.rush(gates, processes=1, mode="break")
    results = house.rush(gates, now=house.now + 60)
    assert passed(results) == 1
    assert sum(result.refused["breaker"] for result in results) == PROCESSES * CALLERS - 1
