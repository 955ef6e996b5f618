"""What a job is told to do, but for getting the code, is done here in an environment of its own."""

import io
import os
import subprocess
import sys
from pathlib import Path

from django.core.management import call_command
from pytest_django import Settings

from agents.checkpoints import read_checkpoint
from tests.support.commands import ROOT
from tests.support.hub_jobs import StandInJob
from tests.support.hub_server import TOKEN, HubServer
from tests.training.hub.conftest import OLD_WAY, REPO
from training.models import Run
from training.runs import lifecycle

pytestmark = OLD_WAY

WITHIN_S = 280
SMALL = ("bargains=4", "epochs=0.1", "check_games=4", "hidden=16", "layers=1")


def perform(job: StandInJob, data: Path) -> None:
    """Be the machine that a job runs on; the image holds the code already."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(data),
        "HF_HUB_DISABLE_XET": "1",
        "OMP_NUM_THREADS": "1",
        **job.spec["environment"],
        **job.spec["secrets"],
        "BAZAAR_DATA_DIR": str(data),
    }
    done = subprocess.run(
        job.spec["command"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=WITHIN_S,
        check=False,
    )
    job.say(*done.stdout.decode().splitlines())
    job.end("ERROR" if done.returncode else "COMPLETED")


def told(*arguments: str) -> str:
    out = io.StringIO()
    call_command("hf_job", *arguments, stdout=out)
    return out.getvalue()


def every_byte(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_model_is_trained_elsewhere_and_comes_home(
    db: None, server: HubServer, settings: Settings, tmp_path: Path
) -> None:
    settings.JOB_SOURCE = ""
    changes = [part for change in SMALL for part in ("--set", change)]
    where = ("--repo", REPO, "--flavor", "cpu-basic", "--ref", "0123456789ab")
    said = told("launch", "base", "--size", "toy", *changes, *where)
    run, row = Run.objects.get(kind="base"), Run.objects.get(kind="hf_job")
    job = server.jobs[0]
    container = tmp_path / "container"
    container.mkdir()
    perform(job, container)
    ended = told("status", row.pk)
    assert job.stage == "COMPLETED", job.lines
    assert "done (completed)" in ended
    assert any("base: teacher games" in line for line in job.lines)
    assert f"{run.pk} is done" in told("fetch", row.pk)
    run.refresh_from_db()
    assert run.summary["parameters"] > 0
    assert read_checkpoint(lifecycle.folder_of(run) / "model").card.made_by == run.pk
    assert server.count("POST", "/commit/main") >= 2
    kept = every_byte(container) + every_byte(Path(settings.RUNS_DIR))
    sent = b"".join(server.repositories[REPO].files.values())
    assert TOKEN.encode() not in kept + sent + (said + ended + "".join(job.lines)).encode()
