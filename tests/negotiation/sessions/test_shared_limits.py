"""Limits of what people do hold for all processes together, also after a restart."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.support.commands import ROOT, inherited
from tests.support.new_databases import make_database
from tests.support.services import Postgres, Redis, missing
from tests.support.warm import begin

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]

PROCESSES = 4
LIMIT = 40


@pytest.fixture(scope="module", params=["sqlite", "postgresql", "redis"])
def environment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """A site in each way it can be run."""
    folder = tmp_path_factory.mktemp("limits")
    with ExitStack() as stack:
        given = {"BAZAAR_DATA_DIR": str(folder), "BAZAAR_LIMIT_GAMES": f"{LIMIT}/hour"}
        if request.param == "postgresql":
            given["DATABASE_URL"] = stack.enter_context(Postgres()).url
        if request.param == "redis":
            given["REDIS_URL"] = stack.enter_context(Redis()).url
        settings = {**inherited(), **given}
        make_database(settings)
        yield settings


def rush(environment: dict[str, str], key: str) -> int:
    """Let fifty callers in each of four new processes in at once; give how many passed."""
    command = [sys.executable, "-m", "tests.support.limit_crowd", key]
    crowd = [
        begin(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    for process in crowd:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    with ThreadPoolExecutor(PROCESSES) as pool:
        answers = pool.map(lambda process: process.communicate("go\n")[0], crowd)
        return sum(map(int, answers))


def test_two_hundred_callers_use_a_limit_up_to_the_last_and_no_further(
    environment: dict[str, str],
) -> None:
    assert rush(environment, "198.51.100.9") == LIMIT
    assert rush(environment, "198.51.100.9") == 0, "new processes remember"
