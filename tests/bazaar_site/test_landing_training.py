"""What the evidence says of training: nothing until it was run."""

from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from training.models import Run
from training.runs.metrics import read_series, thin

LINES = '{"step": 1, "loss": 2.5}\n{"step": 2, "loss": 0.5}\n{"step": 3, "loss": NaN}\n{"ste'


@pytest.mark.django_db
def test_a_site_without_training_says_that_nothing_is_trained(client: Client) -> None:
    html = unescape(client.get("/evidence/").content.decode())
    assert "No model has been trained on this site yet" in html


@pytest.mark.django_db
def test_a_published_stage_is_training(client: Client) -> None:
    for kind, published_at in (("sft", timezone.now()), ("grpo", None)):
        Run.objects.create(
            id=f"{kind}-1", kind=kind, name=kind, folder="sft-1", status=Run.Status.DONE,
            ended_at=timezone.now(), published_at=published_at,
        )  # fmt: skip
    html = unescape(client.get("/evidence/").content.decode())
    assert "No model has been trained" not in html


def test_broken_lines_and_numbers_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "metrics.jsonl"
    file.write_text(LINES)
    assert read_series(file) == {"loss": [(1.0, 2.5), (2.0, 0.5)]}
    assert read_series(tmp_path / "missing.jsonl") == {}


def test_a_long_run_is_thinned_and_keeps_its_last_step(tmp_path: Path) -> None:
    file = tmp_path / "metrics.jsonl"
    file.write_text("\n".join(f'{{"step": {n}, "reward": {n / 1000}}}' for n in range(1_000)))
    points = thin(read_series(file)["reward"], 400)
    assert len(points) <= 402
    assert points[0] == (0.0, 0.0)
    assert points[-1] == (999.0, 0.999)
