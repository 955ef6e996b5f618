"""What a client may send over a sale's socket."""

from typing import get_args

import msgspec

from negotiation.games.frames_in import PingFrame, SyncFrame, Written, read_with


class SayFrame(Written, frozen=True, tag="say"):
    """Free text with a price or an acceptance inside, or mere words."""


class OfferFrame(Written, frozen=True, tag="offer", kw_only=True):
    """An ask of ``price`` rupees."""

    price: float


class AcceptFrame(Written, frozen=True, tag="accept"):
    """Take the standing bid."""


class WalkFrame(Written, frozen=True, tag="walk"):
    """Leave without a deal."""


Frame = SayFrame | OfferFrame | AcceptFrame | WalkFrame | SyncFrame | PingFrame
TYPES = tuple(str(one.__struct_config__.tag) for one in get_args(Frame))

_decoder: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)


def read_frame(text: str) -> Frame:
    """Read one frame of a player in a game for two; errors as for ``read_with``."""
    return read_with(_decoder, TYPES, text)
