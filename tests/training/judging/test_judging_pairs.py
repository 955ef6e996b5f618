"""Pairs: what is written, what survives a kill, and what DPO gets of it."""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.moves import Accept, Walk
from tests.support.judging_games import TABLE, Step, played
from tests.support.judging_players import OneDearer
from training.judging.heuristic import judge
from training.judging.pairs import Job, PairFile, Progress, ScenarioKey, build_pairs, load_rows
from training.judging.transcript import (
    BadRequest,
    BrokenPairs,
    DifferentGames,
    NotAGame,
    PlayedGame,
    Transcript,
    Verdict,
)

KEYS = [ScenarioKey(TABLE, seed) for seed in range(6)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "pairs.jsonl"


def table(*games: Sequence[Step]) -> Callable[[Sequence[Job]], list[PlayedGame]]:
    """Play the same two games on every scenario."""
    return lambda jobs: [
        played(*games[place % 2], suite=job.suite, seed=job.seed) for place, job in enumerate(jobs)
    ]


def test_a_pair_is_judged_and_written_with_both_games_and_the_losers_failures(path: Path) -> None:
    done = build_pairs(table([Accept("Deal.")], [40, Accept()]), KEYS[:1], judge, path, policy="p")
    (record,) = PairFile(path).records()
    assert (done.done, done.winners, done.decided_by) == (1, {"b": 1}, {"surplus": 1})
    assert (record.scenario, record.policy) == (KEYS[0], "p")
    assert (record.a.temperature, record.b.temperature) == (0.5, 0.9)
    assert record.tags == record.a.tags == ("capitulated early",)
    assert [(m.actor, m.kind, m.price, m.text) for m in record.a.moves] == [
        ("buyer", "accept", 6000, "Deal.")
    ]
    assert record.verdict.reason.startswith("It kept")


def test_rows_end_where_the_prompts_part(path: Path) -> None:
    cheap = [(32, "Chalo ₹32."), (34, "Ab ₹34."), Accept("Done.")]
    dear = [(32, "Chalo ₹32."), Accept("Deal.")]
    build_pairs(table(dear, cheap), KEYS[:1], judge, path, policy="p")
    (row,) = load_rows(path)
    assert [message["role"] for message in row["prompt"]] == ["user"]
    assert "bids 533" in row["prompt"][0]["content"]
    assert json.loads(row["chosen"])["price"] == 567
    assert json.loads(row["rejected"])["action"] == "accept"


def test_of_two_lines_the_better_is_preferred_whoever_won(path: Path, tmp_path: Path) -> None:
    kind = [(32, "Okay, ₹32."), (34, "Achha, ₹34."), Accept("Done ji!")]
    rude = [(32, "blorf blorf <pr"), (34, "Chaliye, ₹34."), Accept("Done ji!")]
    dear = [(32, "Okay, ₹32."), Accept("Deal.")]
    build_pairs(table(kind, rude), KEYS[:1], judge, path, policy="p")
    (row,) = load_rows(path)
    assert "blorf" in row["rejected"]
    assert load_rows(path, decided_by={"words"}) == [row]
    assert load_rows(path, decided_by={"surplus", "deal"}) == []
    other = tmp_path / "other.jsonl"
    done = build_pairs(table(rude, dear), KEYS[:1], judge, other, policy="p")
    assert done.winners == {"a": 1}
    line, move = load_rows(other)
    assert "blorf" in line["rejected"]
    assert json.loads(move["rejected"])["action"] == "accept"
    assert load_rows(other, decided_by={"words"}) == [line]
    assert load_rows(other, decided_by={"surplus"}) == [move]


def test_a_tie_prefers_no_move_but_the_better_lines(path: Path) -> None:
    first = [(32, "blorf blorf <pr"), (34, "Now ₹34."), Accept("Done!")]
    second = [(32, "Say ₹32."), (34, "blorf blorf <pr"), Accept("Done!")]
    done = build_pairs(table(first, second), KEYS[:1], judge, path, policy="p")
    assert done.winners == {"tie": 1}
    rows = load_rows(path)
    assert len(rows) == 2
    assert all("blorf" in row["rejected"] for row in rows)


def test_lines_are_not_told_apart_where_a_model_judged(path: Path) -> None:
    """What moved it is not known: its verdict is taken for every turn, and a tie for none."""
    first = [(32, "Okay, ₹32."), (34, "Achha, ₹34."), Accept("Done ji!")]
    second = [(32, "blorf blorf <pr"), (34, "Achha, ₹34."), Accept("Done ji!")]

    def taste(a: Transcript, b: Transcript) -> Verdict:
        is_first = a.lines[0].startswith("blorf")
        return Verdict("a" if is_first else "b", "I like it.", "model", judge="odd")

    build_pairs(table(first, second), KEYS[:1], taste, path, policy="p")
    (row,) = load_rows(path)
    assert "blorf" in row["chosen"]
    path.unlink()
    build_pairs(
        table(first, second),
        KEYS[:1],
        lambda *_: Verdict("tie", "Both.", "nothing", judge="odd"),
        path,
        policy="p",
    )
    assert load_rows(path) == []


def test_a_tie_gives_no_row(path: Path) -> None:
    done = build_pairs(table([20, Walk()], [20, Walk()]), KEYS, judge, path, policy="p")
    assert done.winners == {"tie": 6}
    assert load_rows(path) == []


def test_the_same_preference_counts_once_and_a_contradicted_one_not_at_all(path: Path) -> None:
    """In a fixed suite all games begin with the same prompt."""
    low, high = [32, 33, 34], [55]
    build_pairs(table(low, high), KEYS[:4], judge, path, policy="p")
    assert sum(len(record.rows) for record in PairFile(path).records()) == 4
    assert len(load_rows(path)) == 1
    # The other way round as often: the judge here likes what is dear.
    build_pairs(
        table(low, high),
        [ScenarioKey(TABLE, seed) for seed in range(10, 14)],
        lambda a, b: judge(b, a),
        path,
        policy="p",
    )
    assert load_rows(path) == []


def test_what_is_in_the_file_is_not_judged_again_and_its_order_does_not_matter(path: Path) -> None:
    player = OneDearer()
    build_pairs(player, KEYS[:3], judge, path, policy="p")
    heard: list[int] = []
    done = build_pairs(
        player, KEYS, judge, path, policy="p", batch=2, on_pair=lambda p: heard.append(p.done)
    )
    assert (done.complete, done.done, heard) == (True, 6, [4, 5, 6])
    # The batch of 2 and 3 was cut off: it is played again whole, as its games are drawn together.
    again = [0, 1, 2, 2, 3, 4, 5]
    assert [job.seed for job in player.asked] == [seed for seed in again for _ in range(2)]
    assert player.batches == [6, 4, 4]
    rows = load_rows(path)
    lines = path.read_bytes().splitlines(keepends=True)
    random.Random(3).shuffle(lines)
    path.write_bytes(b"".join(lines))
    assert load_rows(path) == rows
    assert build_pairs(player, KEYS, judge, path, policy="p").winners == done.winners


def test_a_half_line_is_cut_off_and_its_batch_played_again(path: Path) -> None:
    build_pairs(OneDearer(), KEYS, judge, path, policy="p")
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    assert len(list(PairFile(path).records())) == 5
    player = OneDearer()
    build_pairs(player, KEYS, judge, path, policy="p")
    assert [job.seed for job in player.asked] == [s for s in range(6) for _ in range(2)]
    assert path.read_bytes() == whole


def test_a_run_that_is_killed_loses_no_pair_that_it_reported(path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from tests.support.judging_players import OneDearer, build_slowly\n"
        "build_slowly(Path(sys.argv[1]))"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    reported = [child.stdout.readline() for _ in range(3)]
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    assert reported == ["1\n", "2\n", "3\n"]
    player = OneDearer()
    keys = [ScenarioKey(TABLE, seed) for seed in range(40)]
    done = build_pairs(player, keys, judge, path, policy="p", batch=1)
    assert done.complete
    assert 2 <= len({job.seed for job in player.asked}) <= 37
    assert len(list(PairFile(path).records())) == 40


def test_what_was_judged_stays_when_the_work_is_stopped(path: Path) -> None:
    def heard(progress: Progress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_pairs(OneDearer(), KEYS, judge, path, policy="p", on_pair=heard)
    assert len(list(PairFile(path).records())) == 2


def test_pairs_of_two_policies_never_share_a_file(path: Path) -> None:
    build_pairs(OneDearer(), KEYS[:1], judge, path, policy="sauda@1")
    with pytest.raises(BrokenPairs, match="holds pairs of 'sauda@1'"):
        build_pairs(OneDearer(), KEYS, judge, path, policy="sauda@2")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: "nonsense\n" + text, "line 1 is no pair"),
        (lambda text: text + text.splitlines()[0] + "\n", "is there twice"),
        (lambda text: text.replace("pair@1", "pair@7"), "pair@7"),
    ],
)
def test_a_damaged_file_is_refused_by_line(
    path: Path, spoil: Callable[[str], str], message: str
) -> None:
    build_pairs(OneDearer(), KEYS[:2], judge, path, policy="p")
    path.write_text(spoil(path.read_text()))
    with pytest.raises(BrokenPairs, match=message):
        build_pairs(OneDearer(), KEYS, judge, path, policy="p")
    with pytest.raises(BrokenPairs, match=message):
        load_rows(path)


