"""What a run makes goes to the hub while it is made, and nothing else does."""

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.hub_server import TOKEN, HubServer, Trouble
from tests.support.waiting import until
from tests.training.hub.conftest import OLD_WAY, REPO, write_files
from training.hub.allowed import NotAllowed, Refused
from training.hub.client import Hub
from training.hub.transfer import Pushed, Uploader, uploading
from training.models import Run
from training.runs import lifecycle

pytestmark = OLD_WAY

MakeRun = Callable[..., Run]


def names(server: HubServer, run: Run) -> set[str]:
    return {path.removeprefix(f"{run.pk}/") for path in server.repositories[REPO].files}


def test_what_is_new_goes_up_in_one_commit(server: HubServer, hub: Hub, make_run: MakeRun) -> None:
    run = make_run()
    uploader = Uploader(hub, REPO, run)
    uploader.push()
    assert names(server, run) == {
        "hub_run.json",
        "config.json",
        "metrics.jsonl",
        "checkpoints/checkpoint-2/model.safetensors",
        "checkpoints/checkpoint-2/optimizer.pt",
        "checkpoints/checkpoint-2/trainer_state.json",
    }
    assert uploader.push() == Pushed(0, 0)
    assert server.count("POST", "/commit/main") == 1
    write_files(lifecycle.folder_of(run), step=4)
    assert uploader.push().files == 5
    assert "checkpoints/checkpoint-4/model.safetensors" in names(server, run)


def test_a_checkpoint_that_is_gone_here_goes_there(
    server: HubServer, hub: Hub, make_run: MakeRun
) -> None:
    run = make_run()
    uploader = Uploader(hub, REPO, run)
    uploader.push()
    old = lifecycle.folder_of(run) / "checkpoints" / "checkpoint-2"
    for path in old.iterdir():
        path.unlink()
    old.rmdir()
    uploader.push()
    assert names(server, run) == {"hub_run.json", "config.json", "metrics.jsonl"}


def test_only_names_on_the_list_go_up(
    server: HubServer, hub: Hub, make_run: MakeRun, tmp_path: Path
) -> None:
    run = make_run()
    folder = lifecycle.folder_of(run)
    (tmp_path / "secrets.json").write_text(TOKEN)
    for name in (".env", "stdout.log", "notes.txt", "checkpoints/checkpoint-2/training_args.bin"):
        (folder / name).write_text(TOKEN)
    (folder / "summary.json").symlink_to(tmp_path / "secrets.json")
    (folder / "model").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "config.json").write_text("{}")
    half = folder / "checkpoints" / "checkpoint-4"
    half.mkdir()
    (half / "model.safetensors").write_bytes(b"half of it")
    Uploader(hub, REPO, run).push()
    assert len(names(server, run)) == 6
    assert all(TOKEN.encode() not in data for data in server.repositories[REPO].files.values())
    assert all(TOKEN.encode() not in asked.body for asked in server.asked)


def test_a_token_in_a_line_stays_here(server: HubServer, hub: Hub, make_run: MakeRun) -> None:
    run = make_run()
    line = json.dumps({"step": 3, "why": f"said {TOKEN}"})
    with (lifecycle.folder_of(run) / "metrics.jsonl").open("a") as file:
        file.write(line + "\n")
    Uploader(hub, REPO, run).push()
    assert all(TOKEN.encode() not in data for data in server.repositories[REPO].files.values())
    assert b"[secret]" in server.repositories[REPO].files[f"{run.pk}/metrics.jsonl"]


def test_a_run_uploads_while_it_works_and_at_its_end(server: HubServer, make_run: MakeRun) -> None:
    run = make_run(files=False)
    folder = lifecycle.folder_of(run)
    folder.mkdir(parents=True)
    with uploading(run, REPO, every_s=0.02):
        write_files(folder, step=2)
        until(lambda: "checkpoints/checkpoint-2/optimizer.pt" in names(server, run))
        (folder / "summary.json").write_text("{}")
    assert "summary.json" in names(server, run)


def test_a_hub_that_is_away_costs_the_run_nothing(
    server: HubServer, make_run: MakeRun, caplog: pytest.LogCaptureFixture
) -> None:
    run = make_run()
    server.fail("POST", "/api/repos/create", Trouble(500), Trouble(429, retry_after="0"), Trouble())
    server.fail("POST", "/commit/main", Trouble(503))
    with caplog.at_level(logging.WARNING), uploading(run, REPO, every_s=0.02):
        until(lambda: REPO in server.repositories and len(names(server, run)) == 6)
    assert caplog.text.count("not uploaded") == 4
    assert TOKEN not in caplog.text


def test_a_hub_that_stays_away_is_said_at_the_end(
    server: HubServer,
    make_run: MakeRun,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("training.hub.transfer.LAST_WAIT_S", 0.01)
    run = make_run()
    server.fail("POST", "/api/repos/create", *[Trouble(500)] * 100)
    with caplog.at_level(logging.WARNING), uploading(run, REPO, every_s=0.02):
        pass
    assert f"manage.py hf_job push {run.pk} --repo {REPO}" in caplog.text


@pytest.mark.parametrize("status", [401, 403])
def test_a_hub_that_says_no_stops_the_run_before_it_begins(
    server: HubServer, make_run: MakeRun, status: int
) -> None:
    server.fail("POST", "/api/repos/create", Trouble(status))
    server.fail("GET", "/api/models/", Trouble(status))
    with pytest.raises(Refused, match="HF_TOKEN") as caught, uploading(make_run(), REPO):
        pytest.fail("the run began")
    assert TOKEN not in repr(caught.value)
    assert caught.value.__context__ is None


def test_without_a_repository_nothing_is_asked(server: HubServer, make_run: MakeRun) -> None:
    with uploading(make_run()):
        pass
    assert server.asked == []


def test_mallory_cannot_have_a_run_sent_to_her(server: HubServer, make_run: MakeRun) -> None:
    with pytest.raises(NotAllowed, match="BAZAAR_HUB_REPOS"), uploading(make_run(), "mallory/runs"):
        pytest.fail("the run began")
    assert server.asked == []
