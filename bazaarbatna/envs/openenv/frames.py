"""The messages of the socket, both ways, and the body of a step.

``R`` is what a kind of environment takes for a reset, ``W`` for an action.
"""

from collections.abc import Container
from typing import Any, Generic, TypeVar

import msgspec

from bazaarbatna import nulls
from bazaarbatna.envs.bargain.resets import EpisodeId
from bazaarbatna.envs.openenv.errors import (
    Full,
    InvalidJson,
    ProtocolError,
    TooFast,
    TooLong,
    UnknownType,
    to_protocol,
)

Read = TypeVar("Read")
R = TypeVar("R")
W = TypeVar("W")

LONGEST = 16_384
"""Bytes of a message from a client."""


class _In(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class ResetFrame(_In, Generic[R], frozen=True, tag="reset"):
    """Start a game; without ``data`` one of our choice."""

    data: R | msgspec.UnsetType = msgspec.UNSET


class StepFrame(_In, Generic[W], frozen=True, tag="step"):
    """Move."""

    data: W


class StateFrame(_In, frozen=True, tag="state"):
    """Ask where the game stands."""


class CloseFrame(_In, frozen=True, tag="close"):
    """Hang up."""


class McpFrame(_In, frozen=True, tag="mcp"):
    """A JSON-RPC request in a frame."""

    data: msgspec.Raw = msgspec.Raw(b"{}")


Frame = ResetFrame[R] | StepFrame[W] | StateFrame | CloseFrame | McpFrame


class StepRequest(msgspec.Struct, Generic[W], frozen=True, forbid_unknown_fields=True):
    """Body of ``POST step``.

    Attributes:
        action: what the client does.
        episode_id: which game; it may also stand in the action's metadata.
        timeout_s: accepted, a step is done at once.
        request_id: accepted and ignored.
    """

    action: W
    episode_id: EpisodeId | None = None
    timeout_s: float | None = None
    request_id: str | None = None

    @property
    def episode(self) -> str | None:
        """Which game is meant, if the request says so."""
        action: Any = self.action
        notes = getattr(action, "metadata", None)
        notes = action.get("metadata") if isinstance(action, dict) else notes
        named = self.episode_id or (notes.get("episode_id") if isinstance(notes, dict) else None)
        return named if isinstance(named, str) else None


TYPES = frozenset({"reset", "step", "state", "close", "mcp"})


def decoded(text: str, decoder: msgspec.json.Decoder[Read], types: Container[str]) -> Read:
    """Read one message of some kinds, whose names are ``types``.

    Raises:
        ProtocolError: it cannot be read; the message says where.
    """
    if len(text) > LONGEST or (len(text) > LONGEST / 4 and len(text.encode()) > LONGEST):
        raise TooLong
    try:
        return nulls.decoded(decoder, text)
    except msgspec.ValidationError as wrong:
        raise _explained(text, wrong, types) from wrong
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise InvalidJson(f"The message is not JSON: {wrong}.") from wrong


def write(kind: str, data: object) -> str:
    """Write one message: an ``observation``, a ``state``, an answer of ``mcp`` or an ``error``."""
    return msgspec.json.encode({"type": kind, "data": data}).decode()


def write_error(wrong: ProtocolError) -> str:
    """Write what was wrong; the connection stays open."""
    data: dict[str, Any] = {"message": wrong.message, "code": wrong.code}
    if isinstance(wrong, Full):
        data |= {"active_sessions": wrong.active, "max_sessions": wrong.most}
    if isinstance(wrong, TooFast):
        data |= {"retry_after_s": wrong.retry_after_s}
    return write("error", data)


def _explained(text: str, wrong: msgspec.ValidationError, types: Container[str]) -> ProtocolError:
    try:
        whole = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as worse:
        # The shape was wrong before the end of what can be read.
        return InvalidJson(f"The message is not JSON: {worse}.")
    named = whole.get("type") if isinstance(whole, dict) else None
    is_known = isinstance(named, str) and named in types
    return to_protocol(wrong) if is_known or not isinstance(whole, dict) else UnknownType()
