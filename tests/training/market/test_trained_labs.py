"""A trained lab as a policy: found by name, measured as it speaks, helped at a live table."""

import io
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.gpu_market.trained.cards import CARD, labs
from arena.gpu_market.trained.seat import TRAINED_LABS, LiveLab, TrainedLab
from bazaarbatna.market import (
    Malformed,
    MarketAction,
    make_market,
    observe,
    play_scored,
    start,
)
from bazaarbatna.market.policies.expert import rule_expert
from bazaarbatna.market.policies.registry import make_live_policy, make_policy, names
from tests.support.small_stages import Left
from tests.support.staged import a_stage
from training.jobs import chains
from training.runs import lifecycle


@pytest.fixture
def home(practised: Left, tmp_path: Path, settings: Any) -> Path:
    """A site that has the toy lab, and nothing that came with the code."""
    settings.LABS_DIR, settings.SHIPPED_LABS_DIR = tmp_path / "labs", tmp_path / "none"
    shutil.copytree(practised.folder / "model", tmp_path / "labs" / "toy")
    return tmp_path / "labs"


def test_it_is_found_by_its_name_without_restart(home: Path) -> None:
    assert "lab-toy" in names()
    assert isinstance(make_policy("lab-toy", 0), TrainedLab)
    shutil.rmtree(home / "toy")
    assert "lab-toy" not in names()
    with pytest.raises(ValueError, match=r"no policy 'lab-toy'\. Known: random_valid"):
        make_policy("lab-toy", 0)


def test_it_plays_an_episode_and_the_same_one_again(home: Path) -> None:
    world = make_market("market_round", 50_001)
    first, again = (play_scored(world, make_policy("lab-toy", 7)) for _ in range(2))
    assert first.events == again.events
    assert len(first.rewards) == 5


def test_one_batch_answers_as_one_by_one(home: Path) -> None:
    lab = TRAINED_LABS.find("lab-toy")
    assert lab is not None
    seen = [observe(start(make_market("market_round", seed))[0], 0) for seed in range(5)]
    together = TrainedLab(lab).act_many(seen)
    assert together == [TrainedLab(lab)(one) for one in seen]


class Mumbling(TrainedLab):
    """Says nothing that can be read."""

    def act_many(self, seen: Any) -> list[MarketAction | Malformed]:
        """Mumble."""
        return [Malformed("mumbled") for _ in seen]


def test_what_cannot_be_read_counts_when_measured_and_is_mended_live(home: Path) -> None:
    lab = TRAINED_LABS.find("lab-toy")
    assert lab is not None
    seen = observe(start(make_market("single_trade", 5))[0], 0)
    assert isinstance(Mumbling(lab)(seen), Malformed)
    assert LiveLab(Mumbling(lab), rule_expert)(seen) == rule_expert(seen)
    measured = play_scored(make_market("single_trade", 5), Mumbling(lab))
    assert all(step.invalid_action_penalty == -0.15 for step in measured.rewards)
    assert isinstance(make_live_policy("lab-toy", 0), LiveLab)


def test_a_lab_of_another_prompt_is_left_out_and_said(home: Path, caplog: Any) -> None:
    card = home / "toy" / CARD
    card.write_text(card.read_text().replace('"lab-1"', '"lab-0"'))
    assert list(labs()) == []
    assert "train it again" in caplog.text


@pytest.mark.usefixtures("folders")
def test_the_ladder_has_everybody_on_the_same_seeds(
    practised: Left, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chains, "usual_workers", lambda: 1)
    stage = a_stage("market-grpo")
    model = lifecycle.folder_of(stage) / "model"
    shutil.rmtree(model)
    shutil.copytree(practised.folder / "model", model)
    out = io.StringIO()
    run = chains.climb([stage], "kite", 2, out)
    assert (run.kind, run.name, run.status) == ("market", "kite-ladder", "done")
    assert run.seeds["first"] == 50_000
    assert run.summary is not None
    means = {one["policy"]: one["mean"] for one in run.summary["policies"]}
    lab = next(name for name in means if name.startswith("lab-toy@1#"))
    assert {one["n"] for one in means.values()} == {2 * 3}
    assert means["never_act"]["reward"]["mean"] == 0
    assert lab in out.getvalue()
