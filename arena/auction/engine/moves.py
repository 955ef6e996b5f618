"""What a buyer may put into its envelope in a round."""

from typing import Literal, get_args

import msgspec

from negotiation.engine.quantities import Paise

Signal = Literal["cooperate", "compete", "bluff"]
"""A sign to the other buyers: "let us not drive the price up", "I will outbid you", or the second
one without meaning it."""

SIGNALS: tuple[Signal, ...] = get_args(Signal)


class _Move(msgspec.Struct, frozen=True, gc=False, tag_field="action"):
    pass


class Bid(_Move, frozen=True, gc=False, tag="offer"):
    """Name a price in paise; it stands until it is raised. At or above the ask it takes the ask."""

    price: Paise
    text: str = ""
    signal: Signal | None = None


class Take(_Move, frozen=True, gc=False, tag="accept"):
    """Take the standing ask."""

    text: str = ""
    signal: Signal | None = None


class Hold(_Move, frozen=True, gc=False, tag="hold"):
    """Leave the own bid standing, or look on while there is none."""

    text: str = ""
    signal: Signal | None = None


class Leave(_Move, frozen=True, gc=False, tag="walk"):
    """Leave the match for good."""

    text: str = ""
    signal: Signal | None = None


ArenaMove = Bid | Take | Hold | Leave
Action = Literal["offer", "accept", "hold", "walk"]


def action_of(move: ArenaMove) -> Action:
    """Return a move's name in the log and on the wire."""
    match move:
        case Bid():
            return "offer"
        case Take():
            return "accept"
        case Hold():
            return "hold"
        case Leave():
            return "walk"
