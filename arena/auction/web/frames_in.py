"""What a client may send over a match's socket."""

from typing import get_args

import msgspec

from arena.auction.engine.moves import Signal
from negotiation.games.frames_in import PingFrame, SyncFrame, Written, read_with


class Signalled(Written, frozen=True):
    """What a person puts into the envelope; ``signal`` is shown to the others with it."""

    signal: Signal | None = None


class SayFrame(Signalled, frozen=True, tag="say"):
    """Free text with a price or an acceptance inside."""


class BidFrame(Signalled, frozen=True, tag="offer", kw_only=True):
    """A bid of ``price`` rupees."""

    price: float


class TakeFrame(Signalled, frozen=True, tag="accept"):
    """Take the standing ask."""


class HoldFrame(Signalled, frozen=True, tag="hold"):
    """Leave the own bid standing."""


class LeaveFrame(Signalled, frozen=True, tag="walk"):
    """Leave the match for good."""


Frame = SayFrame | BidFrame | TakeFrame | HoldFrame | LeaveFrame | SyncFrame | PingFrame
TYPES = tuple(str(one.__struct_config__.tag) for one in get_args(Frame))

_decoder: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)


def read_frame(text: str) -> Frame:
    """Read one frame of a viewer of a match.

    Raises:
        BadFrame: it cannot be read.
    """
    return read_with(_decoder, TYPES, text)
