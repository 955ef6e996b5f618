"""``manage.py hf_job``: what it says, what it never says, and that it leads from start to end."""

import io
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.support.hub_server import TOKEN, HubServer, Trouble
from tests.training.hub.conftest import OLD_WAY, REPO
from training.models import Run
from training.runs import lifecycle
from training.stages.config import LARGE_BASE

pytestmark = OLD_WAY

MakeRun = Callable[..., Run]
KEY = "sk-ant-0123456789abcdef"
ASKED = ("--repo", REPO, "--flavor", "t4-small", "--ref", "0123456789ab")


class Heard:
    """Everything that a command prints, logs and raises."""

    def __init__(self, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
        self._caplog, self._capfd = caplog, capfd
        self._told = ""

    def run(self, *arguments: str) -> str:
        """Run ``hf_job``; give what it printed, or the error it ended with."""
        out, err = io.StringIO(), io.StringIO()
        try:
            call_command("hf_job", *arguments, stdout=out, stderr=err)
            said = out.getvalue()
        except CommandError as error:
            said = f"error: {error}"
            self._told += repr(error) + repr(error.__cause__) + repr(error.__context__)
        self._told += out.getvalue() + err.getvalue() + said
        return said

    def everything(self) -> str:
        """What anybody could have read so far."""
        printed = self._capfd.readouterr()
        return self._told + self._caplog.text + printed.out + printed.err


@pytest.fixture
def heard(
    db: None, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> Iterator[Heard]:
    """Listen at the finest level, to the libraries too."""
    with caplog.at_level(logging.DEBUG):
        for name in ("huggingface_hub", "httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.DEBUG)
        yield Heard(caplog, capfd)
        for name in ("huggingface_hub", "httpx2", "httpcore2"):
            logging.getLogger(name).setLevel(logging.NOTSET)


def stored(folder: Path) -> str:
    """Every byte of the runs' rows and files."""
    rows = [str(vars(run)) for run in Run.objects.all()]
    files = [path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file()]
    return "".join([*rows, *files])


def test_a_job_from_start_to_end(server: HubServer, heard: Heard) -> None:
    said = heard.run("launch", "base", "--size", "toy", "--name", "tiny", "--seed", "3", *ASKED)
    launch = Run.objects.get(kind="hf_job")
    run = Run.objects.get(kind="base")
    assert f"manage.py hf_job status {launch.pk}" in said
    assert run.config["config"]["seed"] == 3
    server.jobs[0].end()
    assert "done (completed)" in heard.run("status", launch.pk)
    assert f"{run.pk} is interrupted" in heard.run("fetch", launch.pk)
    assert "completed" in heard.run("list")
    assert "completed" in heard.run("cancel", launch.pk)
    assert server.count("POST", "/cancel") == 0


def test_a_killed_job_goes_on_in_another_one(
    server: HubServer, heard: Heard, make_run: MakeRun
) -> None:
    run = make_run()
    heard.run("launch", "--resume", run.pk, *ASKED)
    assert "may run already" in heard.run("launch", "--resume", run.pk, *ASKED)
    server.jobs[0].end("ERROR", "killed")
    heard.run("status", run.pk)
    heard.run("fetch", run.pk)
    heard.run("launch", "--resume", run.pk, *ASKED)
    assert [job.spec["command"][7] for job in server.jobs] == [run.pk, run.pk]


def test_a_model_of_the_hub_is_trained_there_by_trl(server: HubServer, heard: Heard) -> None:
    told = ("--set", f"model={LARGE_BASE}", "--set", "vllm=true")
    heard.run("launch", "large-grpo", *told, *ASKED)
    run = Run.objects.get(kind="large-grpo")
    assert (run.config["source"], run.config["config"]["vllm"]) == (LARGE_BASE, True)
    assert server.jobs[0].spec["command"][7] == run.pk
    assert LARGE_BASE in server.jobs[0].spec["environment"]["BAZAAR_TRAINABLE_MODELS"]
    assert "BAZAAR_TRAINABLE_MODELS" in heard.run(
        "launch", "large-sft", "--set", "model=mallory/model", *ASKED
    )


def test_pushing_by_hand(server: HubServer, heard: Heard, make_run: MakeRun) -> None:
    run = make_run()
    assert "6 files" in heard.run("push", run.pk, "--repo", REPO)
    assert f"{run.pk}/metrics.jsonl" in server.repositories[REPO].files
    assert "error" in heard.run("push", "nothing", "--repo", REPO)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("launch", "sft", "--size", "huge", *ASKED), "Stages are"),
        (("launch", "large-sft", "--set", "speed=9", *ASKED), "no setting of large-sft"),
        (("launch", "large-sft", "--set", "speed", *ASKED), "--set takes"),
        (("launch", "sft", "--size", "large", *ASKED), "models of the hub are for large-sft"),
        (("launch", "--resume", "nothing", *ASKED), "no run"),
        (("status", "nothing"), "no launch"),
        (("fetch", "nothing"), "no launch"),
        (("fetch", "x", "--repo", "mallory/x"), "BAZAAR_HUB_REPOS"),
    ],
)
def test_mistakes_are_told_before_anything_is_asked(
    server: HubServer, heard: Heard, arguments: tuple[str, ...], words: str
) -> None:
    assert words in heard.run(*arguments)
    assert server.asked == []
    assert not Run.objects.exists()


def test_no_secret_is_printed_logged_or_stored(
    server: HubServer, heard: Heard, make_run: MakeRun, settings: Any
) -> None:
    run = make_run()
    with (lifecycle.folder_of(run) / "metrics.jsonl").open("a") as metrics:
        metrics.write(f'{{"step": 3, "why": "{KEY} {TOKEN}"}}\n')
    launch = ("launch", "--resume", run.pk, *ASKED, "--secret", "ANTHROPIC_API_KEY")
    server.fail("POST", "/api/repos/create", Trouble(401), Trouble(500))
    server.fail("GET", "/api/models/", Trouble(401))
    for _ in range(2):
        assert "error" in heard.run(*launch)
    server.fail("POST", "/api/jobs/asha", Trouble(403))
    assert "[secret]" in heard.run(*launch)
    heard.run(*launch)
    job = server.jobs[0]
    server.fail("GET", f"/api/jobs/asha/{job.id}", Trouble(403), Trouble(500))
    heard.run("cancel", run.pk)
    heard.run("cancel", run.pk)
    job.end("ERROR", f"died with {KEY}")
    heard.run("status", run.pk)
    server.fail("GET", "/api/models/", Trouble(403))
    heard.run("fetch", run.pk)
    heard.run("fetch", run.pk)
    heard.run("list")
    readable = heard.everything() + stored(settings.RUNS_DIR).replace(
        (lifecycle.folder_of(run) / "metrics.jsonl").read_text(), ""
    )
    assert "[secret]" in readable
    for secret in (TOKEN, KEY):
        assert secret not in readable
        assert all(
            secret.encode() not in one.body for one in server.asked if "/api/jobs/" not in one.path
        )
