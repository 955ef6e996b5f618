"""Who comes while Redis is away hears of moves in other processes when it is back."""

import asyncio
from typing import Any

import pytest
import redis
from channels.layers import InMemoryChannelLayer

from bazaar_site.layers import GroupLayer
from negotiation.games import notify, viewer_hub
from negotiation.games.live import Batch
from tests.support.waiting import WITHIN_S


class Layer(InMemoryChannelLayer):
    """One that can be away."""

    is_away = True

    async def group_add(self, group: str, channel: str) -> None:
        if self.is_away:
            raise redis.ConnectionError("refused")
        await super().group_add(group, channel)


class Scene:
    seq = 1
    viewers: dict[Any, Any] = {}


class Live:
    """A kind of game of which only is asked what a hub needs."""

    name = "test"

    def __init__(self) -> None:
        self.heard = asyncio.Event()

    def look(self, game_id: str, wants: Any, known: Any) -> tuple[Scene, dict[Any, Batch]]:
        return Scene(), {}

    def rest_s(self, scene: Any) -> float | None:
        return None

    def notified(self, game_id: str) -> None:
        self.heard.set()

    async def keep_alive(self, game_id: str, scene: Any) -> None:
        pass


class Socket:
    drawn_in = ""

    def place_in(self, scene: Any) -> None:
        return None

    def wake(self) -> None:
        pass


async def test_two_who_connect_anew_at_once_harm_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy:
        async def group_add(self, group: str, channel: str) -> None:
            raise RuntimeError("readuntil() called while another coroutine is already waiting")

        group_discard = group_add

    layer = GroupLayer()
    monkeypatch.setattr(layer, "_get_layer", Busy)
    monkeypatch.setattr(layer, "_connects_anew", lambda group: False)
    monkeypatch.setattr(notify, "get_channel_layer", lambda: layer)
    assert not await notify.listen("game", "mailbox")
    await notify.stop_listening("game", "mailbox")


async def test_whoever_came_during_an_outage_is_rung_for_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layer, live = Layer(), Live()
    for module in (notify, viewer_hub):
        monkeypatch.setattr(module, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(viewer_hub, "LOOK_EVERY_S", 0.01)
    hub = viewer_hub.Hub("game", live)  # type: ignore[arg-type]
    hub.sockets.add(Socket())  # type: ignore[arg-type]
    await hub.open()
    await asyncio.sleep(0.05)
    assert len(layer.groups) == 0
    layer.is_away = False
    async with asyncio.timeout(WITHIN_S):
        while not live.heard.is_set():
            message = {"type": notify.MESSAGE_TYPE, "game": "game", "seq": 2}
            await layer.group_send(notify.group_of("game"), message)
            await asyncio.sleep(0.01)
    # The mailbox is the same all the time: none is left behind for each try.
    assert len(layer.groups[notify.group_of("game")]) == 1
    hub.close()
    await asyncio.sleep(0)
