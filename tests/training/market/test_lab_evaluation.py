"""A trained lab in the ordinary evaluation: named, pinned by its weights, shown beside scripts."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.template import engines
from django.test import Client
from pytest_django import Settings

from arena.gpu_market.trained.cards import read_lab
from negotiation import ttl_cache
from tests.support.marketing import a_market_plan, a_market_run, market_rows
from tests.support.receipts import load_receipts
from tests.support.toy_lab import make_lab
from training.evaluation import BadPlan, MixedVersions
from training.evaluation.published import publish, write_receipt
from training.evaluation.running import check_pinned
from training.models import Run
from training.pages import market as looking
from training.pages.lab import rivals
from training.pages.market import market_figures, newest
from training.runs import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]

TASKS = [f"market:{task}" for task in ("single_trade", "market_round", "coalition_market")]
PLAYERS = ["lab-toy:sft", "lab-toy", "rule_expert", "never_act"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two stages of a lab: one waits, one asks for a coalition."""
    home = tmp_path_factory.mktemp("labs")
    make_lab(home / "sft", '{"action": "wait"}', "lab-toy:sft", seed=1)
    make_lab(home / "grpo")
    return home


@pytest.fixture
def home(made: Path, tmp_path: Path, settings: Settings) -> Path:
    """A site that has them."""
    settings.LABS_DIR, settings.SHIPPED_LABS_DIR = tmp_path / "labs", tmp_path / "none"
    shutil.copytree(made, tmp_path / "labs")
    return tmp_path / "labs"


@pytest.fixture
def played(home: Path, tmp_path: Path) -> Run:
    """A published evaluation with labs in it."""
    run = a_market_run(tmp_path / "run", a_market_plan(PLAYERS, TASKS, episodes=3), "market-lab")
    publish(run)
    ttl_cache.forget()
    run.refresh_from_db()
    return run


def test_every_stage_is_named_and_pinned_by_its_weights(home: Path) -> None:
    plan = a_market_plan(PLAYERS, TASKS[:1], episodes=2)
    sft, grpo, *scripts = plan.policies
    assert (sft.version, sft.kind) == (read_lab(home / "sft").version, "model")
    assert (grpo.version, grpo.title) == (read_lab(home / "grpo").version, "Toy lab-toy")
    assert {one.kind for one in scripts} == {"rules"}
    check_pinned(plan)
    shutil.rmtree(home / "grpo")
    make_lab(home / "grpo", seed=2)
    with pytest.raises(MixedVersions, match="lab-toy"):
        check_pinned(plan)
    shutil.rmtree(home / "grpo")
    with pytest.raises(BadPlan, match="No policy of the market is called 'lab-toy'"):
        a_market_plan(["lab-toy"])


def test_the_same_weights_play_the_same_markets(home: Path) -> None:
    plan = a_market_plan(["lab-toy"], TASKS, episodes=2)
    assert market_rows(plan) == market_rows(plan)


def test_its_receipt_is_summed_up_again_without_the_lab(
    played: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "RECEIPTS", tmp_path / "receipts")
    write_receipt(played, lifecycle.RECEIPTS / "market-lab")
    key = played.pk
    played.delete()
    shutil.rmtree(home)
    assert "1 receipts follow from their 36 markets; 1 loaded." in load_receipts()
    assert Run.objects.get().pk == key


def test_the_page_sets_it_beside_the_scripts(played: Run, client: Client) -> None:
    found = rivals("lab-toy")
    assert found is not None
    assert (found["lab"], len(found["apart"])) == ("Toy lab-toy", 3)
    assert played.summary is not None
    means = {one["policy"]: one["mean"]["reward"]["mean"] for one in played.summary["policies"]}
    by_title = {one["title"]: one["policy"] for one in played.summary["policies"]}
    for one in found["apart"]:
        gap = means["lab-toy"] - means[by_title[one.second]]
        assert float(one.text.replace("\N{MINUS SIGN}", "-")) == pytest.approx(gap, abs=2e-3)
    page = str(
        engines["django"].from_string("{% load market_figures %}{% market_lab %}").render({})
    )
    assert f'href="/training/receipts/{played.pk}/"' in page
    assert page.count('class="whisker-dot whisker-lead"') == 2
    assert client.get(f"/training/receipts/{played.pk}/").status_code == 200
    best = rivals(None)
    assert best is not None
    assert best["lab"] in ("Toy lab-toy", "Toy lab-toy:sft")


def test_scripts_measured_alone_stay_the_baselines(
    played: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "ENOUGH", 3)
    assert _baselines()["run"] == played.pk
    plan = a_market_plan(["rule_expert", "never_act"], TASKS, episodes=3)
    alone = a_market_run(tmp_path / "alone", plan, "alone")
    publish(alone)
    publish(played)
    found = newest("default")
    assert found is not None
    assert found.run == played.pk
    assert _baselines()["run"] == alone.pk
    with_lab = rivals("lab-toy")
    assert with_lab is not None
    assert with_lab["board"]["run"] == played.pk


def _baselines() -> Any:
    ttl_cache.forget()
    return market_figures()["baselines"]


def test_files_of_a_lab_that_was_shipped_are_sent_and_no_others(
    home: Path, client: Client, settings: Settings
) -> None:
    settings.SHIPPED_LABS_DIR = home
    weights = client.get("/training/labs/grpo/model.safetensors")
    assert b"".join(weights) == (home / "grpo" / "model.safetensors").read_bytes()
    (home / "grpo" / "notes.txt").write_text("not for you")
    (home / "grpo" / "README.md").symlink_to("/etc/hostname")
    for url in ("grpo/notes.txt", "grpo/README.md", "none/lab.json", "grpo/..%2fsft%2flab.json"):
        assert client.get(f"/training/labs/{url}").status_code == 404, url


def test_a_lab_of_this_site_alone_is_nobody_elses(home: Path, client: Client) -> None:
    assert client.get("/training/labs/grpo/model.safetensors").status_code == 404
    assert client.get("/training/labs/grpo/lab.json").status_code == 404
