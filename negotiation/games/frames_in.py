"""What any viewer of a game may send over its socket, and how one frame is read."""

import re
from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec

from bazaarbatna import nulls
from negotiation.errors import BadFrame
from negotiation.words import clean

MAX_BYTES = 16_384
"""Longest frame; the server is started with the same number and closes on longer ones (1009)."""

MAX_TYPING_S = 3600.0
"""Longest time that counts as writing one message."""

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
Typing = Annotated[float, msgspec.Meta(ge=0)]


class InFrame(msgspec.Struct, frozen=True, tag_field="type"):
    """A frame that comes in; its ``type`` says which."""


class Written(InFrame, frozen=True):
    """What a person typed in ``typing_s`` seconds, having been told of events up to ``seen``."""

    text: str = ""
    typing_s: Typing | None = None
    seen: Number | None = None

    @property
    def words(self) -> str:
        """The text without what is no text."""
        return clean(self.text)

    @property
    def seconds(self) -> float | None:
        """Time spent writing, 0..3600."""
        return None if self.typing_s is None else min(self.typing_s, MAX_TYPING_S)


class SyncFrame(InFrame, frozen=True, tag="sync"):
    """Ask for the events after a sequence number."""

    after: Number = 0


class PingFrame(InFrame, frozen=True, tag="ping"):
    """Ask for a sign of life; ``here``: somebody has the page before the eyes, or types."""

    here: bool = False


class WritesFrame(InFrame, frozen=True, tag="writes"):
    """A line is being written."""


Read = TypeVar("Read")


def read_with(decoder: msgspec.json.Decoder[Read], types: Sequence[str], text: str) -> Read:
    """Read one frame; ``types`` are the names that a wrong one is told.

    Raises:
        BadFrame: too long, not JSON (``NaN`` is none), not an object, an unknown type, a field of
            the wrong kind.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        raise BadFrame(f"A message has at most {MAX_BYTES} bytes; yours has {len(data)}.")
    try:
        return nulls.decoded(decoder, data)
    except msgspec.ValidationError as wrong:
        raise BadFrame(_explain(str(wrong), types)) from wrong
    except (msgspec.DecodeError, UnicodeError) as wrong:
        raise BadFrame("A message is one JSON object in UTF-8; this one cannot be read.") from wrong
    except RecursionError as wrong:
        raise BadFrame("A message is a flat JSON object; this one is nested too deep.") from wrong


_MISSING = re.compile(r"missing required field `(\w+)`")
_WRONG = re.compile(r"Expected `([\w ]+)`(?: ([<>=]+ \S+))?(?:, got `(\w+)`)?.* - at `\$\.(\w+)`")
_KINDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "an object",
}


def _explain(wrong: str, types: Sequence[str]) -> str:
    if "$.type" in wrong or "`type`" in wrong:
        return f"A message needs a type that is one of {', '.join(types)}."
    if missing := _MISSING.search(wrong):
        return f"The message needs a {missing[1]}."
    if "out of range" in wrong:
        return "A number in the message is too large."
    if found := _WRONG.search(wrong):
        expected, bound, got, field = found.groups()
        kind = _KINDS.get(expected.split(" ")[0], expected)
        told = f", not {_KINDS.get(got, got)}" if got else ""
        return f"The {field} must be {kind}{f' {bound}' if bound else ''}{told}."
    return "A message is one JSON object."
