"""A stage of training, played by real workers over Redis that are killed in the middle."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.support.servers import Site
from tests.support.services import Redis, skip_without
from tests.support.small_stages import make_haggler, quick
from tests.support.waiting import until
from tests.support.warm import TRAINING
from training.models import Run
from training.runs.lifecycle import Stopped

WITHIN_S = 900.0
"""Patience, not a measure: on two quiet cores all of it takes half a minute."""

CONFIG = quick("sft", epochs=3.5, save_every=15).model_dump()
"""The worker is killed after the first checkpoint; more than fifty steps would follow."""

OPEN = """
import json
from negotiation.enqueue import enqueue
from training.tasks import play_waiting
from training.stages.registry import checked
from training.stages.running import open_stage
told = checked("sft", json.loads('''{told}'''))
runs = [open_stage(told, name, source="{source}", waits=True) for name in ("straight", "stopped")]
assert enqueue(play_waiting) and enqueue(play_waiting)
print(json.dumps([run.pk for run in runs]))
"""
RESUME = """
from negotiation.enqueue import enqueue
from training.runs import lifecycle
from training.tasks import play_waiting
from training.models import Run
assert lifecycle.queue(Run.objects.get(pk="{run}")) and enqueue(play_waiting)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Only the database and the queue of a site: workers need no server."""
    skip_without("redis-server")
    folder = tmp_path_factory.mktemp("trained")
    with Redis() as broker:
        told = {"OMP_NUM_THREADS": "1", "BAZAAR_COMMIT": "test", "HF_HUB_OFFLINE": "1"}
        site = Site(folder, catalogue=False, REDIS_URL=broker.url, **told)
        site.prepare()
        yield site


class Follower:
    """Reads where a run is, and fails when ever two are at work."""

    def __init__(self, site: Site, run: str) -> None:
        self._site, self._run = site, run
        self.folder = site.data_dir / "runs" / run

    @property
    def status(self) -> str:
        """Where it is now."""
        running = "select count(*) from training_run where status = 'running'"
        [(together,)] = self._site.query(running)
        assert together <= 1
        where = "select status from training_run where id = %s"
        [(status,)] = self._site.query(where, self._run)
        assert status != "failed", self.log
        return str(status)

    @property
    def log(self) -> str:
        """What it said."""
        path = self.folder / "stdout.log"
        return path.read_text() if path.exists() else ""

    def wait_for(self, status: str) -> None:
        """Wait until it has a status."""
        until(lambda: self.status == status, within_s=WITHIN_S)

    def wait_while_at_work(self, until_this: Callable[[], bool]) -> None:
        """Wait until something has happened before its end; look often, for it is short."""

        def happened() -> bool:
            assert self.status in ("queued", "running")
            return until_this()

        until(happened, every_s=0.05, within_s=WITHIN_S)

    def processes(self) -> list[Path]:
        """Processes that play it."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if self._run.encode() in path.read_bytes():
                    found.append(path)
            except OSError:
                continue
        return found

    def left(self) -> tuple[dict[str, object], bytes]:
        """Its summary, and the weights of its model."""
        summary = json.loads((self.folder / "summary.json").read_text())
        return summary, (self.folder / "model" / "model.safetensors").read_bytes()

    def measured(self) -> list[dict[str, float]]:
        """What it measured, step by step."""
        lines = (self.folder / "metrics.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]


@pytest.mark.timeout(WITHIN_S)
def test_a_stage_that_is_killed_and_cancelled_ends_as_one_that_nobody_disturbed(
    site: Site,
) -> None:
    source = make_haggler(site.data_dir / "haggler")
    opening = OPEN.format(told=msgspec.json.encode(CONFIG).decode(), source=source)
    opened = json.loads(site.manage("shell", "-v0", "-c", opening).splitlines()[-1])
    straight, stopped = (Follower(site, run) for run in opened)
    with site.slow_worker(knows=TRAINING) as worker:
        straight.wait_for("done")
        stopped.wait_while_at_work(
            lambda: any(stopped.folder.glob("checkpoints/*/trainer_state.json"))
        )
        assert stopped.status == "running"
        worker.send_signal(signal.SIGKILL)
        # The worker's child sees that its parent is gone, and the run's process that its line is.
        stopped.wait_for("interrupted")
        until(lambda: not stopped.processes(), within_s=WITHIN_S)
    # Nobody knocks: a worker that starts looks by itself.
    again = "update training_run set status = 'queued' where id = %s"
    site.execute(again, opened[1])
    with site.slow_worker(knows=TRAINING):
        stopped.wait_while_at_work(lambda: "goes on from step " in stopped.log)
        asked = time.monotonic()
        site.execute("update training_run set cancel_asked = %s where id = %s", True, opened[1])
        stopped.wait_for("cancelled")
        took = time.monotonic() - asked
        # It stopped by itself at its next look; after ten seconds it would have been ended.
        [(note,)] = site.query("select note from training_run where id = %s", opened[1])
        assert note == Stopped.__doc__
        site.manage("shell", "-v0", "-c", RESUME.format(run=opened[1]))
        stopped.wait_for("done")
    print(f"cancelled after {took:.1f} s")

    assert stopped.left() == straight.left()
    ours, theirs = stopped.measured(), straight.measured()
    assert [row["step"] for row in ours] == [row["step"] for row in theirs]
    # Losses are means of five steps; of the five around the cancel only the last are known.
    assert sum(row != other for row, other in zip(ours, theirs, strict=True)) <= 1
    # The log of a stage tells its way, line by line.
    assert f"Run {opened[0]}: sft of a toy model, seed 0." in straight.log
    assert f"Run {opened[0]} is done." in straight.log
    assert "\r" not in straight.log


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("batch=7", r"batch \(7\) has to be a multiple of rows_at_once \(16\)"),
        ("stepps=3", "stepps is no setting of sft; there are"),
        ("seed=-1", "seed: "),
    ],
)
def test_a_wrong_setting_is_refused_before_any_work(wrong: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("train", "sft", "--size=toy", "--from=nowhere", "--set", wrong)
    assert not Run.objects.exists()
