"""Runs that come after each other: what plays next, what waits, and what it says meanwhile."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT
from tests.support.staged import a_stage, signed_in
from tests.support.waiting import until
from training.evaluation import BadPlan
from training.jobs import worker
from training.jobs.chains import (
    Beginning,
    NotAllowed,
    RunSpec,
    beginning,
    choices_of,
    make_configs,
    pin_plan,
    stages_of,
)
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import alone
from training.stages.config import BadConfig

PAGE = "/admin/training/run/"
STATUS = Run.Status

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


def a_chain(episodes: int = 4) -> list[Run]:
    return RunSpec(
        name="small",
        configs=make_configs("toy", 3, begins_with_model=False),
        is_chain=True,
        episodes=episodes,
    ).open_all()


def ended(run: Run, status: str) -> None:
    Run.objects.filter(pk=run.pk).update(status=status)


def test_a_chain_is_a_row_of_runs_each_after_the_one_before() -> None:
    opened = a_chain()
    assert [run.kind for run in opened] == ["league", "base", "sft", "grpo", "dpo", "evaluate"]
    assert [run.after for run in opened] == [None, *opened[:-1]]
    assert set(Run.objects.values_list("chain", flat=True)) == {opened[0].pk}
    assert {run.config["config"]["seed"] for run in opened[:-1]} == {3}


def test_a_chain_on_a_model_needs_no_pretraining_and_a_large_one_never_has_any() -> None:
    assert stages_of("mini", begins_with_model=True) == ("sft", "grpo", "dpo")
    assert stages_of("large", begins_with_model=False) == ("large-sft", "large-grpo", "large-dpo")


def test_each_begins_when_the_one_before_is_done_and_older_chains_come_first() -> None:
    first, second = a_chain(episodes=0), a_chain(episodes=0)
    for expected in (*first, *second):
        found = lifecycle.next_waiting()
        assert found is not None
        assert found.pk == expected.pk
        ended(found, STATUS.DONE)
    assert lifecycle.next_waiting() is None


@pytest.mark.parametrize("status", [STATUS.FAILED, STATUS.CANCELLED, STATUS.INTERRUPTED])
def test_what_comes_after_a_run_that_stopped_waits_and_says_for_whom(status: str) -> None:
    league, base, sft, grpo, *_ = a_chain()
    ended(league, STATUS.DONE)
    ended(base, STATUS.DONE)
    ended(sft, status)
    assert lifecycle.next_waiting() is None
    grpo.refresh_from_db()
    blocker = grpo.blocked_by
    assert blocker is not None
    assert blocker.pk == sft.pk
    omar = signed_in("omar", "view_run", "change_run")
    page = omar.get(f"{PAGE}{grpo.pk}/change/").content.decode()
    assert f'It waits for <a href="{PAGE}{sft.pk}/change/">' in page
    assert "hx-get" not in page, "nothing will change by itself"
    omar.post(f"{PAGE}{sft.pk}/resume/")
    found = lifecycle.next_waiting()
    assert found is not None
    assert found.pk == sft.pk


def test_a_whole_chain_is_cancelled_at_once() -> None:
    opened = a_chain()
    omar = signed_in("omar", "view_run", "change_run")
    omar.post(f"{PAGE}{opened[2].pk}/cancel-chain/")
    assert set(Run.objects.values_list("status", flat=True)) == {"cancelled"}


def test_a_run_that_another_one_waits_for_cannot_be_deleted() -> None:
    before = a_stage("base")
    a_stage("sft", after=before, status=STATUS.QUEUED)
    omar = signed_in("omar", "view_run", "delete_run")
    assert omar.post(f"{PAGE}{before.pk}/delete/", {"post": "yes"}).status_code == 403


def test_a_chain_that_cannot_be_played_leaves_nothing_behind() -> None:
    with pytest.raises(BadConfig):
        RunSpec(
            name="small", configs=make_configs("toy", 0, begins_with_model=True), is_chain=True
        ).open_all()
    with pytest.raises(BadConfig, match="seed"):
        make_configs("toy", -1, begins_with_model=False)
    assert not Run.objects.exists()


def test_its_evaluation_is_refused_in_words_when_there_is_no_model() -> None:
    *_, dpo, last = a_chain()
    ended(dpo, STATUS.DONE)
    last.refresh_from_db()
    with pytest.raises(BadPlan, match="has left no model"):
        pin_plan(last)
    Run.objects.exclude(pk=last.pk).update(status=STATUS.DONE)
    assert worker.work() == 0
    last.refresh_from_db()
    assert (last.status, "has left no model" in last.note) == ("failed", True)


def test_its_evaluation_plays_the_model_of_the_chain_against_rules() -> None:
    *_, dpo, last = a_chain()
    made = a_stage("dpo", name="made")
    last.after = made
    pin_plan(last)
    last.refresh_from_db()
    assert [one["name"] for one in last.config["policies"]] == [
        "small", "rules:smart", "rules:linear",
    ]  # fmt: skip
    assert (last.config["seed"], last.total) == (3, 3 * 2 * 4)
    assert (lifecycle.folder_of(last) / "config.json").is_file()
    assert dpo.status == "queued"


def test_one_may_begin_with_what_runs_left_and_with_nothing_that_is_not_listed(
    settings: object,
) -> None:
    settings.TRAINABLE_MODELS = frozenset({"house/eight"})  # type: ignore[attr-defined]
    done, _ = a_stage("sft"), a_stage("sft", status=STATUS.FAILED)
    offered = dict(choices_of("grpo"))
    assert f"run:{done.pk}" in offered
    assert dict(choices_of("large-sft")) == {"hub:house/eight": "house/eight, from the hub"}
    assert sum(value.startswith("run:") for value in offered) == 1
    assert beginning("hub:house/eight") == Beginning("house/eight")
    assert beginning(f"run:{done.pk}").after == done
    for wrong in ("hub:mallory/model", "model:../../etc", "run:nothing", "/etc", "hub:"):
        with pytest.raises(NotAllowed, match="house/eight"):
            beginning(wrong)


def test_a_run_begun_in_a_terminal_is_seen_by_the_worker() -> None:
    run = a_stage("sft", status=STATUS.RUNNING)
    assert lifecycle.at_work_here() == []
    with alone(lifecycle.folder_of(run)):
        assert lifecycle.at_work_here() == [run]
    assert lifecycle.at_work_here() == []


def test_a_child_notices_that_its_worker_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_worker", None)
    worker.forget()
    worker.remember_worker()
    assert not worker.is_stopping()
    monkeypatch.setattr("os.getppid", lambda: 0)
    assert worker.is_stopping()


def test_a_run_ends_with_the_process_that_holds_its_line(tmp_path: Path) -> None:
    program = (
        "import pathlib, sys, time\n"
        "import django\n"
        "django.setup()\n"
        "from training.runs.lifecycle import end_with_parent\n"
        "end_with_parent()\n"
        "pathlib.Path(sys.argv[1]).touch()\n"
        "time.sleep(60)\n"
    )
    ready = tmp_path / "ready"
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(ready)], cwd=ROOT, stdin=subprocess.PIPE
    )
    until(ready.exists)
    assert child.poll() is None
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(30) == -15
