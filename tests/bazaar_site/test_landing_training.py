"""The training pipeline on the front page: hollow until it was run, with curves once they exist."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from training.models import Run
from training.pages.curves import draw_curve
from training.runs.metrics import read_points

LINES = '{"step": 1, "loss": 2.5}\n{"step": 2, "loss": 0.5}\n{"step": 3, "loss": NaN}\n{"ste'


@pytest.mark.django_db
def test_a_site_without_training_says_that_nothing_is_trained(client: Client) -> None:
    html = unescape(client.get("/").content.decode())
    assert "No model has been trained on this site yet" in html
    assert 'class="curve"' not in html


@pytest.mark.django_db
def test_a_published_stage_lights_up_and_its_curve_is_drawn(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.RUNS_DIR = tmp_path
    (tmp_path / "sft-1").mkdir()
    (tmp_path / "sft-1" / "metrics.jsonl").write_text(LINES)
    for kind, published_at in (("sft", timezone.now()), ("grpo", None)):
        Run.objects.create(
            id=f"{kind}-1", kind=kind, name=kind, folder="sft-1", status=Run.Status.DONE,
            ended_at=timezone.now(), published_at=published_at,
        )  # fmt: skip
    html = unescape(client.get("/").content.decode())
    assert "No model has been trained" not in html
    stages = re.search(r'<desc id="stages-wide-words">([^<]*)</desc>', html)
    assert stages is not None
    assert re.search(r"Teacher games: [^(]*\(done, now\)", stages[1])
    assert re.search(r"SFT: [^(]*\(done, now\)", stages[1])
    assert re.search(r"GRPO: [^(]*\(not yet\)", stages[1])
    assert html.count("From 2.5 at step 1 to 0.5 at step 2.") == 1


def test_broken_lines_and_numbers_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "metrics.jsonl"
    file.write_text(LINES)
    assert read_points(file, "loss") == [(1.0, 2.5), (2.0, 0.5)]
    assert read_points(file, "reward") == []
    assert read_points(tmp_path / "missing.jsonl", "loss") == []


def test_a_long_run_is_thinned_and_keeps_its_last_step(tmp_path: Path) -> None:
    file = tmp_path / "metrics.jsonl"
    file.write_text("\n".join(f'{{"step": {n}, "reward": {n / 1000}}}' for n in range(1_000)))
    points = read_points(file, "reward")
    assert len(points) <= 402
    assert points[0] == (0.0, 0.0)
    assert points[-1] == (999.0, 0.999)


def test_a_flat_curve_is_drawn_too() -> None:
    drawn = draw_curve([(1.0, 0.5), (2.0, 0.5)], "flat", "flat")
    assert "nan" not in drawn.lower()
    assert "From 0.5 at step 1 to 0.5 at step 2." in drawn
