"""Receipts of stages: written, checked and loaded; nobody edits a number into one."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.support.receipts import load_receipts
from tests.support.school import enrol, keep_samples, schooled, stage_run
from training.models import Run
from training.runs import lifecycle

pytestmark = pytest.mark.django_db


@pytest.fixture
def shipped(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the receipts of a base and an SFT run, as a fresh clone has."""
    settings.RUNS_DIR = tmp_path / "runs"
    monkeypatch.setattr(lifecycle, "RECEIPTS", tmp_path / "receipts")
    base = stage_run("base", loss=1.0)
    sft = stage_run(
        "sft", base, loss=0.5, held_out={"share": {"mean": 0.4, "low": 0.3, "high": 0.5}}
    )
    enrol(monkeypatch, {"sauda-mini:sft": "rules:linear"})
    keep_samples(sft, ["sauda-mini:sft"], "single_deal@sampled-1", range(3))
    for run in (base, sft):
        call_command("publish_run", run.pk, "--receipt", run.name, stdout=io.StringIO())
    Run.objects.all().delete()
    return tmp_path / "receipts"


def test_stages_come_back_as_published_runs_in_their_order(shipped: Path) -> None:
    assert "2 stages of training, 24 steps; 2 loaded" in load_receipts()
    base, sft = Run.objects.order_by("kind")
    assert (base.kind, sft.kind, sft.after) == ("base", "sft", base)
    assert sft.published_at is not None
    assert lifecycle.folder_of(sft) == shipped / "mini-sft"
    assert sft.summary is not None
    assert sft.summary["loss"] == 0.5
    assert "0 loaded" in load_receipts()


def test_what_an_operator_has_withdrawn_stays_withdrawn(shipped: Path) -> None:
    load_receipts()
    Run.objects.update(published_at=None)
    load_receipts()
    assert not Run.objects.exclude(published_at=None).exists()


def edited(path: Path, change: Any) -> None:
    told = json.loads(path.read_text())
    change(told)
    path.write_text(json.dumps(told))


FORGERIES: dict[str, Any] = {
    "a loss that was never measured": (
        "summary.json", lambda told: told.update(loss=0.01), "outside of what was measured"),
    "a mean outside of its interval": (
        "summary.json", lambda told: told["held_out"]["share"].update(mean=0.9), "its interval"),
    "more steps than were made": (
        "summary.json", lambda told: told.update(steps=900), "900 steps"),
    "a summary of another stage": (
        "summary.json", lambda told: told.update(stage="dpo"), "is of 'dpo'"),
    "a kind that is none": ("run.json", lambda told: told.update(kind="magic"), "cannot be used"),
    "settings of another stage": (
        "config.json", lambda told: told.update(stage="grpo"), "is of 'grpo'"),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGERIES)
def test_mallory_cannot_load(what: str, shipped: Path) -> None:
    name, change, why = FORGERIES[what]
    edited(shipped / "mini-sft" / name, change)
    with pytest.raises(CommandError, match=why):
        load_receipts()
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"step": 3, "loss": 0.1}', "one that goes back"),
        ('{"step": 13, "loss": NaN}', "cannot be used"),
        ('{"step": 13, "loss": 0.', "cannot be used"),
        ('{"loss": 0.3}', "no step"),
    ],
)
def test_a_broken_line_of_metrics_is_refused(line: str, why: str, shipped: Path) -> None:
    with (shipped / "mini-sft" / "metrics.jsonl").open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(CommandError, match=why):
        load_receipts("--check")


def test_a_sample_whose_share_does_not_follow_is_refused(shipped: Path) -> None:
    path = shipped / "mini-sft" / "samples.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["share"] = 0.999
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(CommandError, match="does not follow"):
        load_receipts("--check")


def test_only_a_finished_stage_is_published(settings: Settings, tmp_path: Path) -> None:
    settings.RUNS_DIR = tmp_path
    run = schooled()[0]
    Run.objects.filter(pk=run.pk).update(status=Run.Status.FAILED)
    with pytest.raises(CommandError, match="is failed"):
        call_command("publish_run", run.pk)
