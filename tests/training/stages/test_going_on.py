"""Stages that are stopped in the middle and go on: the end is that of one that never stopped."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.small_stages import Left, Reader, ctrl_c, play, play_on, quick
from training.judging.pairs import PairFile
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import Stopped
from training.stages import dpo, work
from training.stages.config import StageConfig
from training.stages.dpo import ROUNDS
from training.stages.running import open_stage, run_stage
from training.stages.work import Work

pytestmark = pytest.mark.usefixtures("folders", "every_line")

GENTLY = 1e-5
"""A rate of learning after which a tiny model still plays in more than one way."""

PAIRS = 24
"""So many a round that it has steps after the first, whose rate is nothing."""


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


@pytest.fixture(scope="module")
def played() -> dict[int, Left]:
    """What DPO of so many rounds has left, once somebody has asked for it."""
    return {}


@pytest.fixture
def undisturbed(
    haggler: Path, played: dict[int, Left], monkeypatch: pytest.MonkeyPatch
) -> Callable[[int], Left]:
    """What DPO of so many rounds leaves that nobody stops; it plays four pairs at once."""
    monkeypatch.setattr(dpo, "PAIRS_AT_ONCE", 4)

    def play_once(rounds: int) -> Left:
        if rounds not in played:
            played[rounds] = play(gentle_dpo(rounds), haggler)
        return played[rounds]

    return play_once


def gentle_dpo(rounds: int) -> StageConfig:
    """So many rounds, after which the model still plays in more than one way."""
    return quick("dpo", rounds=rounds, pairs=PAIRS, learning_rate=GENTLY)


@pytest.mark.parametrize(
    ("rounds", "line"),
    [
        pytest.param(1, "dpo 4/", id="in its games", marks=pytest.mark.soak),
        pytest.param(1, "dpo 26/", id="in its steps", marks=pytest.mark.soak),
        pytest.param(2, "dpo 25/", id="in the first steps of two rounds", marks=pytest.mark.soak),
        pytest.param(2, "dpo 40/", id="in the second games"),
        pytest.param(2, "dpo {end}/", id="in the last step", marks=pytest.mark.soak),
    ],
)
def test_dpo_ends_as_if_nobody_had_stopped_it(
    haggler: Path, undisturbed: Callable[[int], Left], rounds: int, line: str
) -> None:
    straight = undisturbed(rounds)
    end = PAIRS * rounds + sum(one["steps"] for one in straight.summary["rounds"])
    resumed = stopped_and_resumed(gentle_dpo(rounds), haggler, line.format(end=end))
    pairs = [(left.folder / "pairs.jsonl").read_text() for left in (straight, resumed)]
    assert len(pairs[0].splitlines()) == PAIRS * rounds
    assert pairs[0] == pairs[1]
    assert_same_end(straight, resumed)


@pytest.mark.soak
def test_no_round_of_dpo_is_trained_on_top_of_itself(
    haggler: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed when a round's model is there and nothing says so yet: the round begins again."""
    # So many pairs that every round has steps after the first, whose rate is nothing.
    config = quick("dpo", rounds=3, pairs=72, learning_rate=GENTLY)
    straight = play(config, haggler)
    assert straight.summary["rounds"][1]["steps"] > 1
    keep = Work.keep

    def killed(at_work: Work, name: str, value: object) -> None:
        if name == ROUNDS and isinstance(value, list) and len(value) == 2:
            monkeypatch.setattr(Work, "keep", keep)
            raise KeyboardInterrupt
        keep(at_work, name, value)

    monkeypatch.setattr(Work, "keep", killed)
    run = open_stage(config, "killed", source=str(haggler))
    with pytest.raises(KeyboardInterrupt):
        run_stage(run, Reader("", lambda: None))
    assert Work.keep is keep
    run.refresh_from_db()
    assert_same_end(straight, play_on(run))


def test_a_later_round_without_preferences_leaves_the_model_as_it_is(haggler: Path) -> None:
    """This rate makes a tiny model say the same in all its games."""
    left = play(quick("dpo", rounds=3, learning_rate=1e-3), haggler)
    rows = [one["rows"] for one in left.summary["rounds"]]
    assert rows[0] > 0
    assert rows[-1] == 0
    assert left.summary["rounds"][-1]["steps"] == 0
    assert "preferred nothing in round 3" in left.said
    assert left.weights


def test_each_round_of_dpo_plays_with_what_the_round_before_has_left(
    undisturbed: Callable[[int], Left],
) -> None:
    once, twice = undisturbed(1), undisturbed(2)
    first, second = twice.summary["rounds"]
    assert once.summary["rounds"] == [first]
    assert second["policy"] == f"{first['policy']}, polished 1x"
    records = list(PairFile(twice.folder / "pairs.jsonl").records())
    assert [one.policy for one in records] == [first["policy"]] * PAIRS + [second["policy"]] * PAIRS
    assert len({one.scenario for one in records}) == 2 * PAIRS
    assert twice.summary["rows"] == first["rows"] + second["rows"]
    assert twice.summary["pairs"]["done"] == 2 * PAIRS
    assert twice.metrics[: first["steps"]] == once.metrics
    steps = [one["step"] for one in twice.metrics]
    assert steps == sorted(set(steps))
    assert steps[-1] == first["steps"] + second["steps"]
    assert twice.weights != once.weights


@pytest.mark.usefixtures("every_sign")
def test_a_cancelled_stage_keeps_what_it_has_done(haggler: Path) -> None:
    run = open_stage(quick("sft", save_every=1000), "cancelled", source=str(haggler))
    with pytest.raises(Stopped):
        run_stage(run, Reader("sft 3/", lambda: ask_to_stop(run)))
    run.refresh_from_db()
    assert run.status == Run.Status.CANCELLED
    assert "goes on from step 4" in play_on(run).said


def test_the_last_piece_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    beat = lifecycle.beat

    def noted(run: Run, done: int) -> bool:
        told.append(done)
        return beat(run, done)

    monkeypatch.setattr(lifecycle, "beat", noted)
    monkeypatch.setattr(work, "BEAT_S", 1e9)
    config = quick("base")
    at_work = Work(open_stage(config, "beats"), config, io.StringIO())
    at_work.expect(3)
    for done in (1, 2, 3, 3, 3):
        at_work.beat(done)
    assert told == [3]


def ask_to_stop(run: Run) -> None:
    """Cancel a run, as its page does."""
    assert lifecycle.ask_to_stop(run)
