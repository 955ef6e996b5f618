"""New results beside earlier ones: the same table as one run gives, or none at all."""

import io
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from tests.support.evaluating import a_plan, a_run, bytes_of
from training.disk import write_json
from training.evaluation.folder import EPISODES, Folder
from training.evaluation.published import publish
from training.evaluation.rows import from_line, to_line
from training.models import Run
from training.runs import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


@pytest.fixture(autouse=True)
def committed(settings: object) -> None:
    settings.COMMIT = "0123456789ab"  # type: ignore[attr-defined]


@pytest.fixture
def earlier(tmp_path: Path) -> Run:
    """Linear and split buyers, played before."""
    return a_run(tmp_path / "earlier", name="earlier")


def evaluated(earlier: Run, *more: str) -> Run:
    call_command(
        "evaluate", "--policies=rules:conceder,rules:split", "--suites=single_deal,career_10",
        *("--episodes=12", "--seed=3", "--workers=1", "--name=whole"), *more, stdout=io.StringIO(),
    )  # fmt: skip
    return Run.objects.exclude(pk=earlier.pk).get()


def test_joined_results_are_those_of_one_run(earlier: Run, tmp_path: Path) -> None:
    whole = evaluated(earlier, f"--join={earlier.pk}")
    buyers = ["rules:conceder", "rules:split", "rules:linear"]
    assert bytes_of(whole) == bytes_of(a_run(tmp_path / "at-once", a_plan(buyers)))


def test_the_receipt_says_that_its_time_is_not_that_of_the_bargains_which_joined(
    earlier: Run, client: Client
) -> None:
    whole = evaluated(earlier, f"--join={earlier.pk}", "--publish")
    page = client.get(f"/training/receipts/{whole.pk}/").content.decode()
    assert f'in <span translate="no">{earlier.pk}</span>' in page


def test_a_run_of_which_only_the_packed_file_is_left_joins_too(earlier: Run) -> None:
    publish(earlier)
    (lifecycle.folder_of(earlier) / EPISODES).unlink()
    whole = evaluated(earlier, f"--join={earlier.pk}")
    assert whole.done == 3 * (12 + 20)


def refused(earlier: Run, *more: str) -> str:
    with pytest.raises(CommandError) as refusal:
        evaluated(earlier, f"--join={earlier.pk}", *more)
    assert Run.objects.count() == 1
    return str(refusal.value)


def test_other_games_do_not_join(earlier: Run) -> None:
    said = refused(earlier, "--seed=4", "--episodes=13", "--suites=single_deal,read_the_tells")
    assert "first seed: 4, there 3" in said
    assert "number of games of single_deal@sampled-1: 13, there 12" in said
    assert "suite read_the_tells@sampled-1: not played there" in said
    assert "cannot stand in one table" in said


def test_another_seller_does_not_join(earlier: Run) -> None:
    folder = Folder(lifecycle.folder_of(earlier))
    plan = folder.plan()
    older = msgspec.structs.replace(plan.suites[0], seller="rule:default@0#0")
    plan = msgspec.structs.replace(plan, suites=(older, *plan.suites[1:]))
    write_json(folder.path / "config.json", plan)
    said = refused(earlier)
    assert "seller of single_deal@sampled-1: rule:default@1#" in said
    assert "there rule:default@0#0" in said


def test_a_buyer_that_plays_another_way_now_does_not_join(earlier: Run) -> None:
    path = lifecycle.folder_of(earlier) / EPISODES
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(to_line(msgspec.structs.replace(from_line(first), rounds=7)) + rest)
    assert "goes another way now" in refused(earlier)


def test_an_unfinished_run_does_not_join(earlier: Run) -> None:
    Run.objects.update(status=Run.Status.INTERRUPTED)
    assert "only a finished run can be joined" in refused(earlier)
