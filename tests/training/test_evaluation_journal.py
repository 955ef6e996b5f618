"""The bargains on disk, after whatever may happen to a process that writes them."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from negotiation.policies import policy
from tests.support.evaluating import a_plan, all_rows
from training.evaluation import BrokenRun
from training.evaluation import folder as journals
from training.evaluation.folder import Journal, unit_of
from training.evaluation.playing import Played, play
from training.evaluation.rows import to_line

CAREER = "read_the_tells@sampled-1"


@pytest.fixture(scope="module")
def games() -> list[Played]:
    """Three games of five bargains."""
    return list(play(policy("rules:linear"), CAREER, [0, 1, 2]))


def written(path: Path, games: list[Played]) -> Journal:
    journal = Journal(path / "episodes.jsonl")
    for one in games:
        journal.append(one)
    return journal


def test_whatever_byte_a_writer_dies_at_whole_games_stay_and_nothing_else(
    tmp_path: Path, games: list[Played]
) -> None:
    whole = written(tmp_path, games).path.read_bytes()
    first = sum(len(to_line(row)) for row in games[0].rows)
    second = first + sum(len(to_line(row)) for row in games[1].rows)
    journal = Journal(tmp_path / "episodes.jsonl")
    for cut in range(0, len(whole), 97):
        journal.path.write_bytes(whole[:cut])
        kept = journal.recover()
        expected = (cut >= first) + (cut >= second)
        assert len(kept) == expected
        assert journal.path.stat().st_size == (0, first, second)[expected]


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file grows beyond a size, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_told_and_costs_no_more_than_the_game_it_met(
    tmp_path: Path, games: list[Played]
) -> None:
    journal = written(tmp_path, games[:1])
    first = journal.path.stat().st_size
    second = sum(len(to_line(row)) for row in games[1].rows)
    with room_for(first + second - 7), pytest.raises(OSError, match="too large"):
        journal.append(games[1])
    assert list(journal.recover()) == [games[0].unit]
    journal.append(games[1])
    assert list(journal.recover()) == [games[0].unit, games[1].unit]


def test_games_reach_the_disk_itself_every_few_seconds(
    tmp_path: Path, games: list[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda number: sizes.append(os.fstat(number).st_size))
    journal = written(tmp_path, games[:2])
    assert sizes == []
    monkeypatch.setattr(journals, "SYNC_S", 0.0)
    journal.append(games[2])
    assert sizes == [journal.path.stat().st_size]


def test_a_line_that_was_cut_and_written_over_is_no_kill(
    tmp_path: Path, games: list[Played]
) -> None:
    journal = written(tmp_path, games)
    lines = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(b"".join([*lines[:7], b'{"suite":\n', *lines[8:]]))
    with pytest.raises(BrokenRun, match="line 8 is no bargain"):
        journal.recover()


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path, games: list[Played]) -> None:
    journal = written(tmp_path, [games[0], games[1], games[0]])
    with pytest.raises(BrokenRun, match="line 11"):
        journal.recover()


def test_the_final_order_is_the_plans_whatever_ended_first(tmp_path: Path) -> None:
    plan = a_plan(episodes=6)
    rows = all_rows(plan)
    games = {unit: tuple(row for row in rows if unit_of(row) == unit) for unit in plan.units()}
    journal = Journal(tmp_path / "episodes.jsonl")
    for unit in reversed(plan.units()):
        journal.append(Played(unit, games[unit]))
    assert journal.path.read_bytes() != b"".join(map(to_line, rows))
    journal.put_in_order(plan)
    assert journal.path.read_bytes() == b"".join(map(to_line, rows))


def test_an_order_with_a_game_missing_is_refused(tmp_path: Path, games: list[Played]) -> None:
    journal = written(tmp_path, games)
    before = journal.path.read_bytes()
    with pytest.raises(BrokenRun, match="lacks 1 games"):
        journal.put_in_order(a_plan(["rules:linear"], ["read_the_tells"], episodes=20, seed=0))
    assert journal.path.read_bytes() == before


def test_there_is_nothing_to_recover_before_the_first_game(tmp_path: Path) -> None:
    assert Journal(tmp_path / "episodes.jsonl").recover() == {}
