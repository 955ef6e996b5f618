"""A stand-in for the hub, and a run with files for it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import huggingface_hub
import pytest
from huggingface_hub import constants
from pytest_django import Settings

from tests.support.hub_server import TOKEN, HubServer
from training.hub.client import Hub
from training.models import Run
from training.runs import lifecycle

REPO = "asha/runs"

OLD_WAY = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")
"""huggingface_hub 2.4 hands large files to httpx2 in a way that httpx2 would like to drop."""


@pytest.fixture
def server(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HubServer]:
    """A hub that knows Asha's token, and a site that may use her repositories."""
    # The stand-in has the plain way of large files, not the chunked store.
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    with HubServer() as hub:
        settings.HUB = {"url": hub.url, "token": TOKEN}
        settings.HUB_REPOS = ("asha/*",)
        settings.JOB_FLAVORS = ("cpu-basic", "t4-small")
        settings.JOB_IMAGE = "python:3.11"
        settings.JOB_SOURCE = "https://code.example/bazaar.git"
        settings.JOB_SECRETS = {"HF_TOKEN": TOKEN, "ANTHROPIC_API_KEY": "sk-ant-0123456789abcdef"}
        settings.RUNS_DIR = tmp_path / "runs"
        yield hub
        huggingface_hub.close_session()


@pytest.fixture
def hub(server: HubServer) -> Hub:
    """The hub as this site asks it."""
    return Hub()


@pytest.fixture
def make_run(db: None, server: HubServer) -> Callable[..., Run]:
    """Make a run that was interrupted, with files as a stage leaves them."""

    def make(name: str = "sft", *, files: bool = True, after: Run | None = None) -> Run:
        run = lifecycle.open_run(
            name,
            kind="sft",
            config={"stage": "sft", "config": {"size": "toy"}, "source": ""},
            seeds={"seed": 0},
            total=8,
            after=after,
        )
        lifecycle.end(run, Run.Status.INTERRUPTED, "for a test")
        if files:
            write_files(lifecycle.folder_of(run))
        return run

    return make


def write_files(folder: Path, step: int = 2) -> None:
    """Write what a stage has written by a step."""
    checkpoint = folder / "checkpoints" / f"checkpoint-{step}"
    checkpoint.mkdir(parents=True, exist_ok=True)
    (checkpoint / "model.safetensors").write_bytes(b"weights %d" % step * 50)
    (checkpoint / "optimizer.pt").write_bytes(b"moments %d" % step * 50)
    (checkpoint / "trainer_state.json").write_text(json.dumps({"global_step": step}))
    with (folder / "metrics.jsonl").open("a") as metrics:
        metrics.write(json.dumps({"step": step, "loss": 1 / step}) + "\n")
    (folder / "config.json").write_text("{}")
