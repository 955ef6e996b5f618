"""A lab from nothing: it learns the protocol from traces, then plays whole episodes to learn."""

from pathlib import Path

import pytest

from tests.support.small_stages import Left, Reader, ctrl_c, play_on, quick
from training.data.seeds import MARKET_CHOOSE_FROM, MARKET_HELD_OUT_FROM, first_seed
from training.models import Run
from training.runs import lifecycle
from training.stages.config import MAX_SEED, BadConfig, MarketGrpoConfig, MarketSftConfig
from training.stages.market.episodes import read_records
from training.stages.market.stages import _worlds, unseen
from training.stages.registry import make_config
from training.stages.running import open_stage, run_stage


def test_a_few_episodes_teach_the_protocol(taught: Left) -> None:
    losses = [row["loss"] for row in taught.metrics if "loss" in row]
    assert losses[-1] < losses[0] / 4
    assert taught.summary["held_out"]["valid_json"] > 0.5
    assert {"loss", "accuracy", "learning_rate"} <= set(taught.metrics[-1])
    assert taught.card["teacher"] == "rule_expert"
    assert taught.card["name"] == "lab-toy:sft"
    assert not (taught.folder / "checkpoints").exists()


def test_practice_measures_what_the_page_shows(practised: Left) -> None:
    row = practised.metrics[-1]
    assert {"reward", "return", "spread", "valid_json", "legal", "loss", "kl"} <= set(row)
    assert "learning_rate" in row
    summary = practised.summary
    assert summary["before"]["episodes"] == summary["held_out"]["episodes"] == 3
    assert str(summary["kept_step"]) in summary["checks"]
    assert practised.card["name"] == "lab-toy"


def test_the_same_markets_are_kept_from_before_and_after(practised: Left) -> None:
    records = read_records(practised.folder)
    before = [one for one in records if one.policy == "lab-toy:sft"]
    after = [one for one in records if one.policy == "lab-toy"]
    assert [(one.task, one.seed) for one in before] == [(one.task, one.seed) for one in after]
    assert all(one.seed >= MARKET_HELD_OUT_FROM for one in records)
    for one in records:
        assert one.total == pytest.approx(sum(turn.reward for turn in one.turns), abs=1e-4)


@pytest.mark.usefixtures("folders")
def test_a_run_that_was_interrupted_goes_on(taught: Left) -> None:
    run = open_stage(quick("market-grpo"), "again", source=str(taught.folder / "model"))
    with pytest.raises(KeyboardInterrupt):
        run_stage(run, Reader("market-grpo step 4", ctrl_c))
    assert run.status == Run.Status.INTERRUPTED
    left = play_on(run)
    assert [row["step"] for row in left.metrics] == [1, 2, 3, 4]
    assert (lifecycle.folder_of(run) / "model" / "lab.json").is_file()


@pytest.mark.usefixtures("folders")
def test_practice_begins_with_a_lab_and_with_nothing_else(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="begins with a model"):
        open_stage(quick("market-grpo"), "none")
    (tmp_path / "empty").mkdir()
    run = open_stage(quick("market-grpo"), "empty", source=str(tmp_path / "empty"))
    with pytest.raises(BadConfig, match="begins with a lab"):
        play_on(run)


@pytest.mark.parametrize("seed", [0, MAX_SEED])
def test_no_lab_learns_from_markets_that_measure(seed: int) -> None:
    sft, grpo = make_config("market-sft", "mini", seed=seed), make_config("market-grpo", "mini")
    assert isinstance(sft, MarketSftConfig)
    assert isinstance(grpo, MarketGrpoConfig)
    assert first_seed("market-sft", seed) + sft.seeds <= MARKET_CHOOSE_FROM
    learned = set(_worlds(grpo)["seed"])
    assert max(learned) < MARKET_CHOOSE_FROM
    assert {one.seed for one in unseen(600)} & learned == set()
    assert max(one.seed for one in unseen(3000)) < MARKET_HELD_OUT_FROM


def test_every_lab_is_played_in_practice() -> None:
    config = make_config("market-grpo", "mini", steps=80)
    assert isinstance(config, MarketGrpoConfig)
    rows = _worlds(config)
    assert set(rows["lab"]) == {0, 1, 2, 3, 4}
    assert {rows["task"].count(task) for task in set(rows["task"])} == {len(rows) // 3}


@pytest.mark.parametrize(
    ("stage", "changes", "words"),
    [
        ("market-sft", {"teacher": "somebody"}, "no teacher 'somebody'. Known: random_valid"),
        ("market-sft", {"hidden": 100, "heads": 4}, "multiple"),
        ("market-sft", {"lora_rank": 8}, "lora_rank is no setting of market-sft"),
        ("market-sft", {"episodes": 20_000, "seed": 999}, None),
        ("market-grpo", {"worlds": 4}, "multiple of 3"),
        ("market-grpo", {"worlds": 3, "group": 3}, "worlds x group .9. has to be a multiple"),
        ("market-grpo", {"parts": 3}, "parts .3. has to be a multiple of updates"),
        ("market-grpo", {"steps": 9000, "worlds": 48}, "held out"),
    ],
)
def test_a_wrong_setting_is_refused_before_any_work(
    stage: str, changes: dict[str, object], words: str | None
) -> None:
    if words is None:
        make_config(stage, "mini", **changes)  # type: ignore[arg-type]
        return
    with pytest.raises(BadConfig, match=words):
        make_config(stage, "mini", **changes)  # type: ignore[arg-type]
