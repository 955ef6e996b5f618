"""Web processes are forked from one that has imported the site, and share nothing that counts."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from bazaar_site.operating import start_times
from tests.support.commands import ROOT
from tests.support.served import TICK_S, Served, children
from tests.support.servers import Site
from tests.support.waiting import until

NEW_INTERPRETER_S = 1.0
"""Processor seconds that a new interpreter needs at least until it serves; a fork a tenth."""

FORKS = """
import asyncio, json, os, sys, threading
import django
django.setup()
from bazaar_site.operating.preloaded import NEVER_BEFORE, preload
told = {"may_fork": preload(), "threads": threading.active_count()}
told["sockets"] = [
    one for one in os.listdir("/proc/self/fd")
    if int(one) > 2 and os.path.exists(f"/proc/self/fd/{one}")
    and not os.readlink(f"/proc/self/fd/{one}").startswith(("/proc", "/dev/null"))
]
told["never"] = [one for one in NEVER_BEFORE if one in sys.modules]
print(json.dumps(told), flush=True)
for _ in range(2):
    if os.fork() == 0:
        import daphne.server
        import bazaar_site.asgi
        from channels.layers import get_channel_layer
        from negotiation.games import lease
        import random
        threads = [one.name for one in threading.enumerate()]
        channel = asyncio.run(get_channel_layer().new_channel())
        own = [lease.PROCESS, channel, str(random.random())]
        told = {"own": own, "threads": threads, "torch": "torch" in sys.modules}
        print(json.dumps(told), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """What a parent and two children of it tell of themselves, where models live with the pages."""
    told = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "bazaar_site.settings",
        "BAZAAR_DATA_DIR": str(tmp_path_factory.mktemp("forks")),
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "BAZAAR_MODEL_PROCESSES": "0",
        "OPENBLAS_NUM_THREADS": "1",
    }
    told.pop("SAUDA_LOCAL_MODEL", None)
    done = subprocess.run(
        [sys.executable, "-c", FORKS], cwd=ROOT, env=told, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def test_the_parent_has_no_thread_no_loop_and_nothing_open(said: list[dict[str, object]]) -> None:
    assert said[0] == {"may_fork": True, "threads": 1, "sockets": [], "never": []}


def test_each_child_is_known_by_its_own_name_and_loads_no_model_before_it_listens(
    said: list[dict[str, object]],
) -> None:
    _, one, other = said
    assert set(one["own"]).isdisjoint(other["own"])  # type: ignore[call-overload]
    for child in (one, other):
        assert child["threads"] == ["MainThread"]
        assert child["torch"] is False


def web_of(parent: int) -> int | None:
    return next((pid for pid, line in children(parent).items() if "daphne" in line), None)


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def test_a_killed_web_process_costs_a_fork_again_and_again(tmp_path: Path) -> None:
    with Served(tmp_path, catalogue=False) as site:
        assert site.process is not None
        dead = {web_of(site.process.pid)}
        for _ in range(3):
            pid = web_of(site.process.pid)
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            assert httpx.get(f"{site.url}/learn/", timeout=60).status_code == 200
            now = web_of(site.process.pid)
            assert now is not None
            assert now not in dead
            assert cpu_s(now) < NEW_INTERPRETER_S
            dead.add(now)
        # Killed outright, the parent leaves nobody behind.
        everybody = [*children(site.process.pid)]
        site.process.kill()
        site.process.wait()
        site.process = None
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in everybody))


def test_timings_tell_every_step_of_a_start(tmp_path: Path) -> None:
    site = Site(tmp_path, catalogue=False)
    site.prepare()
    command = [sys.executable, "manage.py", "serve", "--only", "web", "--port", str(site.port)]
    with subprocess.Popen(
        [*command, "--timings"], cwd=ROOT, env=site.environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as parent:  # fmt: skip
        assert parent.stdout
        heard = ""
        while "site, all:" not in heard:
            line = parent.stdout.readline()
            assert line, heard
            heard += line
        parent.terminate()
        assert parent.wait(60) == 0
    for step in (
        *("serve, Python", "serve, Celery", "serve, settings", "serve, Django", "serve, checks"),
        *("serve, addresses and pages", "serve, values", "serve, tables of words", "serve, all"),
        *("imports, django", "imports, negotiation", "imports, all"),
        *("site, Daphne", "site, sockets", "site, listening"),
    ):
        assert step in heard


def test_steps_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_times, "_done", [])
    start_times.begin()
    for step in ("one", "two"):
        start_times.done(step)
    assert [step for step, _, _ in start_times._done] == ["one", "two"]
    assert all(wall_s >= 0 and cpu_s >= 0 for _, wall_s, cpu_s in start_times._done)
