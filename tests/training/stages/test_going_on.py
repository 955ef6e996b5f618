"""Stages that are stopped in the middle and go on: the end is that of one that never stopped."""

from pathlib import Path

import pytest

from tests.support.small_stages import Left, Reader, ctrl_c, play, play_on, quick
from training import runs
from training.models import Run
from training.stages import dpo
from training.stages.config import StageConfig
from training.stages.running import open_stage, run_stage
from training.working import Stopped

pytestmark = pytest.mark.usefixtures("folders", "every_line")


def stopped_and_resumed(config: StageConfig, source: Path, line: str) -> Left:
    """Press Ctrl-C at a line, then go on."""
    run = open_stage(config, "stopped", source=str(source))
    with pytest.raises(KeyboardInterrupt):
        run_stage(run, Reader(line, ctrl_c))
    run.refresh_from_db()
    assert run.status == Run.Status.INTERRUPTED
    assert "resume" in run.note
    return play_on(run)


def assert_same_end(one: Left, other: Left) -> None:
    """Weights to the bit, every number that was measured, and the summary."""
    assert one.metrics == other.metrics
    assert one.weights == other.weights
    assert one.summary == other.summary


def test_grpo_ends_as_if_nobody_had_stopped_it_between_rounds_of_games(
    haggler: Path, learned: Left
) -> None:
    resumed = stopped_and_resumed(quick("grpo"), haggler, "grpo 3/4")
    assert "goes on from step 2" in resumed.said
    assert_same_end(learned, resumed)


def test_grpo_goes_on_within_a_round_with_the_games_that_it_had_played(
    haggler: Path, learned: Left
) -> None:
    resumed = stopped_and_resumed(quick("grpo"), haggler, "grpo 4/4")
    assert "goes on from step 3" in resumed.said
    assert learned.weights == resumed.weights
    assert learned.summary == resumed.summary


def test_sft_ends_as_if_nobody_had_stopped_it(haggler: Path) -> None:
    config = quick("sft")
    resumed = stopped_and_resumed(config, haggler, "sft 6/")
    assert "goes on from step 5" in resumed.said
    assert_same_end(play(config, haggler), resumed)


@pytest.mark.parametrize("line", ["dpo 4/", "dpo 14/"], ids=["between games", "in its steps"])
def test_dpo_ends_as_if_nobody_had_stopped_it(
    haggler: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dpo, "PAIRS_AT_ONCE", 4)
    config = quick("dpo")
    straight, resumed = play(config, haggler), stopped_and_resumed(config, haggler, line)
    pairs = [(left.folder / "pairs.jsonl").read_text() for left in (straight, resumed)]
    assert len(pairs[0].splitlines()) == 12
    assert pairs[0] == pairs[1]
    assert_same_end(straight, resumed)


def test_a_cancelled_stage_keeps_what_it_has_done(haggler: Path) -> None:
    run = open_stage(quick("sft", save_every=1000), "cancelled", source=str(haggler))
    with pytest.raises(Stopped):
        run_stage(run, Reader("sft 3/", lambda: ask_to_stop(run)))
    run.refresh_from_db()
    assert run.status == Run.Status.CANCELLED
    assert "goes on from step 4" in play_on(run).said


def ask_to_stop(run: Run) -> None:
    """Cancel a run, as its page does."""
    assert runs.ask_to_stop(run)
