"""Bots that talk much and play little: few tasks, and answers with a pause."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.openenv.errors import Full, Unplayable
from negotiation import ttl_cache
from negotiation.openenv.serving import room_of
from training.bots import plays, socket, tasks
from training.bots.models import Bot
from training.bots.socket import Seat

Brought = Callable[..., Bot]


@pytest.fixture
def carried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tasks as they reach the queue."""
    kept: list[str] = []
    monkeypatch.setattr(tasks, "enqueue_soon", lambda _task, run_id: kept.append(run_id))
    ttl_cache.forget()
    return kept


def test_fifty_resets_while_a_play_is_summed_up_enqueue_one_task(
    brought: Brought, carried: list[str]
) -> None:
    bot = brought()
    seat = Seat(bot, "mallory")
    for _ in range(3):
        seat.next_game()
        while not seat.step(Action("walk"))[2]:
            pass
    for _ in range(50):
        with pytest.raises(Unplayable, match="summed up"):
            seat.next_game()
    play = plays.latest_play(bot)
    assert play is not None
    assert carried == [play.pk]


def test_a_lost_task_is_enqueued_again_by_whoever_looks(
    brought: Brought, carried: list[str]
) -> None:
    bot = brought()
    play = plays.begin_play(bot, 1)
    tasks.remind(play)
    assert carried == []
    play.tables.update(done=True)
    tasks.remind(play)
    tasks.remind(play)
    assert carried == [play.pk]


class Line:
    """A connection of Mallory's to the door of the bots."""

    def __init__(self, *said: str) -> None:
        self._said = list(said)
        self.heard: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        if self._said:
            return {"type": "websocket.receive", "text": self._said.pop(0)}
        return {"type": "websocket.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        self.heard.append(message)

    async def knock(self) -> None:
        self._said.insert(0, "")  # the handshake
        scope = {"headers": [], "client": ("203.0.113.9", 4711)}
        await socket.bot_socket(scope, self.receive, self.send)


async def test_messages_without_a_move_are_soon_answered_with_a_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr(socket.asyncio, "sleep", noted)
    more = 5
    line = Line(*['{"type": "state"}'] * (socket.IDLE_MESSAGES + more))
    await line.knock()
    assert len(line.heard) == 1 + socket.IDLE_MESSAGES + more
    assert pauses.count(socket.IDLE_PAUSE_S) == more


async def test_too_many_connections_are_told_as_on_every_other_socket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def is_full(_client: str) -> None:
        raise Full(1, 1)

    monkeypatch.setattr(room_of(socket.BAZAAR), "enter", is_full)
    line = Line()
    await line.knock()
    told, closed = line.heard[-2:]
    assert json.loads(told["text"])["data"]["code"] == "CAPACITY_REACHED"
    assert closed == {"type": "websocket.close", "code": 4429}
