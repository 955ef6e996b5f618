"""The plug of a model: one call that turns a chat into text."""

from typing import Protocol

from agents.prompts.chats import Chat as Chat
from agents.prompts.chats import Completion as Completion
from agents.prompts.chats import Message as Message
from agents.prompts.chats import OnText as OnText
from agents.prompts.chats import Role as Role
from agents.prompts.chats import unheard as unheard


class Backend(Protocol):
    """Something that can be asked. One instance per process; calls run concurrently.

    ``name`` is what the log says served a move; ``metered`` means that a call costs money;
    ``timeout_s`` is the longest that one call may take.
    """

    name: str
    metered: bool
    timeout_s: float

    def configured(self) -> bool:
        """Whether the settings name this backend at all."""
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
