"""What a scripted model server can answer, good and bad; all of it can be sent as JSON."""

from collections.abc import Callable
from typing import Any

import msgspec

USAGE = {"prompt_tokens": 40, "completion_tokens": 12}


class Say(msgspec.Struct, frozen=True, tag="say"):
    """A model's answer, in the protocol that was asked for.

    ``pieces`` is into how many it is cut when streamed, with ``pause_s`` before each. ``usage``
    replaces the counts, also by nonsense; ``marked`` False leaves out the end mark of a stream.
    """

    text: str = '{"action": "offer", "price": 170, "message": "170 is what I can do."}'
    pieces: int = 5
    pause_s: float = 0.0
    usage: Any = msgspec.field(default_factory=lambda: dict(USAGE))
    finish_reason: Any = "stop"
    marked: bool = True

    def cut(self) -> list[str]:
        """The text in pieces."""
        size = max(1, -(-len(self.text) // self.pieces))
        return [self.text[start : start + size] for start in range(0, len(self.text), size)]


class Status(msgspec.Struct, frozen=True, tag="status"):
    """An error of the server."""

    status: int = 500
    retry_after: str = ""
    body: str = '{"error": "no"}'


class Silence(msgspec.Struct, frozen=True, tag="silence"):
    """Nothing for a time, then the end of the connection.

    ``after_pieces`` 0 is silence before the headers, else so many pieces of ``text`` come first.
    """

    seconds: float = 20.0
    after_pieces: int = 0
    text: str = "one two three four five six"


class Half(msgspec.Struct, frozen=True, tag="half"):
    """The first half of what ``Say(text)`` would send.

    ``politely`` ends the body as if it were complete, otherwise the connection breaks.
    """

    text: str = "one two three four five six"
    politely: bool = False


class Body(msgspec.Struct, frozen=True, tag="body"):
    """A complete answer with status 200 and any body, repeated ``times``."""

    body: str = "this is not the answer you are looking for"
    times: int = 1
    content_type: str = "application/json"
    gzip: bool = False


class Noise(msgspec.Struct, frozen=True, tag="noise"):
    """Bytes that are not HTTP."""

    bytes: str = "\x00\x16\x03 good morning\r\n\r\n"


class HangUp(msgspec.Struct, frozen=True, tag="hang-up"):
    """The end of the connection instead of an answer."""


Answer = Say | Status | Silence | Half | Body | Noise | HangUp


class Asked(msgspec.Struct, frozen=True):
    """A request as it came; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any

    @property
    def messages(self) -> list[dict[str, str]]:
        """The chat."""
        found: list[dict[str, str]] = self.body.get("messages", [])
        return found

    @property
    def streamed(self) -> bool:
        """Whether the answer is wanted in pieces."""
        return bool(self.body.get("stream")) if isinstance(self.body, dict) else False


Answerer = Callable[[Asked], Answer]


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """What ``POST /script`` takes; what is left out stays as it is."""

    always: Answer | None = None
    then: list[Answer] = []
    missing: list[str] | None = None
    streams: bool | None = None
