"""Two ``serve`` on one data folder: the second says what to do, and a killed one holds nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from bazaar_site.operating import serve_lock
from tests.support.commands import ROOT
from tests.support.served import children
from tests.support.servers import Site, free_port
from tests.support.waiting import until

ALIVE = """
import os, sys, time
import django
django.setup()
from bazaar_site.operating import serve_lock
serve_lock.take(sys.argv[1:])
print("held", flush=True)
time.sleep(600)
"""


def holding(site: Site, *parts: str) -> "subprocess.Popen[str]":
    """Return a process that holds parts of a site."""
    told = {**site.environment, "DJANGO_SETTINGS_MODULE": "bazaar_site.settings"}
    command = [sys.executable, "-c", ALIVE, *parts]
    holder = subprocess.Popen(command, cwd=ROOT, env=told, stdout=subprocess.PIPE, text=True)
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    return holder


def serves(site: Site, *more: str) -> "subprocess.CompletedProcess[str]":
    """Start a ``serve`` that is refused, to its end."""
    command = [sys.executable, "manage.py", "serve", "--port", str(free_port()), *more]
    return subprocess.run(
        command, cwd=ROOT, env=site.environment, check=False, capture_output=True, text=True
    )


def test_a_second_one_is_refused_and_told_what_to_do_until_the_first_is_dead(
    tmp_path: Path,
) -> None:
    site = Site(tmp_path, catalogue=False)
    with holding(site, "web", "workers") as first:
        for more in ((), ("--only", "web"), ("--only", "workers")):
            second = serves(site, *more)
            assert second.returncode == 1
            assert f"Another serve (process {first.pid})" in second.stderr
            assert "BAZAAR_DATA_DIR" in second.stderr
            assert "Traceback" not in second.stderr
        with holding(site, "environments") as beside:
            beside.kill()
        first.kill()
    with holding(site, "web", "workers") as next_one:
        next_one.kill()


def test_children_of_a_killed_serve_hold_nothing(tmp_path: Path) -> None:
    site = Site(tmp_path, catalogue=False)
    site.prepare()
    command = [sys.executable, "manage.py", "serve", "--port", str(site.port)]
    parent = subprocess.Popen(command, cwd=ROOT, env=site.environment, stderr=subprocess.DEVNULL)
    until(lambda: len(children(parent.pid)) == 3)
    orphans = [*children(parent.pid)]
    # Between fork and exec a child still is its parent, lock and all.
    own = Path(f"/proc/{parent.pid}/cmdline").read_bytes()
    until(lambda: all(Path(f"/proc/{pid}/cmdline").read_bytes() != own for pid in orphans))
    for pid in orphans:
        os.kill(pid, signal.SIGSTOP)  # they cannot go yet, although they are told to
    try:
        assert serves(site).returncode == 1
        parent.kill()
        parent.wait()
        with holding(site, "web", "workers") as next_one:
            next_one.kill()
    finally:
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("redis_url", "vendor", "is_refused"),
    [
        ("", "sqlite", True),
        ("", "postgresql", True),
        ("redis://x", "sqlite", True),
        ("redis://x", "postgresql", False),
    ],
)
def test_only_postgresql_and_redis_make_one_site_of_several(
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    redis_url: str,
    vendor: str,
    is_refused: bool,
) -> None:
    settings.REDIS_URL, settings.QUEUE_DIR = redis_url, tmp_path / "queue"
    monkeypatch.setattr("bazaar_site.operating.serve_lock.connection.vendor", vendor)
    monkeypatch.setattr(serve_lock, "_held", [])
    serve_lock.take(["web"])
    try:
        if is_refused:
            with pytest.raises(CommandError, match="DATABASE_URL"):
                serve_lock.take(["web"])
        else:
            serve_lock.take(["web"])
    finally:
        serve_lock.let_go()
