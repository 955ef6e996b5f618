"""The plug of a model: one call that turns a chat into text."""

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

Role = Literal["system", "user", "assistant"]

OnText = Callable[[str], None]
"""Hears the pieces of the answer in order while they are made; joined they are the answer."""


def unheard(piece: str) -> None:
    """Listen to nothing."""


class Message(msgspec.Struct, frozen=True):
    """One turn of a chat."""

    role: Role
    content: str


class Chat(msgspec.Struct, frozen=True):
    """What a model is asked.

    ``max_new_tokens`` limits the answer; ``temperature`` 0 means the likeliest token each time,
    else ``top_p`` 0..1 is the mass that is drawn from; ``seed`` makes drawing repeatable where the
    backend can.
    """

    messages: tuple[Message, ...]
    max_new_tokens: int = 96
    temperature: float = 0.6
    top_p: float = 0.9
    seed: int | None = None

    @property
    def characters(self) -> int:
        """Length of all messages together."""
        return sum(len(message.content) for message in self.messages)


class Completion(msgspec.Struct, frozen=True):
    """A complete answer; token counts are None where the backend does not tell."""

    text: str
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Backend(Protocol):
    """Something that can be asked. One instance per process; calls run concurrently.

    ``name`` is what the log says served a move; ``metered`` means that a call costs money;
    ``timeout_s`` is the longest that one call may take.
    """

    name: str
    metered: bool
    timeout_s: float

    def configured(self) -> bool:
        """Tell whether the settings name this backend at all."""
        ...

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        """Ask the model; cancelling the task ends the work.

        Raises:
            BackendError: there is no answer; nothing else is raised.
        """
        ...

    async def probe(self) -> str:
        """Ask for a sign of life without generating text; give the model's name.

        Raises:
            BackendError: there is none.
        """
        ...

    async def close(self) -> None:
        """Let go of connections and models."""
        ...
