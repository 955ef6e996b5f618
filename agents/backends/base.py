"""The plug of a model: one call that turns a chat into text, and what can be wrong with it."""

from typing import Protocol

from agents.prompts.chats import Chat as Chat
from agents.prompts.chats import Completion as Completion
from agents.prompts.chats import Message as Message
from agents.prompts.chats import OnText as OnText
from agents.prompts.chats import Role as Role
from agents.prompts.chats import unheard as unheard


class Backend(Protocol):
    """Something that can be asked. One instance per process; calls run concurrently.

    ``name`` stands in the log; ``metered``: a call costs money; ``timeout_s`` bounds one call.
    """

    name: str
    metered: bool
    timeout_s: float

    def configured(self) -> bool:
        """Whether the settings name this backend at all."""
        ...

    async def complete(self, chat: Chat, on_text: OnText = unheard) -> Completion:
        """Ask the model, or raise BackendError; cancelling the task ends the work."""
        ...

    async def probe(self) -> str:
        """Return the model's name without generating text, or raise BackendError."""
        ...

    async def close(self) -> None:
        """Let go of connections and models."""
        ...


class BackendError(Exception):
    """A backend gave no answer.

    Args:
        code: stable and kebab-case: what the log and the health page say.
        retryable: the same call may succeed later without anybody repairing something.
        retry_after_s: seconds the backend asked to be left alone, None if it did not say.
        asked: the request may have reached the model, so that it may have cost money.
    """

    def __init__(
        self,
        code: str,
        *,
        retryable: bool = True,
        retry_after_s: float | None = None,
        asked: bool = True,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.asked = asked


class Unreachable(BackendError):
    """Nobody was asked: the connection was refused, or the address is wrong."""

    def __init__(self, code: str = "unreachable") -> None:
        super().__init__(code, asked=False)


class TooSlow(BackendError):
    """No complete answer came in time."""

    def __init__(self, code: str = "too-slow", *, asked: bool = True) -> None:
        super().__init__(code, asked=asked)


class Refused(BackendError):
    """The server answered with an error."""

    def __init__(self, status: int, retry_after_s: float | None = None) -> None:
        retryable = status in (408, 425, 429) or status >= 500
        super().__init__(f"http-{status}", retryable=retryable, retry_after_s=retry_after_s)
        self.status = status


class BadAnswer(BackendError):
    """What came back is no answer: half a body, far too much, or not the protocol."""
