"""A step of the optimizer is the same, in however many parts its batch is read."""

from pathlib import Path

import pytest
from safetensors.torch import load

from tests.support.small_stages import Left, play, quick

pytestmark = pytest.mark.usefixtures("folders")


def assert_same_steps(one: Left, other: Left, start: Path) -> None:
    """Equal to the rounding of half-precision files, and away from where they began."""
    for mine, theirs in zip(one.metrics, other.metrics, strict=True):
        # Accuracies are means of the parts' means.
        assert mine["loss"] == pytest.approx(theirs["loss"], rel=1e-4, abs=1e-5)
    before = load((start / "model.safetensors").read_bytes())
    ours, others = load(one.weights), load(other.weights)
    moved = astray = 0.0
    for name, weight in ours.items():
        # Of zero gradients Adam makes steps of either sign: those places are left out.
        apart = (weight.float() - others[name].float()).abs()
        astray = max(astray, float(apart.mean()))
        moved = max(moved, float((weight.float() - before[name].float()).abs().max()))
    assert moved > 1e-4
    assert astray < moved / 50


def test_a_batch_of_lessons_in_parts_teaches_what_it_teaches_whole(haggler: Path) -> None:
    whole = play(quick("sft", batch=8, rows_at_once=8), haggler)
    parts = play(quick("sft", batch=8, rows_at_once=2), haggler)
    assert len(whole.metrics) > 0
    assert_same_steps(whole, parts, haggler)


def test_a_batch_of_pairs_in_parts_teaches_what_it_teaches_whole(haggler: Path) -> None:
    whole = play(quick("dpo", batch=4, rows_at_once=4), haggler)
    parts = play(quick("dpo", batch=4, rows_at_once=1), haggler)
    assert len(whole.metrics) > 1
    assert_same_steps(whole, parts, haggler)
