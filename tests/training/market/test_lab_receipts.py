"""Receipts of a lab's stages: written, checked by playing what was said, loaded, and shown."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.template import engines
from django.test import Client
from pytest_django import Settings

from negotiation import ttl_cache
from tests.support.lab_runs import adopt
from tests.support.receipts import load_receipts
from tests.support.small_stages import Left
from training.models import Run
from training.receipts.figures import number_text
from training.runs import lifecycle
from training.stages.market.episodes import contradiction, read_records

pytestmark = pytest.mark.django_db


@pytest.fixture
def alone(settings: Settings, tmp_path: Path) -> None:
    """A site without any lab."""
    settings.LABS_DIR, settings.SHIPPED_LABS_DIR = tmp_path / "labs", tmp_path / "none"
    settings.RUNS_DIR = tmp_path / "runs"
    ttl_cache.forget()


@pytest.fixture
def shipped(
    alone: None, taught: Left, practised: Left, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The receipts of both stages, as a fresh clone has them."""
    monkeypatch.setattr(lifecycle, "RECEIPTS", tmp_path / "receipts")
    sft = adopt(taught, "toy-sft")
    grpo = adopt(practised, "toy-grpo", sft)
    for run, name in ((sft, "lab-sft"), (grpo, "lab-grpo")):
        call_command("publish_run", run.pk, "--receipt", name, stdout=io.StringIO())
    Run.objects.all().delete()
    return tmp_path / "receipts"


def shown() -> str:
    ttl_cache.forget()
    return str(
        engines["django"].from_string("{% load market_figures %}{% market_lab %}").render({})
    )


def test_both_stages_come_back_as_published_runs(shipped: Path) -> None:
    assert "2 stages of training" in load_receipts("--check")
    assert not Run.objects.exists()
    assert "; 2 loaded" in load_receipts()
    sft, grpo = Run.objects.get(kind="market-sft"), Run.objects.get(kind="market-grpo")
    assert grpo.after == sft
    assert grpo.published_at is not None
    assert lifecycle.folder_of(grpo) == shipped / "lab-grpo"
    assert "; 0 loaded" in load_receipts()


def test_a_receipt_has_the_episodes_and_no_weights(shipped: Path, practised: Left) -> None:
    names = {path.name for path in (shipped / "lab-grpo").iterdir()}
    assert names == {"config.json", "metrics.jsonl", "summary.json", "run.json", "episodes.jsonl"}
    assert read_records(shipped / "lab-grpo") == read_records(practised.folder)
    assert all(contradiction(one) is None for one in read_records(shipped / "lab-grpo"))


Told = dict[str, Any]


def _skips(told: Told) -> None:
    del told["turns"][-1]


def _goes_on(told: Told) -> None:
    told["turns"].append(told["turns"][-1])


FORGERIES: dict[str, tuple[Callable[[Told], object], str]] = {
    "a better return": (lambda told: told.update(total=told["total"] + 0.5), "return"),
    "a better step": (lambda told: told["turns"][0].update(reward=0.9), "reward"),
    "a number that is none": (lambda told: told.update(total=1e999), "return|cannot be used"),
    "a turn that broke no rule": (
        lambda told: told["turns"][0].update(legal=not told["turns"][0]["legal"]), "legality"),
    "other words": (lambda told: told["turns"][0].update(said="I win."), "legality|reward"),
    "another round": (lambda told: told["turns"][0].update(round=7), "round"),
    "a turn less": (_skips, "length"),
    "a turn more": (_goes_on, "length"),
    "another seed": (lambda told: told.update(seed=-1), "length"),
    "a lab that is none": (lambda told: told.update(lab=9), "length"),
    "a task that is none": (lambda told: told.update(task="free_money"), "length"),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGERIES)
def test_mallory_cannot_load_episodes_with(what: str, shipped: Path) -> None:
    change, why = FORGERIES[what]
    path = shipped / "lab-grpo" / "episodes.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines[-1])
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(CommandError, match=why):
        load_receipts()
    assert not Run.objects.exists()


def test_mallory_cannot_load_a_check_outside_of_its_interval(shipped: Path) -> None:
    path = shipped / "lab-grpo" / "summary.json"
    told = json.loads(path.read_text())
    next(iter(told["checks"].values()))["return"]["mean"] = 3.0
    path.write_text(json.dumps(told))
    with pytest.raises(CommandError, match="a mean outside of its interval"):
        load_receipts()


def test_without_runs_the_page_says_what_makes_a_lab(alone: None) -> None:
    page = shown()
    for words in ("make train-market", "ship_lab RUN", "--receipt lab-sft", "--receipt lab-grpo"):
        assert words in page
    assert "<svg" not in page


def test_the_page_shows_what_the_runs_have_measured(shipped: Path, practised: Left) -> None:
    load_receipts()
    page = shown()
    for name in ("market-sft-loss", "market-sft-accuracy", "lab-trajectory"):
        assert 'data-behaviour="read-curve"' in page.split(f'id="{name}"')[1][:80]
    after = practised.summary["held_out"]["return"]
    assert f"<b>{after['mean']:.2f}</b> <small>{after['low']:.2f} to {after['high']:.2f}" in page
    assert "Nobody has measured it here yet" in page
    assert "<dt><a href" in page


def test_the_same_market_is_told_from_before_and_after(shipped: Path, practised: Left) -> None:
    load_receipts()
    page = shown()
    records = read_records(practised.folder)
    assert page.count('class="lab-market"') == len(records) / 2
    for one in records:
        total = number_text(one.total, 3, plus=True)
        assert f'<code>{one.policy}</code> <span class="number">{total}</span>' in page
    deeds = page.count('<span class="soft">Round ')
    assert deeds == sum(len(one.turns) for one in records)


def test_every_file_on_the_shelf_can_be_taken_home(shipped: Path, client: Client) -> None:
    load_receipts()
    files = re.findall(r'<a href="([^"]+)" download translate="no">', shown())
    assert len(files) == 8
    for url in files:
        answer = client.get(url)
        assert answer.status_code == 200, url
        assert b"".join(answer), url


def test_a_broken_file_of_episodes_takes_no_page_down(shipped: Path) -> None:
    load_receipts()
    (shipped / "lab-grpo" / "episodes.jsonl").write_text("{broken\n")
    page = shown()
    assert 'class="lab-market"' not in page
    assert 'id="lab-trajectory"' in page


def test_training_and_the_pages_of_runs_show_them_too(shipped: Path, client: Client) -> None:
    load_receipts()
    page = client.get("/training/runs/").content.decode()
    assert "Lab, SFT" in page
    assert "Lab, GRPO" in page
    grpo = Run.objects.get(kind="market-grpo")
    assert "episodes.jsonl" in client.get(f"/training/runs/{grpo.pk}/").content.decode()
