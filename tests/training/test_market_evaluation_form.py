"""Staff start an evaluation in the market as the command does."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES
from tests.support.staged import signed_in
from training.evaluation.domain import domain_of
from training.evaluation.folder import Folder
from training.evaluation.plan import Plan
from training.jobs.starting import MarketEvaluationForm
from training.models import KINDS, Run
from training.runs.lifecycle import folder_of

ADD = "/admin/training/run/add/"
ASKED: dict[str, Any] = {
    "name": "labs",
    "policies": ["never_act", "always_accept"],
    "suites": ["market:single_trade"],
    "variant": "default",
    "episodes": "2",
    "seed": "0",
}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


@pytest.fixture
def omar() -> Client:
    """Omar, who operates the site."""
    return signed_in("omar", "view_run", "add_run", "change_run")


def test_it_offers_every_policy_and_task_and_ticks_those_that_play_by_rule(omar: Client) -> None:
    html = omar.get(f"{ADD}?what=evaluate-market").content.decode()
    assert "Start an evaluation in the market" in html
    for name in (*POLICIES, *EXPLOITS):
        assert f'value="{name}"' in html
    form = MarketEvaluationForm()
    assert set(form.fields["policies"].initial) >= {*POLICIES, *EXPLOITS}
    assert "market:coalition_market" in html
    assert "single_deal" not in html
    assert "Held-out seeds to pass over." in html


@pytest.mark.parametrize("reward", ["default", "published"])
def test_its_plan_is_the_commands(reward: str) -> None:
    form = MarketEvaluationForm(ASKED | {"variant": reward, "seed": "3"})
    assert form.is_valid(), form.errors
    told: Plan = domain_of("market:").make_plan(
        ASKED["policies"],
        ASKED["suites"],
        episodes=2,
        seed=3,
        variant=reward,
        commit=form.plan.commit,
    )
    assert form.plan == told
    assert form.plan.suites[0].id == f"market:single_trade@{reward}-1"
    assert form.plan.seed == 50_003


def test_what_it_starts_is_a_run_of_the_market_that_the_worker_plays(omar: Client) -> None:
    page = omar.post(f"{ADD}?what=evaluate-market", ASKED, follow=True).content.decode()
    [run] = Run.objects.all()
    assert (run.kind, run.status, run.total, run.name) == ("market", "queued", 4, "labs")
    assert run.kind in KINDS
    assert "0 of 4 markets" in page
    call_command("evaluate", resume=run.pk, workers="1")
    run.refresh_from_db()
    assert (run.status, run.done) == ("done", 4)
    assert len(list(Folder(folder_of(run)).journal.rows())) == 4


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"policies": ["rules:smart"]}, "not one of the available choices"),
        ({"suites": ["single_deal"]}, "not one of the available choices"),
        ({"variant": "sampled"}, "not one of the available choices"),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"policies": []}, "required"),
    ],
    ids=str,
)
def test_what_is_wrong_starts_nothing(omar: Client, changes: dict[str, Any], words: str) -> None:
    answer = omar.post(f"{ADD}?what=evaluate-market", ASKED | changes)
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert not Run.objects.exists()
