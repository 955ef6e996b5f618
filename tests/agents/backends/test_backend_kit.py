"""The kit passes real backends, and says of a broken one what to do."""

import asyncio
import threading

import pytest

from agents.backends.base import BadAnswer, Chat, Completion, OnText, unheard
from agents.backends.hf import HfBackend
from agents.backends.ollama import OllamaBackend
from agents.testing.backends import check_backend
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Say


async def test_hf_passes_without_a_chat_route(scripted: FaultyServer) -> None:
    scripted.missing.add("/v1/chat/completions")
    scripted.always(Say("theek hai"))
    await check_backend(HfBackend(scripted.url))


async def test_ollama_passes(scripted: FaultyServer) -> None:
    scripted.always(Say("theek hai " * 20, pieces=40, pause_s=0.005))
    await check_backend(OllamaBackend(scripted.url, "scripted-1"))
    assert scripted.hang_ups == 1


class Working:
    """A dull backend that a test breaks."""

    name = "working"
    metered = False
    timeout_s = 1.0

    def configured(self) -> bool:
        return True

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        for piece in self.pieces(chat):
            await asyncio.sleep(0)
            on_text(piece)
        return Completion("theek hai")

    def pieces(self, chat: Chat) -> list[str]:
        return ["theek", " hai"]

    async def probe(self) -> str:
        return ""

    async def close(self) -> None:
        return


class Shouts(Working):
    name = "Shouts!"


class Idle(Working):
    def configured(self) -> bool:
        return False


class Stutters(Working):
    def pieces(self, chat: Chat) -> list[str]:
        return ["theek", "theek hai"]


class Mumbles(Working):
    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        return "theek hai"  # type: ignore[return-value]


class Counts(Working):
    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        on_text("ok")
        return Completion("ok", prompt_tokens=-1)


class Lingers(Working):
    timeout_s = 0.01

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        await asyncio.sleep(1.1)
        return await super().complete(chat, on_text)


class Elsewhere(Working):
    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        thread = threading.Thread(target=on_text, args=("theek hai",))
        thread.start()
        thread.join()
        return Completion("theek hai")


class Mixes(Working):
    """Gives pieces of one caller to another when several ask."""

    def __init__(self) -> None:
        self.listener: OnText = unheard

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        self.listener = on_text
        await asyncio.sleep(0.01)
        self.listener("theek hai")
        return Completion("theek hai")


class Trips(Working):
    def pieces(self, chat: Chat) -> list[str]:
        if chat.characters > 10_000:
            raise ValueError("too long")
        return super().pieces(chat)


class Refuses(Working):
    """Nothing is wrong with it: odd chats may be refused."""

    def pieces(self, chat: Chat) -> list[str]:
        if chat.characters > 10_000:
            raise BadAnswer("prompt-too-long")
        return super().pieces(chat)


class Slow(Working):
    """Takes long for long answers, as it should."""

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        await asyncio.sleep(0.6 if chat.max_new_tokens > 200 else 0)
        return await super().complete(chat, on_text)


class Stubborn(Slow):
    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        try:
            return await super().complete(chat, on_text)
        except asyncio.CancelledError:
            return Completion("never mind")


class TalksOn(Slow):
    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        asyncio.get_running_loop().call_later(
            0.08 if chat.max_new_tokens > 200 else 60, on_text, "and another thing"
        )
        return await super().complete(chat, on_text)


@pytest.mark.parametrize("make", [Working, Refuses, Slow])
async def test_an_honest_dull_backend_passes(make: type[Working]) -> None:
    await check_backend(make())


@pytest.mark.parametrize(
    ("make", "advice"),
    [
        (Shouts, "lower case, digits, dashes"),
        (Idle, "check a backend that can answer"),
        (Stutters, "give each piece once"),
        (Mumbles, "return a Completion"),
        (Counts, "no count of tokens"),
        (Lingers, "raise TooSlow after timeout_s"),
        (Elsewhere, "use loop.call_soon_threadsafe"),
        (Mixes, "the caller that it belongs to"),
        (Trips, "raised ValueError: turn it into a BackendError"),
        (Stubborn, "never catch CancelledError"),
        (TalksOn, "stop the work behind it"),
    ],
)
async def test_a_broken_backend_is_told_what_to_do(make: type[Working], advice: str) -> None:
    with pytest.raises(AssertionError, match=advice):
        await check_backend(make())
