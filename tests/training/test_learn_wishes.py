"""What estimates the other side of a case: its layers, what it is fitted to, what it has learnt."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from django.core.management import call_command

from bazaarbatna.cases.case import Case
from bazaarbatna.players import wishes
from bazaarbatna.players.hearing import Hint
from training.management.commands import learn_wishes
from training.management.commands.learn_wishes import (
    LONG,
    Layers,
    error,
    fitted,
    positions,
    said,
    varied_case,
)


def test_what_is_shipped_computes_what_is_learnt() -> None:
    torch.manual_seed(3)
    layers = Layers()
    network = wishes.Network({name: one.numpy() for name, one in layers.state_dict().items()})
    for row in positions(range(300_000, 300_006)):
        with torch.no_grad():
            learnt = layers(torch.from_numpy(row.seen)[None], torch.from_numpy(row.real)[None])[0]
        assert np.allclose(network(row.seen, row.real), learnt.numpy(), atol=1e-3)


def test_cases_to_learn_from_have_long_issues_and_points_in_any_order() -> None:
    cases: list[Case] = [varied_case(seed, Random(seed)) for seed in range(60)]
    assert any(len(issue.values) >= LONG for case in cases for issue in case.issues)
    last = [case.issues[-1].points("b") for case in cases]
    assert any(list(one) != sorted(one) != list(one)[::-1] for one in last)


def test_what_is_said_is_mostly_true() -> None:
    parts = [np.array([0.0, 0.1]), np.array([0.0, 0.6]), np.array([0.3, 0.0])]
    heard = [hint for seed in range(400) for hint in said(parts, Random(seed))]
    for true, sort in ((Hint("most", 1), "most"), (Hint("least", 0), "least")):
        some = [hint for hint in heard if hint.sort == sort]
        assert 0.6 < some.count(true) / len(some) < 0.95


def test_a_little_fitting_already_lowers_the_error() -> None:
    torch.manual_seed(0)
    rows = list(positions(range(300_100, 300_160)))
    fresh = list(positions(range(300_200, 300_220)))
    assert error(fitted(rows, 8), fresh) < error(Layers(), fresh) - 0.01


def test_the_command_writes_weights_that_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wishes.npz"
    for module in (wishes, learn_wishes):
        monkeypatch.setattr(module, "WEIGHTS", path)
    try:
        call_command("learn_wishes", cases=6, epochs=1)
        assert set(wishes.weights()) == {
            f"{name}.{kind}" for name in wishes.layers(1) for kind in ("weight", "bias")
        }
    finally:
        wishes.weights.cache_clear()
    assert "others" in capsys.readouterr().out
