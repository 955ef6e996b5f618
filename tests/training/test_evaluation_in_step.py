"""Models in an evaluation: many games in step, several processes, and the same rows either way."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from agents import checkpoints
from agents.buyers import trained_players
from agents.buyers.trained_players import TrainedPlayer
from agents.checkpoints import find_checkpoint
from negotiation.policies import policy
from tests.support.school import enrol
from tests.support.small_stages import HAGGLING
from tests.support.tiny_sauda import make_sauda
from training.evaluation import workers
from training.evaluation.playing import Played, Unit
from training.evaluation.rows import EpisodeRow
from training.evaluation.workers import play_all

SUITE = "single_deal@sampled-1"
TINY = ("sauda-tiny:sft", "sauda-tiny:grpo")


@pytest.fixture
def tiny(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two models, for this process and for those it starts."""
    monkeypatch.setenv("BAZAAR_DATA_DIR", str(tmp_path))
    settings.MODELS_DIR = tmp_path / "models"
    for number, name in enumerate(TINY):
        folder = settings.MODELS_DIR / name.replace(":", "-")
        make_sauda(folder, name=name, seed=number, stages=HAGGLING)
    checkpoints.forget()
    yield
    checkpoints.forget()


def units(*names: str, games: int) -> list[Unit]:
    return [Unit(name, SUITE, seed) for name in names for seed in range(games)]


def rows(played: Iterator[Played]) -> dict[Unit, tuple[EpisodeRow, ...]]:
    return {one.unit: one.rows for one in played}


def nothing() -> None:
    """Nobody stops anything."""


def test_a_light_model_plays_in_several_processes_what_it_plays_in_one(
    tiny: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "WORTH", 2)
    monkeypatch.setattr(TrainedPlayer, "batch", 4)
    asked = units(*TINY, games=6)
    beside = rows(play_all(asked, 2, nothing))
    assert set(beside) == set(asked)
    assert beside == rows(play_all(asked, 1, nothing))
    # A model without dice would make this easy.
    every = [row for found in beside.values() for row in found]
    assert len({row.price / row.anchor for row in every if row.price is not None}) > 1


def test_a_heavy_model_exists_once(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    player = policy(TINY[0]).make(0)
    assert isinstance(player, TrainedPlayer)
    assert player.apart
    monkeypatch.setattr(trained_players, "LIGHT_BYTES", 1_000)
    assert not player.apart


def test_an_adapter_says_nothing_of_the_weight_of_its_base(tiny: None) -> None:
    checkpoint = find_checkpoint(TINY[0])
    assert checkpoint is not None
    (checkpoint.folder / "model.safetensors").rename(
        checkpoint.folder / "adapter_model.safetensors"
    )
    assert not TrainedPlayer(checkpoint, 0).apart


def test_who_must_not_be_copied_is_played_beside_those_who_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "WORTH", 1)
    [name] = enrol(monkeypatch, {"sauda-mini:sft": "rules:linear"})
    asked = units(name, "rules:split", games=20)
    # Another process knows no stand-in: it would fail.
    found = rows(play_all(asked, 2, nothing))
    assert set(found) == set(asked)
    assert found == rows(play_all(asked, 1, nothing))


def test_games_in_step_are_stopped_together(monkeypatch: pytest.MonkeyPatch) -> None:
    [name] = enrol(monkeypatch, {"sauda-mini:sft": "rules:agreeable"})
    ticks = 0

    def stop() -> None:
        nonlocal ticks
        ticks += 1
        if ticks > 2:
            raise KeyboardInterrupt

    kept: list[Played] = []
    with pytest.raises(KeyboardInterrupt):
        kept += play_all(units(name, games=30), 1, stop)
    assert ticks == 3
    assert kept == []
