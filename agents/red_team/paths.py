"""The ways from the game to a model: each a router of its own, with real backends where it can."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agents import asking
from agents.backends.base import Backend, Chat, Completion, OnText, unheard
from agents.backends.hf import HfBackend
from agents.backends.ollama import OllamaBackend
from agents.gates.contract import Call, Gatekeeper, Settlement, Ticket
from agents.red_team.gullible import Gullible, pieces
from agents.red_team.server import MODEL, PIECES, ModelServer
from agents.router import Router

PATHS = ("rules", "hf", "ollama", "local")
"""``rules`` asks nobody."""


class StandIn:
    """A gullible model in this process, where the site would have its local one."""

    name = "local"
    metered = False
    timeout_s = 5.0

    def __init__(self, model: Gullible) -> None:
        self._model = model

    def configured(self) -> bool:
        """Tell that it can be asked."""
        return True

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        """Answer in pieces."""
        text = self._model.answer(chat)
        for piece in pieces(text, PIECES):
            on_text(piece)
            await asyncio.sleep(0)
        return Completion(text, MODEL)

    async def probe(self) -> str:
        """Give its name."""
        return MODEL

    async def close(self) -> None:
        """Let go of nothing."""


class OpenGate:
    """Lets every call through and counts nothing: a report must not use up anybody's day."""

    def admit(self, call: Call, now: float) -> Ticket:
        """Let it through."""
        return Ticket(0, call)

    def settle(self, ticket: Ticket, settlement: Settlement, now: float) -> None:
        """Write nothing down."""


@asynccontextmanager
async def way_to(path: str, model: Gullible) -> AsyncIterator[None]:
    """Let the model answer this task's questions on a path.

    Args:
        path: one of ``PATHS``.
        model: who answers.
    """
    if path == "rules":
        yield
        return
    server = ModelServer(model.answer)
    async with server, way_through(_backend(path, server.url, model)):
        yield


@asynccontextmanager
async def way_through(backend: Backend, keeper: Gatekeeper | None = None) -> AsyncIterator[None]:
    """Let a backend answer this task's questions, behind an open gate or a given keeper."""
    router = Router([backend], keeper or OpenGate())
    with asking.through(router):
        yield
    await router.close()


def _backend(path: str, url: str, model: Gullible) -> Backend:
    if path == "hf":
        return HfBackend(url)
    return OllamaBackend(url, MODEL) if path == "ollama" else StandIn(model)
