"""Processes side by side: what dies comes back, what cannot live ends all, and nobody is left."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bazaar_site import programs
from bazaar_site.programs import GAVE_UP, RESTS_S, Child, Children
from tests.support.commands import ROOT
from tests.support.waiting import until

SLEEPS = [sys.executable, "-c", "import time; time.sleep(60)"]


def is_there(pid: int) -> bool:
    """Whether a process lives; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def pid_of(child: Child) -> int:
    return child.process.pid if child.process is not None else 0


def test_the_only_web_process_is_started_again() -> None:
    site = Child("site", SLEEPS, vital=True)
    children = Children(site)
    ends: list[int] = []
    running = threading.Thread(target=lambda: ends.append(children.run()))
    running.start()
    until(lambda: bool(pid_of(site)))
    first = pid_of(site)
    os.kill(first, signal.SIGKILL)
    until(lambda: pid_of(site) not in (0, first))
    again = pid_of(site)
    assert is_there(again)
    children.stop()
    running.join()
    assert ends == [0]
    assert not is_there(again)


def test_what_ends_as_soon_as_it_starts_ends_all_and_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(programs, "RESTS_S", tuple(0.0 for _ in RESTS_S))
    starts = tmp_path / "starts"
    code = f"open({str(starts)!r}, 'a').write('x'); raise SystemExit(7)"
    other = Child("worker", SLEEPS)
    broken = Child("site", [sys.executable, "-c", code], vital=True)
    assert Children(other, broken).run() == GAVE_UP
    assert len(starts.read_text()) == len(RESTS_S) + 1
    assert not is_there(pid_of(other))
    assert "site ended 7 times in a row" in caplog.text
    assert "status 7" in caplog.text


def test_a_worker_that_cannot_live_ends_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "RESTS_S", (0.0, 0.01))
    site = Child("site", SLEEPS, vital=True)
    worker = Child("worker", [sys.executable, "-c", ""])
    starts = 0
    begin = worker.start

    def count() -> None:
        nonlocal starts
        starts += 1
        begin()

    monkeypatch.setattr(worker, "start", count)
    children = Children(site, worker)
    running = threading.Thread(target=children.run)
    running.start()
    until(lambda: starts > 5)
    assert is_there(pid_of(site))
    children.stop()
    running.join()


def test_an_ending_that_takes_too_long_is_cut_short_for_all_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(programs, "STOP_WITHIN_S", 0.5)
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    several = [Child(name, [sys.executable, "-c", deaf]) for name in "abc"]
    children = Children(*several)
    children.stop()
    assert children.run() == 0
    assert not any(is_there(pid_of(child)) for child in several)


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells children on Linux alone")
def test_nobody_outlives_a_parent_that_is_killed_outright() -> None:
    code = (
        "import os, sys; sys.path.insert(0, os.getcwd())\n"
        "from bazaar_site.programs import Child\n"
        f"child = Child('site', {SLEEPS!r}); child.start()\n"
        "print(child.process.pid, flush=True)\n"
        "import time; time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    time.sleep(0.1)
    assert is_there(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: not is_there(child))
