"""A turn does not wait for words on their way."""

import asyncio

import pytest

from negotiation.games import notify
from negotiation.partial_text import PartialTextSender


async def test_a_turn_ends_though_the_sender_does_not_hear_that_it_is_called_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, ends = asyncio.Event(), asyncio.Event()

    async def swallows(game_id: str, words: str) -> None:
        begun.set()
        while not ends.is_set():
            try:
                await ends.wait()
            except asyncio.CancelledError:
                continue  # as redis 8.1 does while it connects anew

    monkeypatch.setattr(notify, "send_partial_text", swallows)
    async with asyncio.timeout(30):
        async with PartialTextSender("game") as sender:
            sender.show("Theek hai")
            await begun.wait()
    ends.set()
    # And then it stops.
    await asyncio.wait_for(sender._pump, 30)
