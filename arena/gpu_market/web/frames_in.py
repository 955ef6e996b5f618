"""What a client may send over a market's socket."""

from typing import Any, Literal, get_args

import msgspec

from negotiation.games.frames_in import Number, PingFrame, SyncFrame, read_with


class _Frame(msgspec.Struct, frozen=True, tag_field="type"):
    pass


class ActFrame(_Frame, frozen=True, tag="act"):
    """The person's lab acts; ``round`` is the round that it is meant for."""

    action: dict[str, Any]
    round: Number | None = None


class ConsiderFrame(_Frame, frozen=True, tag="consider"):
    """Ask what would become of an action, without doing it."""

    action: dict[str, Any]


class PaceFrame(_Frame, frozen=True, tag="pace"):
    """Stop a demo, let it go on, or let one lab act; ``pace`` in seconds between two turns."""

    pause: bool | Literal["step"]
    pace: float | None = None


Frame = ActFrame | ConsiderFrame | PaceFrame | SyncFrame | PingFrame
TYPES = tuple(str(one.__struct_config__.tag) for one in get_args(Frame))

_decoder: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)


def read_frame(text: str) -> Frame:
    """Read one frame of a viewer of a market.

    Raises:
        BadFrame: it cannot be read.
    """
    return read_with(_decoder, TYPES, text)
