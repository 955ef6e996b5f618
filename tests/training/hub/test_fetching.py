"""A run comes home whole: its files, its row, and nothing that nobody asked for."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.hub_repositories import Repository
from tests.support.hub_server import TOKEN, HubServer, Trouble
from tests.training.hub.conftest import OLD_WAY, REPO, write_files
from training.hub.allowed import HubError, NotAllowed, Unreachable, card_of
from training.hub.client import Hub
from training.hub.transfer import Uploader, fetch
from training.models import Run
from training.runs import lifecycle

pytestmark = OLD_WAY

MakeRun = Callable[..., Run]


def leave_machine(*gone: Run) -> None:
    """Forget runs as a fresh container has never known them."""
    for run in gone:
        shutil.rmtree(lifecycle.folder_of(run))
        run.delete()


def test_a_fresh_machine_goes_on_with_a_killed_run(
    server: HubServer, hub: Hub, make_run: MakeRun
) -> None:
    run = make_run()
    Uploader(hub, REPO, run).push()
    name, before = run.pk, {p.name: p.read_bytes() for p in files_of(run)}
    leave_machine(run)
    fetched = fetch(hub, REPO, name)
    assert fetched.status == Run.Status.INTERRUPTED
    assert (fetched.kind, fetched.total, fetched.config["stage"]) == ("sft", 8, "sft")
    assert {p.name: p.read_bytes() for p in files_of(fetched)} == before | {
        "hub_run.json": card_of(fetched).to_json()
    }


def test_a_summary_makes_it_done(server: HubServer, hub: Hub, make_run: MakeRun) -> None:
    run = make_run()
    (lifecycle.folder_of(run) / "summary.json").write_text(json.dumps({"valid_json": 0.998}))
    Uploader(hub, REPO, run).push()
    fetched = fetch(hub, REPO, run.pk)
    assert (fetched.status, fetched.done) == (Run.Status.DONE, 8)
    assert fetched.summary == {"valid_json": 0.998}


def test_where_and_by_which_code_it_was_made_comes_along(
    server: HubServer, hub: Hub, make_run: MakeRun
) -> None:
    run = make_run()
    made_by = {"code": "0123456789ab", "machine": {"cores": "64 cores"}}
    (lifecycle.folder_of(run) / "config.json").write_text(json.dumps(made_by))
    Uploader(hub, REPO, run).push()
    name = run.pk
    leave_machine(run)
    fetched = fetch(hub, REPO, name)
    assert (fetched.code_version, fetched.machine) == ("0123456789ab", {"cores": "64 cores"})
    assert fetched.started_at is None


def test_a_file_that_vanishes_while_it_is_sent_is_for_another_time(
    hub: Hub, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError):
        hub.commit(REPO, "nothing", [("weights", tmp_path / "gone")])


def test_the_run_before_it_comes_along(server: HubServer, hub: Hub, make_run: MakeRun) -> None:
    before = make_run("base")
    (lifecycle.folder_of(before) / "summary.json").write_text("{}")
    run = make_run("grpo", after=before)
    for one in (before, run):
        Uploader(hub, REPO, one).push()
    name, first = run.pk, before.pk
    leave_machine(run, before)
    fetched = fetch(hub, REPO, name)
    assert fetched.after is not None
    assert (fetched.after.pk, fetched.after.status) == (first, Run.Status.DONE)


def test_fetching_again_brings_what_is_new(server: HubServer, hub: Hub, make_run: MakeRun) -> None:
    run = make_run()
    uploader = Uploader(hub, REPO, run)
    uploader.push()
    there = dict(server.repositories[REPO].files)
    write_files(lifecycle.folder_of(run), step=4)
    shutil.rmtree(lifecycle.folder_of(run) / "checkpoints" / "checkpoint-2")
    uploader.push()
    new = server.repositories[REPO].files
    repository = server.repositories[REPO]
    repository.commits["1" * 40] = there
    fetch(hub, REPO, run.pk)
    assert sorted(p.parent.name for p in files_of(run, "*/*/model.safetensors")) == ["checkpoint-2"]
    repository.commits["2" * 40] = new
    fetch(hub, REPO, run.pk)
    assert sorted(p.parent.name for p in files_of(run, "*/*/model.safetensors")) == ["checkpoint-4"]


def test_what_is_not_on_the_list_stays_there(
    server: HubServer, hub: Hub, make_run: MakeRun
) -> None:
    run = make_run()
    Uploader(hub, REPO, run).push()
    there = server.repositories[REPO].files
    there[f"{run.pk}/model/modeling_evil.py"] = b"import os"
    there[f"{run.pk}/checkpoints/checkpoint-2/training_args.bin"] = b"pickled"
    there[f"{run.pk}/../escape.json"] = b"{}"
    there["README.md"] = b"about"
    fetch(hub, REPO, run.pk)
    assert not [p for p in files_of(run) if p.suffix in (".py", ".bin")]
    assert server.count("GET", "evil") == 0


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (b"{}", "cannot be read"),
        (b"not json", "cannot be read"),
        (b'{"id": "../../etc", "kind": "sft", "name": "x", "config": {}, "seeds": {}, "total": 1}',
         "is no run"),
        (b'{"id": "20261121-101500_other", "kind": "sft", "name": "x", "config": {}, "seeds": {},'
         b' "total": 1}', "belong to"),
        (b'{"id": "20261121-101500_sft", "kind": "shell", "name": "x", "config": {}, "seeds": {},'
         b' "total": 1}', "no stage"),
    ],
)  # fmt: skip
def test_a_card_that_lies_is_refused(
    db: None, server: HubServer, hub: Hub, card: bytes, words: str
) -> None:
    server.repositories[REPO] = Repository(REPO)
    server.repositories[REPO].files["20261121-101500_sft/hub_run.json"] = card
    with pytest.raises(NotAllowed, match=words):
        fetch(hub, REPO, "20261121-101500_sft")
    assert not Run.objects.exists()


@pytest.mark.parametrize("name", ["../../etc", "20261121-101500_sft/..", "", "-rf"])
def test_an_odd_id_is_refused(db: None, server: HubServer, hub: Hub, name: str) -> None:
    with pytest.raises(NotAllowed, match="is no run"):
        fetch(hub, REPO, name)
    assert server.asked == []


def test_a_run_that_is_at_work_here_is_left_alone(
    server: HubServer, hub: Hub, make_run: MakeRun
) -> None:
    run = make_run()
    Uploader(hub, REPO, run).push()
    lifecycle.queue(run)
    with pytest.raises(NotAllowed, match="queued here"):
        fetch(hub, REPO, run.pk)


def test_a_file_that_comes_otherwise_than_listed_is_not_taken(
    server: HubServer, hub: Hub, make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run()
    Uploader(hub, REPO, run).push()
    name = run.pk
    leave_machine(run)
    monkeypatch.setattr(
        "tests.support.hub_repositories.git_oid", lambda data: "0" * 40, raising=True
    )
    with pytest.raises(Unreachable, match="did not come whole"):
        fetch(hub, REPO, name)
    assert not Run.objects.filter(pk=name).exists()


def test_a_fetch_that_breaks_goes_on_another_time(
    server: HubServer, hub: Hub, make_run: MakeRun
) -> None:
    run = make_run()
    Uploader(hub, REPO, run).push()
    name = run.pk
    leave_machine(run)
    server.fail("GET", "optimizer.pt", *[Trouble(404)] * 3)
    server.fail("HEAD", "optimizer.pt", *[Trouble(403)] * 3)
    with pytest.raises(HubError) as caught:
        fetch(hub, REPO, name)
    assert TOKEN not in repr(caught.value)
    assert not Run.objects.filter(pk=name).exists()
    server.heal()
    assert fetch(hub, REPO, name).status == Run.Status.INTERRUPTED


def test_a_run_that_is_not_there_is_said(server: HubServer, hub: Hub, make_run: MakeRun) -> None:
    Uploader(hub, REPO, make_run()).push()
    with pytest.raises(NotAllowed, match="has no run"):
        fetch(hub, REPO, "20261121-101500_other")


def files_of(run: Run, pattern: str = "**/*") -> list[Path]:
    folder = lifecycle.folder_of(run)
    return [path for path in folder.glob(pattern) if path.is_file() and path.name != ".lock"]
