"""What is said to a model and what it answers: values that every room may hold."""

from collections.abc import Callable
from typing import Literal

import msgspec

from bazaarbatna.bargain.observe import BuyerObservation

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

    ``temperature`` 0 means the likeliest token each time, else ``top_p`` 0..1 is the mass drawn
    from. In Sauda's own turn ``seen`` is the position behind the messages, for models trained on
    another prompt. ``checkpoint`` names the trained model that is meant ("": whichever speaks).
    ``since`` is the moment (``time.monotonic``) at which the turn began, 0: nobody waits.
    """

    messages: tuple[Message, ...]
    max_new_tokens: int = 96
    temperature: float = 0.6
    top_p: float = 0.9
    seed: int | None = None
    seen: BuyerObservation | None = None
    speak_only: bool = False
    checkpoint: str = ""
    since: float = 0.0

    @property
    def characters(self) -> int:
        """Length of all messages together."""
        return sum(len(message.content) for message in self.messages)


class Manner(msgspec.Struct, frozen=True):
    """How the answers of a model are to be taken.

    ``steer``: bent by the tells (None: as the site does); ``tells``: the model is told of them;
    ``prompt``: version of what it reads ("": the site's own).
    """

    steer: bool | None = None
    tells: bool = True
    prompt: str = ""


PLAIN = Manner()


class Completion(msgspec.Struct, frozen=True):
    """A complete answer; token counts are None where the backend does not tell."""

    text: str
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    manner: Manner = PLAIN
