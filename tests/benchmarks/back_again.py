"""How long a killed web process is away, what a start costs, and what it holds.

    python -m tests.benchmarks.back_again --kills 10
    python -m tests.benchmarks.back_again --kills 10 --busy 4

``serve`` runs as an operator starts it, workers and models beside it; the only web process is
killed with -9, and somebody asks for a page until it is answered. ``--busy`` lets so many others
compute beside it. Each is measured twice: ``forked`` from ``serve``, and ``anew``, by a new
interpreter, as where web processes cannot be forked. ``seconds``: from the kill to the page.
"""

import argparse
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from bazaar_site.programs import STEADY_S
from tests.support.commands import ROOT
from tests.support.served import TICK_S, children
from tests.support.servers import Site
from tests.support.waiting import until

ANEW = """
import os, sys
from bazaar_site.management.commands import serve
serve.preload = lambda: False
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", *sys.argv[1:]])
"""
"""``serve`` whose web processes are not forked."""

QUIET_S = 20.0
"""After the start workers and models still load."""


def web_of(parent: int) -> int:
    """Return the number of the web process, 0 where there is none."""
    return next((pid for pid, line in children(parent).items() if "daphne" in line), 0)


def page(site: Site) -> float:
    """Ask until a page is answered; return when that was."""
    while True:
        with contextlib.suppress(httpx.TransportError):
            httpx.get(f"{site.url}/learn/", timeout=120).raise_for_status()
            return time.monotonic()
        time.sleep(0.02)


@contextlib.contextmanager
def others(count: int) -> Iterator[None]:
    """Let other processes compute without end."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for one in busy:
            one.kill()
            one.wait()


def held_mb(pid: int) -> float:
    """Return the proportional memory of a process."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1]) / 1024


def used_s(pid: int) -> float:
    """Return the processor seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def measure(folder: Path, way: str, kills: int, busy: int) -> dict[str, object]:
    """Start a site, kill its web process so many times, and say what that took."""
    site = Site(folder / way, catalogue=False)
    site.environment["DJANGO_SETTINGS_MODULE"] = "bazaar_site.settings"
    site.prepare()
    program = ["manage.py"] if way == "forked" else ["-c", ANEW]
    command = [sys.executable, *program, "serve", "--port", str(site.port)]
    with (folder / f"{way}.log").open("wb") as log, others(busy):
        began = time.monotonic()
        parent = subprocess.Popen(command, cwd=ROOT, env=site.environment, stdout=log, stderr=log)
        try:
            first_s = page(site) - began
            time.sleep(QUIET_S)
            away, cost = [], []
            for _ in range(kills):
                killed = web_of(parent.pid)
                moment = time.monotonic()
                os.kill(killed, signal.SIGKILL)
                away.append(page(site) - moment)
                until(lambda killed=killed: web_of(parent.pid) not in (0, killed))
                cost.append(used_s(web_of(parent.pid)))
                # One that dies young rests before it is started again: not measured here.
                time.sleep(STEADY_S + 1)
            web, serve = held_mb(web_of(parent.pid)), held_mb(parent.pid)
        finally:
            parent.terminate()
            parent.wait(60)
    return {
        "web": way,
        "busy": busy,
        "first_page_s": round(first_s, 1),
        "seconds": round(statistics.median(away), 2),
        "longest_s": round(max(away), 2),
        "processor_s": round(statistics.median(cost), 2),
        "web_mb": round(web),
        "serve_mb": round(serve),
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--busy", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for way in ("forked", "anew"):
            print(json.dumps(measure(Path(folder), way, asked.kills, asked.busy)), flush=True)


if __name__ == "__main__":
    main()
