"""Turns beside the sockets: never lost, never two at a time for one game."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from django.db import OperationalError

from bazaarbatna.bargain.errors import BrokenLog
from negotiation.bargain import opponent_turns
from negotiation.games import notify
from tests.support.builders import a_sale, numbers

TurnOf = Callable[[str], bool]


@pytest.fixture(autouse=True)
def at_once(settings: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BUYER_PAUSE_S = 0  # type: ignore[attr-defined]
    settings.TAKE_BACK_S = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(opponent_turns, "RETRY_AFTER_S", (0.0, 0.0, 0.0))


async def all_done() -> None:
    while opponent_turns._runners._running:
        await asyncio.gather(*opponent_turns._runners._running.values())


class Turns:
    """Stands for the database: counts turns, can be held and can fail."""

    def __init__(self) -> None:
        self.taken = 0
        self.at_work = 0
        self.most_at_work = 0
        self.failures = 0
        self.begun = threading.Semaphore(0)
        self.may_end = threading.Event()
        self.may_end.set()

    def __call__(self, game_id: str, since: float) -> None:
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        self.begun.release()
        self.may_end.wait()
        self.at_work -= 1
        self.taken += 1
        if self.failures:
            self.failures -= 1
            raise OperationalError("database is locked")


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Turns:
    counted = Turns()
    monkeypatch.setattr(opponent_turns, "begin", counted)
    return counted


async def test_asking_twice_at_once_is_one_turn_at_a_time(turns: Turns) -> None:
    turns.may_end.clear()
    opponent_turns.start_turn("lamp")
    await asyncio.to_thread(turns.begun.acquire)
    opponent_turns.start_turn("lamp")
    opponent_turns.start_turn("lamp")
    turns.may_end.set()
    await all_done()
    # The second look is for what was written after the first one had read the log.
    assert turns.taken == 2
    assert turns.most_at_work == 1


async def test_two_games_do_not_wait_for_each_other(turns: Turns) -> None:
    turns.may_end.clear()
    opponent_turns.start_turn("lamp")
    opponent_turns.start_turn("cycle")
    for _ in range(2):
        await asyncio.to_thread(turns.begun.acquire)
    assert turns.at_work == 2
    turns.may_end.set()
    await all_done()
    assert turns.taken == 2


async def test_a_turn_that_fails_is_tried_again(
    turns: Turns, caplog: pytest.LogCaptureFixture
) -> None:
    turns.failures = 2
    opponent_turns.start_turn("lamp")
    await all_done()
    assert turns.taken == 3
    assert caplog.text.count("opponent's turn failed") == 2


async def test_a_turn_that_keeps_failing_is_left_for_the_next_visit(turns: Turns) -> None:
    turns.failures = 4
    opponent_turns.start_turn("lamp")
    await all_done()
    assert turns.taken == 4
    opponent_turns.start_turn("lamp")
    await all_done()
    assert turns.taken == 5


async def test_a_turn_that_breaks_is_logged_and_blocks_nothing(
    turns: Turns, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(game_id: str, since: float) -> None:
        raise BrokenLog("somebody changed the log")

    with monkeypatch.context() as broken:
        broken.setattr(opponent_turns, "begin", breaks)
        opponent_turns.start_turn("lamp")
        with pytest.raises(BrokenLog):
            await all_done()
    assert "a game broke off" in caplog.text
    opponent_turns.start_turn("lamp")
    await all_done()
    assert turns.taken == 1


@pytest.mark.django_db
def test_a_view_without_a_server_takes_the_turn_itself() -> None:
    notify._server_loop.clear()
    game = a_sale()
    opponent_turns.start_turn_from_thread(game.pk)
    assert numbers(game) == [1, 2]


async def test_a_view_under_a_server_leaves_the_turn_to_its_loop(turns: Turns) -> None:
    notify.remember_loop()
    await asyncio.to_thread(opponent_turns.start_turn_from_thread, "lamp")
    await asyncio.sleep(0)
    await all_done()
    assert turns.taken == 1
    notify._server_loop.clear()
