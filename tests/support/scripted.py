"""Backends and keepers that do what a test tells them: real implementations, no patches."""

import asyncio
from collections import deque
from collections.abc import Callable

from agents.backends.base import BackendError, Chat, Completion, OnText, unheard
from agents.gates.contract import Call, GateClosed, GateName, Settlement, Ticket

Answering = str | BackendError | Callable[[Chat], str]


class ScriptedBackend:
    """Gives the queued answers in order, then the last one again and again.

    ``pause_s`` lies before each answer; text is streamed in pieces of ``piece`` characters.
    """

    def __init__(
        self,
        name: str = "local",
        *,
        metered: bool = False,
        timeout_s: float = 5.0,
        pause_s: float = 0.0,
        piece: int = 7,
    ) -> None:
        self.name = name
        self.metered = metered
        self.timeout_s = timeout_s
        self.pause_s = pause_s
        self.piece = piece
        self.asked: list[Chat] = []
        self.was_asked = asyncio.Event()
        self.closed = False
        self._answers: deque[Answering] = deque()

    def enqueue(self, *answers: Answering) -> "ScriptedBackend":
        self._answers.extend(answers)
        return self

    def configured(self) -> bool:
        return True

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        self.asked.append(chat)
        self.was_asked.set()
        await asyncio.sleep(self.pause_s)
        answer = self._answers[0] if len(self._answers) == 1 else self._answers.popleft()
        if isinstance(answer, BackendError):
            raise answer
        text = answer if isinstance(answer, str) else answer(chat)
        for start in range(0, len(text), self.piece):
            on_text(text[start : start + self.piece])
            await asyncio.sleep(0)
        return Completion(text, "scripted", len(chat.messages), len(text))

    async def probe(self) -> str:
        return "scripted"

    async def close(self) -> None:
        self.closed = True


class OpenGates:
    """Lets everything through and remembers it; ``shut`` closes a gate for a backend."""

    def __init__(self) -> None:
        self.admitted: list[Call] = []
        self.settled: list[tuple[str, Settlement]] = []
        self._shut: dict[str, GateName] = {}

    def shut(self, backend: str, gate: GateName) -> "OpenGates":
        self._shut[backend] = gate
        return self

    def admit(self, call: Call, now: float) -> Ticket:
        gate = self._shut.get(call.backend)
        if gate is not None:
            raise GateClosed(gate, "closed by the test")
        self.admitted.append(call)
        return Ticket(len(self.admitted), call)

    def settle(self, ticket: Ticket, settlement: Settlement, now: float) -> None:
        self.settled.append((ticket.call.backend, settlement))
