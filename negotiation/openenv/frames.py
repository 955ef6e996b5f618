"""The messages of the socket, both ways."""

from collections.abc import Container
from typing import Any, TypeVar

import msgspec

from negotiation.environment.actions import Action
from negotiation.environment.resets import Reset
from negotiation.environment.seat import Answer, Standing
from negotiation.openenv.errors import InvalidJson, ProtocolError, TooLong, UnknownType, to_protocol

Read = TypeVar("Read")

LONGEST = 16_384
"""Bytes of a message from a client."""


class _In(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class ResetFrame(_In, frozen=True, tag="reset"):
    """Start a game."""

    data: Reset = Reset()


class StepFrame(_In, frozen=True, tag="step"):
    """Move."""

    data: Action


class StateFrame(_In, frozen=True, tag="state"):
    """Ask where the game stands."""


class CloseFrame(_In, frozen=True, tag="close"):
    """Hang up."""


class McpFrame(_In, frozen=True, tag="mcp"):
    """A JSON-RPC request in a frame."""

    data: msgspec.Raw = msgspec.Raw(b"{}")


Frame = ResetFrame | StepFrame | StateFrame | CloseFrame | McpFrame


class ObservationFrame(msgspec.Struct, frozen=True, tag_field="type", tag="observation"):
    """The answer to reset and step."""

    data: Answer


class StandingFrame(msgspec.Struct, frozen=True, tag_field="type", tag="state"):
    """The answer to state."""

    data: Standing


class RpcFrame(msgspec.Struct, frozen=True, tag_field="type", tag="mcp"):
    """The answer to a JSON-RPC request."""

    data: dict[str, Any]


class ErrorFrame(msgspec.Struct, frozen=True, tag_field="type", tag="error"):
    """What was wrong; the connection stays open."""

    data: dict[str, Any]


_decoder: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)
_encoder = msgspec.json.Encoder()
_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in Frame.__args__)


def read_frame(text: str) -> Frame:
    """Read one message.

    Raises:
        ProtocolError: it cannot be read; the message says where.
    """
    return decoded(text, _decoder, _TYPES)


def decoded(text: str, decoder: msgspec.json.Decoder[Read], types: Container[str]) -> Read:
    """Read one message of some kinds.

    Args:
        text: the message.
        decoder: of these kinds.
        types: their names.

    Raises:
        ProtocolError: it cannot be read; the message says where.
    """
    if len(text) > LONGEST or (len(text) > LONGEST / 4 and len(text.encode()) > LONGEST):
        raise TooLong
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as wrong:
        raise _explained(text, wrong, types) from wrong
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise InvalidJson(f"The message is not JSON: {wrong}.") from wrong


def write(frame: msgspec.Struct) -> str:
    """Write one message."""
    return _encoder.encode(frame).decode()


def write_error(wrong: ProtocolError) -> str:
    """Write what was wrong."""
    data: dict[str, Any] = {"message": wrong.message, "code": wrong.code}
    if wrong.code == "CAPACITY_REACHED":
        data |= {"active_sessions": getattr(wrong, "active", 0)}
        data |= {"max_sessions": getattr(wrong, "most", 0)}
    return write(ErrorFrame(data))


def _explained(text: str, wrong: msgspec.ValidationError, types: Container[str]) -> ProtocolError:
    try:
        whole = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as worse:
        # The shape was wrong before the end of what can be read.
        return InvalidJson(f"The message is not JSON: {worse}.")
    named = whole.get("type") if isinstance(whole, dict) else None
    is_known = isinstance(named, str) and named in types
    return to_protocol(wrong) if is_known or not isinstance(whole, dict) else UnknownType()