def test_rows_of_no_file_are_refused(path: Path) -> None:
    with pytest.raises(BrokenPairs, match="build them first"):
        load_rows(path)


@pytest.mark.parametrize(
    ("keys", "more", "error"),
    [
        ([], {}, BadRequest),
        ([KEYS[0], KEYS[0]], {}, BadRequest),
        ([ScenarioKey("no_such@fixed-1", 0)], {}, UnknownSuite),
        ([ScenarioKey(TABLE, -1)], {}, BadRequest),
        (KEYS, {"temperatures": (0.5, float("nan"))}, BadRequest),
        (KEYS, {"batch": 0}, BadRequest),
    ],
)
def test_nothing_is_played_for_a_request_that_makes_no_sense(
    path: Path, keys: list[ScenarioKey], more: dict[str, object], error: type[Exception]
) -> None:
    player = OneDearer()
    with pytest.raises(error):
        build_pairs(player, keys, judge, path, policy="p", **more)  # type: ignore[arg-type]
    assert not player.asked
    assert not path.exists()


@pytest.mark.parametrize(
    ("play_many", "error"),
    [
        (lambda jobs: OneDearer()(jobs)[:-1], NotAGame),
        (lambda jobs: OneDearer()(jobs)[1:] + OneDearer()(jobs)[:1], DifferentGames),
        (
            lambda jobs: [PlayedGame(game.log, game.turns[:-1]) for game in OneDearer()(jobs)],
            NotAGame,
        ),
        (lambda jobs: [played(55, suite="career_10@fixed-1") for _ in jobs], NotAGame),
    ],
    ids=["one too few", "another order", "a turn is missing", "another suite"],
)
def test_a_player_that_gives_something_else_is_told_so(
    path: Path, play_many: Callable[[Sequence[Job]], list[PlayedGame]], error: type[Exception]
) -> None:
    with pytest.raises(error):
        build_pairs(play_many, KEYS[:2], judge, path, policy="p")
    assert not path.exists()
