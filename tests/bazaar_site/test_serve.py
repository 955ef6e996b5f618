"""``manage.py serve``: the site and its worker live and end together."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.support.commands import ROOT
from tests.support.served import children
from tests.support.servers import Site, free_port
from tests.support.waiting import until

WITHIN_S = 60


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    site = Site(tmp_path, catalogue=False)
    site.prepare()
    command = [sys.executable, "manage.py", "serve", "--port", str(site.port)]
    parent = subprocess.Popen(command, cwd=ROOT, env=site.environment)
    try:
        yield parent, site.url
    finally:
        parent.terminate()
        parent.wait(WITHIN_S)


def parts(url: str) -> dict[str, str]:
    try:
        return dict(httpx.get(f"{url}/healthz").json()["parts"])
    except httpx.TransportError:
        return {}


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def worker_of(parent: int) -> int | None:
    workers = {pid: line for pid, line in children(parent).items() if "celery" in line}
    return next((pid for pid, line in workers.items() if "training" not in line), None)


def test_it_serves_works_and_mends_itself(served: tuple[subprocess.Popen[bytes], str]) -> None:
    parent, url = served
    until(lambda: parts(url).get("worker") == "ok" and parts(url).get("training") == "ok")
    first = worker_of(parent.pid)
    assert first is not None
    until(lambda: bool(children(first)))
    pool = [*children(first)]
    os.kill(first, signal.SIGKILL)
    a_second_site_gives_up(url)
    until(lambda: worker_of(parent.pid) not in (None, first))
    # They notice that the worker is gone, which may be after the next one is there.
    until(lambda: not any(is_alive(pid) for pid in pool))
    everybody = [*children(parent.pid)]
    assert len(everybody) == 3
    parent.send_signal(signal.SIGINT)
    assert parent.wait(WITHIN_S) == 0
    assert not any(is_alive(pid) for pid in everybody)


def web_of(parent: int) -> int | None:
    return next((pid for pid, line in children(parent).items() if "daphne" in line), None)


def test_the_only_web_process_comes_back_and_who_comes_meanwhile_waits(
    served: tuple[subprocess.Popen[bytes], str],
) -> None:
    parent, url = served
    until(lambda: bool(parts(url)))
    first = web_of(parent.pid)
    assert first is not None
    os.kill(first, signal.SIGKILL)
    # Nobody listens now but the parent, which holds the port open.
    answer = httpx.get(f"{url}/healthz", timeout=WITHIN_S)
    assert answer.json()["parts"]["database"] == "ok"
    assert web_of(parent.pid) not in (None, first)


def test_environments_have_a_process_of_their_own_where_that_is_asked_for(tmp_path: Path) -> None:
    port = free_port()
    site = Site(tmp_path, catalogue=False, BAZAAR_ENV_PORT=str(port))
    site.prepare()
    command = [sys.executable, "manage.py", "serve", "--port", str(site.port)]
    parent = subprocess.Popen(command, cwd=ROOT, env=site.environment)
    try:
        until(lambda: bool(parts(site.url)))
        here, there = f"{site.url}/env/bazaar", f"http://127.0.0.1:{port}/env/bazaar"
        assert httpx.post(f"{there}/reset", json={"seed": 7}, timeout=WITHIN_S).status_code == 200
        refused = httpx.post(f"{here}/reset", json={"seed": 7})
        assert refused.status_code == 421
        assert f"port {port}" in refused.json()["error"]["detail"]
        page = httpx.get(f"http://127.0.0.1:{port}/learn/")
        assert page.status_code == 421
        with connect(f"ws://127.0.0.1:{port}/env/bazaar/ws") as line:
            line.send('{"type":"reset","data":{"seed":7}}')
            assert json.loads(line.recv())["type"] == "observation"
        with connect(f"{site.ws_url}/env/bazaar/ws") as line:
            assert f"port {port}" in json.loads(line.recv())["data"]["message"]
    finally:
        parent.terminate()
        parent.wait(WITHIN_S)


def a_second_site_gives_up(url: str) -> None:
    """The port is taken: the second site ends before it has started anything, and says so."""
    port = url.rsplit(":", 1)[1]
    command = [sys.executable, "manage.py", "serve", "--port", port]
    again = subprocess.run(
        command, cwd=ROOT, check=False, timeout=WITHIN_S, capture_output=True, text=True
    )
    assert again.returncode == 1
    assert f"Cannot listen on port {port}" in again.stderr
    assert "take another port" in again.stderr
    assert "celery" not in again.stdout + again.stderr
    assert parts(url)
