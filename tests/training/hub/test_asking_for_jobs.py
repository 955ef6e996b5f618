"""One launch is one job, whatever the hub answers, and only what the operator allows."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from tests.support.hub_server import TOKEN, HubServer, Trouble
from tests.training.hub.conftest import OLD_WAY, REPO
from training.hub.allowed import AlreadyAsked, HubError, NotAllowed, Refused, Unreachable
from training.hub.client import Hub
from training.hub.launching import (
    KIND,
    Checked,
    Launch,
    cancel,
    check,
    find_launch,
    launch,
    launch_of,
    open_launch,
    settle,
)
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import Busy, alone

pytestmark = OLD_WAY

MakeRun = Callable[..., Run]
CODE = "0123456789ab"


def asked(repo: str, flavor: str, timeout: str, **more: Any) -> dict[str, Any]:
    """What an operator writes after ``hf_job launch``."""
    return {"repo": repo, "flavor": flavor, "timeout": timeout, **more}


WISH = asked(REPO, "t4-small", "4h", secrets=("ANTHROPIC_API_KEY",))


@pytest.fixture
def wish(server: HubServer) -> Checked:
    return check(CODE, **WISH)


def test_a_job_runs_the_same_command_in_a_fresh_container(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked
) -> None:
    run = make_run()
    row = launch(hub, run, wish)
    spec = server.jobs[0].spec
    assert spec["dockerImage"] == "python:3.11"
    assert spec["flavor"] == "t4-small"
    assert spec["timeoutSeconds"] == 4 * 3600
    assert spec["attempts"] == 1
    assert spec["labels"] == {"bazaar": row.pk, "name": row.pk}
    assert spec["command"][:2] == ["bash", "-c"]
    assert "pip install --quiet -c constraints.txt '.[site,train,gpu]'" in spec["command"][2]
    assert 'manage.py train --resume "$run" --hub-repo "$repo"' in spec["command"][2]
    values = ["https://code.example/bazaar.git", CODE, REPO, run.pk]
    assert spec["command"][4:] == values
    assert server.jobs[0].namespace == "asha"
    assert f"{run.pk}/hub_run.json" in server.repositories[REPO].files
    assert launch_of(row).job == server.jobs[0].id
    assert launch_of(row).state == "asked"


def test_secrets_go_as_secrets_and_nowhere_else(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked
) -> None:
    row = launch(hub, make_run(), wish)
    spec = dict(server.jobs[0].spec)
    given = spec.pop("secrets")
    assert given == {"HF_TOKEN": TOKEN, "ANTHROPIC_API_KEY": "sk-ant-0123456789abcdef"}
    kept = [json.dumps(run.config) + run.note + repr(run) for run in Run.objects.all()]
    sent = [one.body.decode(errors="replace") for one in server.asked if "/jobs/" not in one.path]
    for secret in given.values():
        assert secret not in json.dumps(spec)
        assert secret not in "".join([*kept, *sent, repr(wish), repr(launch_of(row))])


def test_the_predecessor_goes_along(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked
) -> None:
    before = make_run("base")
    run = make_run("grpo", after=before)
    launch(hub, run, wish)
    files = server.repositories[REPO].files
    assert f"{before.pk}/checkpoints/checkpoint-2/model.safetensors" in files
    assert json.loads(files[f"{run.pk}/hub_run.json"])["after"] == before.pk


def test_the_launch_is_written_down_before_the_hub_is_asked(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[tuple[str, str]] = []

    def ask_and_look(*asked: Any) -> None:
        row = Run.objects.get(kind=KIND)
        states.append((row.status, launch_of(row).state))
        raise KeyboardInterrupt

    monkeypatch.setattr(Hub, "run_job", ask_and_look)
    run = make_run()
    with pytest.raises(KeyboardInterrupt):
        launch(hub, run, wish)
    assert states == [("running", "asking")]
    with pytest.raises(AlreadyAsked, match="hf_job status"):
        launch(hub, run, wish)
    with pytest.raises(AlreadyAsked, match="hf_job status"):
        launch(hub, make_run("other"), wish)
    assert server.count("POST", "/api/jobs/") == 0


def test_a_lost_answer_starts_no_second_job(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked
) -> None:
    run = make_run()
    server.fail("POST", "/api/jobs/", Trouble(done=True))
    with pytest.raises(Unreachable):
        launch(hub, run, wish)
    with pytest.raises(AlreadyAsked):
        launch(hub, run, wish)
    found = settle(hub, find_launch(run.pk))
    assert (found.state, found.job) == ("asked", server.jobs[0].id)
    with pytest.raises(AlreadyAsked):
        launch(hub, run, wish)
    assert server.count("POST", "/api/jobs/asha") == 1


def test_a_question_that_never_arrived_is_forgotten_after_a_while(
    server: HubServer,
    hub: Hub,
    make_run: MakeRun,
    wish: Checked,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = make_run()
    server.fail("POST", "/api/jobs/", Trouble())
    with pytest.raises(Unreachable):
        launch(hub, run, wish)
    row = find_launch(run.pk)
    with pytest.raises(AlreadyAsked, match="in a minute"):
        settle(hub, row)
    monkeypatch.setattr("training.hub.launching.SURELY_LISTED_S", 0.0)
    settle(hub, row)
    assert Run.objects.get(pk=row.pk).status == Run.Status.FAILED
    launch(hub, run, wish)
    assert len(server.jobs) == 1


@pytest.mark.parametrize(
    ("trouble", "kind", "words"),
    [
        (Trouble(401), Refused, "Check HF_TOKEN"),
        (Trouble(403), Refused, "Check HF_TOKEN"),
        (Trouble(402), Refused, "Payment Required"),
    ],
)
def test_a_refusal_is_told_and_asked_once(
    server: HubServer,
    hub: Hub,
    make_run: MakeRun,
    wish: Checked,
    trouble: Trouble,
    kind: type[HubError],
    words: str,
) -> None:
    server.fail("POST", "/api/jobs/", trouble)
    with pytest.raises(kind, match=words) as caught:
        launch(hub, make_run(), wish)
    row = Run.objects.get(kind=KIND)
    assert row.status == Run.Status.FAILED
    assert "[secret]" in str(caught.value)
    assert TOKEN not in f"{caught.value!r}{row.note}"
    assert server.count("POST", "/api/jobs/") == 1


@pytest.mark.parametrize("trouble", [Trouble(429, retry_after="7"), Trouble(500), Trouble(504)])
def test_a_busy_hub_is_not_asked_again_by_itself(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked, trouble: Trouble
) -> None:
    server.fail("POST", "/api/jobs/", trouble)
    with pytest.raises(Unreachable) as caught:
        launch(hub, make_run(), wish)
    assert caught.value.after_s == float(trouble.retry_after or 0)
    assert server.count("POST", "/api/jobs/") == 1
    assert launch_of(Run.objects.get(kind=KIND)).state == "asking"


def test_cancelling_ends_a_job_once(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked
) -> None:
    row = launch(hub, make_run(), wish)
    for _ in range(2):
        assert cancel(hub, row).stage == "CANCELED"
    assert server.count("POST", "/cancel") == 1
    assert Run.objects.get(pk=row.pk).status == Run.Status.CANCELLED


@pytest.mark.parametrize(
    "repo",
    [
        "asha",
        "asha/",
        "/runs",
        "asha/../mallory",
        "asha/ru ns",
        "asha/runs.git",
        "asha/runs\n",
        "asha/runs?x",
        "asha--x/runs",
        "asha/-rf",
        "ASHA@evil/runs",
        "asha/rüns",
        "a/b/c",
        "mallory/runs",
        "ashax/runs",
    ],
)
def test_odd_repositories_are_refused(server: HubServer, repo: str) -> None:
    with pytest.raises(NotAllowed):
        check(CODE, **asked(repo, "t4-small", "1h"))
    assert server.asked == []


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (asked(REPO, "h200x8", "1h"), "cpu-basic, t4-small"),
        (asked(REPO, "t4-small", "30d"), "at most 3d"),
        (asked(REPO, "t4-small", "soon"), "90m"),
        (asked(REPO, "t4-small", "1h", ref="--upload-pack=evil"), "no commit"),
        (asked(REPO, "t4-small", "1h", secrets=("BAZAAR_SECRET_KEY",)), "no secret"),
    ],
)
def test_what_the_operator_does_not_allow_is_refused(
    server: HubServer, wish: dict[str, Any], words: str
) -> None:
    with pytest.raises(NotAllowed, match=words):
        check(CODE, **wish)


def test_an_image_that_is_none_is_refused(server: HubServer, settings: Settings) -> None:
    settings.JOB_IMAGE = "x; rm -rf /"
    with pytest.raises(NotAllowed, match="no image"):
        check(CODE, **WISH)


@pytest.mark.parametrize("code", ["", "0123456789ab+changes"])
def test_code_that_a_job_cannot_get_needs_a_name(server: HubServer, code: str) -> None:
    with pytest.raises(NotAllowed, match="--ref"):
        check(code, **WISH)


def test_without_a_token_nothing_is_asked(server: HubServer, settings: Settings) -> None:
    settings.HUB = {"url": server.url, "token": ""}
    with pytest.raises(NotAllowed, match="HF_TOKEN"):
        Hub()


def test_a_folder_of_this_machine_is_no_beginning_for_a_job(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked
) -> None:
    run = make_run()
    run.config = {**run.config, "source": "/home/asha/model"}
    run.save()
    with pytest.raises(NotAllowed, match="BAZAAR_TRAINABLE_MODELS"):
        launch(hub, run, wish)
    assert server.asked == []


def test_who_launches_a_run_has_it_alone(
    server: HubServer, hub: Hub, make_run: MakeRun, wish: Checked
) -> None:
    run = make_run()
    with alone(lifecycle.folder_of(run)), pytest.raises(Busy):
        launch(hub, run, wish)
    assert server.jobs == []
    assert not Run.objects.filter(kind=KIND).exists()


def test_two_launches_in_one_second_have_two_names(db: None, server: HubServer) -> None:
    one, other = (
        Launch(run, REPO, "t4-small", 60, "python:3.11", CODE, state="asked")
        for run in ("20261121-101500_sft", "20261121-101500_sft-2")
    )
    assert open_launch("sft", one).pk != open_launch("sft", other).pk
