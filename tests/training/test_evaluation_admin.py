"""Staff start, follow and stop evaluations; nobody else does."""

import contextlib
import datetime as dt
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from bazaar_site import celery_app
from tests.support.evaluating import a_plan, a_run
from tests.support.staged import signed_in
from training.evaluation.folder import Folder
from training.evaluation.running import open_evaluation
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import alone, at_work

PAGE = "/admin/training/run/"
ASKED = {
    "name": "from-the-admin",
    "policies": ["rules:linear", "rules:split"],
    "suites": ["single_deal"],
    "variant": "sampled",
    "episodes": "5",
    "seed": "0",
}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


@pytest.fixture
def omar() -> Client:
    """Omar, who operates the site."""
    return signed_in("omar", "view_run", "add_run", "change_run", "delete_run")


def waiting(tmp_path: Path) -> Run:
    return open_evaluation(a_plan(), "waits", Folder(tmp_path / "waits"), waits=True)


def letters() -> int:
    with celery_app.connection() as connection, connection.channel() as channel:
        return int(channel.queue_declare(settings.LONG_WORK_QUEUE).message_count)


def test_a_run_is_started_by_a_form_and_waits_for_the_worker(omar: Client) -> None:
    form = omar.get(f"{PAGE}add/")
    assert form.status_code == 200
    assert "rules:smart@1#" in form.content.decode()
    before = letters()
    answer = omar.post(f"{PAGE}add/", ASKED, follow=True)
    [run] = Run.objects.all()
    assert (run.status, run.total, run.name) == ("queued", 10, "from-the-admin")
    assert letters() == before + 1
    assert "0 of 10 bargains" in answer.content.decode()
    assert (lifecycle.folder_of(run) / "config.json").exists()


def test_what_cannot_be_played_comes_back_with_the_reason(omar: Client) -> None:
    for wrong, words in (
        ({"policies": ["rules:nobody"]}, "not one of the available choices"),
        ({"suites": []}, "This field is required"),
        ({"episodes": "0"}, "greater than or equal to 1"),
        ({"episodes": "999999"}, "less than or equal to 5000"),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"name": "../x"}, "Small letters, digits and hyphens"),
        ({"name": "x\n"}, None),
    ):
        answer = omar.post(f"{PAGE}add/", ASKED | wrong)
        if words is not None:
            assert words in answer.content.decode()
    assert {run.name for run in Run.objects.all()} <= {"x"}


def test_only_those_who_may_can_touch_a_run(tmp_path: Path) -> None:
    run = waiting(tmp_path)
    mallory = signed_in("mallory", "add_run", "change_run", is_staff=False)
    rita = signed_in("rita", "view_run")
    for name in ("cancel", "resume", "publish", "withdraw"):
        assert mallory.post(f"{PAGE}{run.pk}/{name}/").status_code == 302  # to the login
        assert rita.post(f"{PAGE}{run.pk}/{name}/").status_code == 403
    assert rita.get(f"{PAGE}add/").status_code == 403
    shown = rita.get(f"{PAGE}{run.pk}/change/")
    assert shown.status_code == 200
    assert "Cancel" not in shown.content.decode()
    assert Client().get(f"{PAGE}{run.pk}/progress/").status_code == 302
    run.refresh_from_db()
    assert run.status == "queued"


def test_a_run_that_waits_is_cancelled_at_once_and_can_wait_again(
    omar: Client, tmp_path: Path
) -> None:
    run = waiting(tmp_path)
    omar.post(f"{PAGE}{run.pk}/cancel/")
    run.refresh_from_db()
    assert run.status == "cancelled"
    omar.post(f"{PAGE}{run.pk}/resume/")
    run.refresh_from_db()
    assert run.status == "queued"


def test_the_page_asks_until_the_run_is_over(omar: Client, tmp_path: Path) -> None:
    run = waiting(tmp_path)
    page = omar.get(f"{PAGE}{run.pk}/change/").content.decode()
    assert f'hx-get="{PAGE}{run.pk}/progress/?was=queued"' in page
    assert "HX-Refresh" not in omar.get(f"{PAGE}{run.pk}/progress/?was=queued")
    Run.objects.update(status=Run.Status.RUNNING, alive_at=timezone.now())
    assert omar.get(f"{PAGE}{run.pk}/progress/?was=queued")["HX-Refresh"] == "true"
    Run.objects.update(status=Run.Status.DONE)
    over = omar.get(f"{PAGE}{run.pk}/progress/")
    assert over["HX-Refresh"] == "true"
    assert "hx-get" not in over.content.decode()


