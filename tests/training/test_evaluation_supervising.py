"""The process that plays a run, and what becomes of the run when it does not end by itself."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.evaluating import a_plan
from training.evaluation.folder import Folder
from training.evaluation.running import open_evaluation
from training.jobs import worker
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import Stopped, alone, at_work

SLEEPS = "import time; time.sleep(600)"
"""Longer than any test may take."""
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("runs_here")]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run that this process has claimed for its worker."""
    run = open_evaluation(a_plan(), "watched", Folder(tmp_path / "watched"), waits=True)
    assert lifecycle.claim(run)
    return run


@pytest.fixture
def played_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put another program in the place of the command."""
    popen = subprocess.Popen

    def put(program: str) -> None:
        monkeypatch.setattr(worker, "LOOK_EVERY_S", 0.02)
        monkeypatch.setattr(
            worker.subprocess,
            "Popen",
            lambda _, **options: popen([sys.executable, "-c", program], **options),
        )

    return put


def soon(happens: Callable[[], object]) -> threading.Thread:
    """Do something while the process is watched."""
    later = threading.Timer(0.3, happens)
    later.start()
    return later


def state(run: Run) -> tuple[str, str]:
    run.refresh_from_db()
    return run.status, run.note


def test_who_is_cancelled_by_a_signal_before_it_looks_is_cancelled(run: Run) -> None:
    def works() -> None:
        with at_work(run):
            assert lifecycle.ask_to_stop(run)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        works()
    assert state(run) == ("cancelled", str(Stopped()))


def test_a_process_that_dies_without_a_word_leaves_an_interrupted_run(
    run: Run, played_by: Callable[[str], None]
) -> None:
    played_by("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    worker.play(run)
    assert state(run) == ("interrupted", "Its process ended with -9; resume it any time.")


def test_what_it_complains_of_is_in_the_log(run: Run, played_by: Callable[[str], None]) -> None:
    played_by("raise SystemExit('no more memory')")
    worker.play(run)
    assert "no more memory" in (lifecycle.folder_of(run) / "stdout.log").read_text()


def test_a_worker_that_stops_ends_what_it_plays(
    run: Run, played_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    played_by(SLEEPS)
    # The task runs in a child of the worker; here one process is both.
    monkeypatch.setattr(os, "getppid", os.getpid)
    worker.forget()
    assert not worker.is_stopping()
    later = soon(worker.announce)
    worker.play(run)
    later.join()
    assert state(run)[0] == "interrupted"
    lifecycle.queue(run)
    assert worker.work() == 0, "it takes nothing new"
    worker.forget()


def test_a_cancelled_process_that_hears_nothing_is_ended(
    run: Run, played_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    played_by(DEAF)
    monkeypatch.setattr(worker, "PATIENCE_S", 0.5)
    assert lifecycle.ask_to_stop(run)
    worker.play(run)
    assert state(run) == ("cancelled", worker.HARD_END)
    assert not run.cancel_asked


def test_a_run_that_is_resumed_while_its_process_ends_stays_in_the_queue(
    run: Run, played_by: Callable[[str], None]
) -> None:
    played_by("")
    lifecycle.end(run, Run.Status.CANCELLED)
    assert lifecycle.queue(run)
    worker.play(run)
    assert state(run)[0] == "queued"


def test_only_one_process_of_a_machine_plays(run: Run, tmp_path: Path) -> None:
    Run.objects.update(status=Run.Status.QUEUED)
    folder = tmp_path / "runs"
    folder.mkdir(exist_ok=True)
    with alone(folder):
        assert worker.work() == 0
    assert state(run)[0] == "queued"
