"""One number leads from what a person did to the line in the worker's log."""

import functools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.services import Redis, missing
from tests.support.waiting import in_time, until

LOGGED = {"BAZAAR_LOG_JSON": "true", "TRUSTED_PROXIES": "127.0.0.1"}


@pytest.fixture(scope="module", params=["folder", "redis"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site behind a proxy, its worker beside it; jobs wait in a folder, or in Redis."""
    told = dict(LOGGED)
    if request.param == "redis":
        if absent := missing("redis-server"):
            pytest.skip(f"not installed: {absent}")
        redis = request.getfixturevalue("redis")
        told["REDIS_URL"] = redis.url
    folder = tmp_path_factory.mktemp("numbered")
    with Site(folder, catalogue=False, **told) as running, running.worker():
        yield running


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    with Redis() as running:
        yield running


@pytest.fixture
def asha(site: Site) -> Iterator[Visitor]:
    """Asha, who sells at this site."""
    visitor = Visitor(site)
    yield visitor
    visitor.close()


def entries(log: str, number: str) -> list[dict[str, Any]]:
    lines = [line for line in log.splitlines() if number in line and line.startswith("{")]
    return [entry for entry in map(json.loads, lines) if entry.get("request_id") == number]


def jobs(log: str, number: str) -> list[tuple[str, str]]:
    return [(entry["event"], entry["job"]) for entry in entries(log, number) if "job" in entry]


def worker_log(site: Site) -> str:
    return Path(site.data_dir / "grader.log").read_text(errors="replace")


GRADES = "replays.tasks.grade_game"


def test_a_request_is_found_in_the_logs_of_web_and_worker(site: Site, asha: Visitor) -> None:
    game_id = asha.opens()
    token = asha.http.cookies.get("csrftoken", "")
    headers = {"X-CSRFToken": token, "X-Request-ID": "from-the-proxy-1"}
    walk = functools.partial(
        asha.http.post, f"/sell/{game_id}/move/", data={"action": "walk"}, headers=headers
    )
    # At first it is the buyer's turn.
    while (answer := walk()).status_code == 409:
        time.sleep(0.05)
    assert answer.headers["X-Request-ID"] == "from-the-proxy-1"
    until(lambda: ("a job is done", GRADES) in jobs(worker_log(site), "from-the-proxy-1"))
    assert jobs(site.log, "from-the-proxy-1") == [("a job is asked for", GRADES)]


async def test_and_so_is_a_socket(site: Site, asha: Visitor) -> None:
    game_id = asha.opens()
    # Daphne says no headers of ours in a handshake; the proxy has said the number.
    told = {"Cookie": asha.cookies, "X-Request-ID": "from-the-proxy-2"}
    address = f"{site.ws_url}/ws/sell/{game_id}/"
    async with connect(address, additional_headers=told, proxy=None) as line:
        await line.send(json.dumps({"type": "sync", "after": 0}))
        while '"actor":"buyer"' not in str(await line.recv()):
            pass
        await line.send(json.dumps({"type": "walk"}))
        await in_time(
            lambda: ("a job is done", GRADES) in jobs(worker_log(site), "from-the-proxy-2")
        )
    assert jobs(site.log, "from-the-proxy-2") == [("a job is asked for", GRADES)]


def test_two_requests_have_two_numbers(asha: Visitor) -> None:
    numbers = {asha.http.get("/sell/").headers["X-Request-ID"] for _ in range(3)}
    assert len(numbers) == 3