def test_a_run_whose_process_vanished_is_shown_as_interrupted(omar: Client, tmp_path: Path) -> None:
    run = waiting(tmp_path)
    (tmp_path / "waits" / ".lock").touch()
    long_ago = timezone.now() - dt.timedelta(seconds=lifecycle.SILENT_S + 1)
    Run.objects.update(status=Run.Status.RUNNING, alive_at=long_ago)
    page = omar.get(f"{PAGE}{run.pk}/change/").content.decode()
    assert "Interrupted" in page
    assert "Resume" in page


def test_a_run_that_is_silent_and_alive_is_not_taken_for_lost(tmp_path: Path) -> None:
    waiting(tmp_path)
    long_ago = timezone.now() - dt.timedelta(seconds=10 * lifecycle.LOST_S)
    Run.objects.update(status=Run.Status.RUNNING, alive_at=long_ago)
    with alone(tmp_path / "waits"):
        assert lifecycle.mark_lost() == 0
    assert lifecycle.mark_lost() == 1


def test_a_run_that_was_taken_for_lost_and_gives_a_sign_is_at_work(tmp_path: Path) -> None:
    run = waiting(tmp_path)
    run.alive_at = timezone.now() - dt.timedelta(seconds=10 * lifecycle.LOST_S)
    Run.objects.update(status=Run.Status.RUNNING, alive_at=run.alive_at)
    assert lifecycle.mark_lost() == 1
    assert lifecycle.beat(run, 0)
    run.refresh_from_db()
    assert (run.status, run.note, run.ended_at) == (Run.Status.RUNNING, "", None)


def test_what_fails_after_the_end_does_not_undo_it(tmp_path: Path) -> None:
    run = waiting(tmp_path)
    with contextlib.suppress(BrokenPipeError), at_work(run):
        lifecycle.end(run, Run.Status.DONE, summary={})
        raise BrokenPipeError
    run.refresh_from_db()
    assert run.status == Run.Status.DONE


def test_a_finished_run_shows_its_numbers_and_is_published(omar: Client, tmp_path: Path) -> None:
    run = a_run(tmp_path / "done", a_plan(episodes=4))
    page = omar.get(f"{PAGE}{run.pk}/change/").content.decode()
    share = run.summary["policies"][0]["mean"]["share_of_winnable"]  # type: ignore[index]
    assert f"{100 * share['mean']:.1f} ({100 * share['low']:.1f} to" in page
    omar.post(f"{PAGE}{run.pk}/publish/")
    run.refresh_from_db()
    assert run.published_at is not None
    assert f"/training/receipts/{run.pk}/summary.json" in (
        omar.get(f"{PAGE}{run.pk}/change/").content.decode()
    )
    omar.post(f"{PAGE}{run.pk}/withdraw/")
    run.refresh_from_db()
    assert run.published_at is None


def test_the_list_shows_how_far_every_run_is(omar: Client, tmp_path: Path) -> None:
    waiting(tmp_path)
    assert "0 of 64" in omar.get(PAGE).content.decode()


def test_a_run_at_work_cannot_be_deleted(omar: Client, tmp_path: Path) -> None:
    run = waiting(tmp_path)
    assert omar.post(f"{PAGE}{run.pk}/delete/", {"post": "yes"}).status_code == 403
    Run.objects.update(status=Run.Status.CANCELLED)
    omar.post(f"{PAGE}{run.pk}/delete/", {"post": "yes"})
    assert not Run.objects.exists()


def test_an_address_of_no_run_is_not_found(omar: Client) -> None:
    assert omar.get(f"{PAGE}nothing/progress/").status_code == 404
    assert omar.post(f"{PAGE}nothing/cancel/").status_code == 404
    assert omar.get(f"{PAGE}nothing/change/").status_code == 404
