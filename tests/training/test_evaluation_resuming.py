"""Runs that stop and go on, in this process; tests/live kills the real command."""

import io
import os
import signal
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.support.evaluating import a_plan, a_run, bytes_of, cut_in_half, go_on, say_older
from training.evaluation import BrokenRun, MixedVersions, running
from training.evaluation.folder import Folder
from training.evaluation.published import find_run
from training.evaluation.rows import from_line, to_line
from training.evaluation.running import ProgressReporter, evaluate, open_evaluation
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import alone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


def test_a_run_cut_in_half_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a")
    before = bytes_of(run)
    cut_in_half(run)
    go_on(run)
    assert bytes_of(run) == before
    run.refresh_from_db()
    assert (run.status, run.done) == ("done", run.total)


def test_going_on_with_a_finished_run_changes_no_byte(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a")
    before = bytes_of(run)
    go_on(run)
    assert bytes_of(run) == before


def test_a_run_is_found_by_its_folder_where_the_database_is_new(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a")
    before = bytes_of(run)
    cut_in_half(run)
    run.delete()
    again = find_run(str(tmp_path / "a"))
    assert again.name == "small"
    go_on(again)
    assert bytes_of(again) == before


def test_a_run_whose_folder_is_gone_is_played_anew(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a")
    before = bytes_of(run)
    for path in (tmp_path / "a").iterdir():
        path.unlink()
    again = find_run(run.pk)
    go_on(again)
    assert bytes_of(again) == before


@pytest.mark.parametrize(
    ("place", "field", "words"),
    [
        ("suites", "seller", r"seller of single_deal@sampled-1: older, now rule:default"),
        ("suites", "fingerprint", r"games of single_deal@sampled-1: older, now"),
        ("policies", "version", r"policy rules:linear: older, now rules:linear@"),
    ],
)
def test_other_versions_than_at_the_start_are_refused_and_named(
    tmp_path: Path, place: str, field: str, words: str
) -> None:
    run = a_run(tmp_path / "a")
    cut_in_half(run)
    say_older(run, a_plan(), place, field)
    with pytest.raises(MixedVersions, match=words) as refused:
        go_on(run)
    assert "evaluate anew without --resume" in str(refused.value)


def test_code_that_plays_another_way_under_the_same_version_is_caught(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a")
    cut_in_half(run)
    path = lifecycle.folder_of(run) / "episodes.jsonl"
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(to_line(msgspec.structs.replace(from_line(first), rounds=7)) + rest)
    with pytest.raises(MixedVersions, match="goes another way now"):
        go_on(run)


def test_two_processes_never_work_on_one_run(tmp_path: Path) -> None:
    run = a_run(tmp_path / "a")
    with alone(tmp_path / "a"), pytest.raises(BrokenRun, match="Another process works in a"):
        go_on(run)


def test_a_cancelled_run_keeps_what_was_played_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = bytes_of(a_run(tmp_path / "straight"))
    run = open_evaluation(a_plan(), "small", Folder(tmp_path / "a"))
    monkeypatch.setattr(running, "BEAT_S", 0.0)
    begin = lifecycle.begin

    def cancelled_at_once(run: Run) -> None:
        begin(run)
        assert lifecycle.ask_to_stop(run)

    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "begin", cancelled_at_once)
        with pytest.raises(running.Stopped):
            go_on(run)
    run.refresh_from_db()
    assert run.status == "cancelled"
    assert run.summary is None
    go_on(run)
    assert bytes_of(run) == straight


def test_the_time_that_is_told_is_that_of_all_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = open_evaluation(a_plan(), "small", Folder(tmp_path / "a"))
    monkeypatch.setattr(running, "BEAT_S", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "beat", lambda run, done: False)
        patch.setattr(ProgressReporter, "elapsed_s", 3600.0)
        with pytest.raises(running.Stopped):
            go_on(run)
    assert Folder(tmp_path / "a").facts()["took_s"] == 3600.0
    with monkeypatch.context() as patch:
        patch.setattr(ProgressReporter, "elapsed_s", 60.0)
        out = io.StringIO()
        evaluate(run, workers=1, out=out)
    assert Folder(tmp_path / "a").facts()["took_s"] == 3660.0
    assert "bargains in 3,660 s, 60 s of it since it was resumed." in out.getvalue()


def test_a_polite_end_interrupts_and_the_signal_means_what_it_did_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = open_evaluation(a_plan(), "small", Folder(tmp_path / "a"))
    monkeypatch.setattr(running, "BEAT_S", 0.0)
    before = signal.getsignal(signal.SIGTERM)

    def ended(run: Run, done: int) -> bool:
        os.kill(os.getpid(), signal.SIGTERM)
        return True

    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "beat", ended)
        with pytest.raises(KeyboardInterrupt):
            go_on(run)
    assert signal.getsignal(signal.SIGTERM) == before
    run.refresh_from_db()
    assert (run.status, run.note) == ("interrupted", "Interrupted by a signal; resume it any time.")


def test_a_policy_that_fails_fails_the_run_and_says_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bazaarbatna.players.simple import Split

    run = open_evaluation(a_plan(), "small", Folder(tmp_path / "a"))
    with monkeypatch.context() as patch:
        patch.setattr(Split, "propose", lambda *_: 1 / 0)
        with pytest.raises(running.EvaluationError, match="rules:split failed in single_deal"):
            go_on(run)
    run.refresh_from_db()
    assert run.status == "failed"
    assert "ZeroDivisionError" in run.note
    go_on(run)
    run.refresh_from_db()
    assert run.status == "done"


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    a_run(tmp_path / "a")
    with pytest.raises(BrokenRun, match="holds a run already"):
        open_evaluation(a_plan(), "small", Folder(tmp_path / "a"))
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Name the policies"),
        (["--policies", "sauda", "--episodes", "NaN"], "not 'NaN'"),
        (["--policies", "sauda", "--episodes=-3"], "not '-3'"),
        (["--policies", "sauda", "--seed", "1e3"], "not '1e3'"),
        (["--policies", "sauda", "--workers", "0"], "--workers"),
        (["--policies", "sauda", "--name", "../../x"], "A run's name"),
        (["--policies", "nobody"], "no policy 'nobody'"),
        (["--resume", "nothing"], "There is no run 'nothing'"),
        (["--resume", "x", "--episodes", "5", "--seed", "1"], "leave out --episodes, --seed"),
    ],
)
def test_wrong_arguments_are_refused_before_any_work(arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("evaluate", *arguments, stdout=io.StringIO())
    assert not Run.objects.exists()


def test_the_command_plays_prints_and_publishes() -> None:
    out = io.StringIO()
    call_command(
        "evaluate", "--policies=rules:linear,rules:split", "--suites=single_deal",
        "--episodes=5", "--workers=1", "--name=here", "--publish", stdout=out,
    )  # fmt: skip
    [run] = Run.objects.all()
    assert (run.status, run.name, run.published_at is not None) == ("done", "here", True)
    assert "10 of 10 bargains (100 %)" in out.getvalue()
    assert "rules:split" in out.getvalue()
    assert (lifecycle.folder_of(run) / "stdout.log").read_text().startswith(f"Run {run.pk} begun")
