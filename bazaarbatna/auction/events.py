"""What buyers may put into their envelopes, and what happens in a match, in order.

Buyers are numbered from 0 as they sit.
"""

from typing import Literal, get_args

import msgspec

from bazaarbatna.auction.scenario import ArenaSealed, Seat
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.bargain.tells import Tells

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


Outcome = Literal["deal", "walk", "expired"]
"""``deal``: sold. ``walk``: every buyer has left. ``expired``: the rounds ran out."""


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="kind"):
    pass


class Opened(_Event, frozen=True, gc=False, tag="opened"):
    """The seller opened with an ask; ``commitment`` binds the sealed values."""

    suite: str
    item: Item
    max_rounds: int
    price: Paise
    seller: str
    seats: tuple[Seat, ...]
    commitment: str
    persona: str | None = None


class Placed(_Event, frozen=True, gc=False, tag="placed"):
    """A buyer has closed its envelope; the others learn only that it has."""

    buyer: int
    round: int
    move: ArenaMove


class Bidding(msgspec.Struct, frozen=True, gc=False):
    """What one envelope held; ``price`` is the bid that stands after it (None: none, or left)."""

    buyer: int
    action: Action
    price: Paise | None
    signal: Signal | None = None
    text: str = ""


class RoundRevealed(_Event, frozen=True, gc=False, tag="round"):
    """All envelopes of a round are opened; ``best`` is the buyer in front (None: no bid stands)."""

    round: int
    bids: tuple[Bidding, ...]
    best: int | None


class AttentionTurned(_Event, frozen=True, gc=False, tag="attention"):
    """How the seller divides its attention: one share 0..1 per seat, in all 1."""

    round: int
    shares: tuple[float, ...]


class TellsShown(_Event, frozen=True, gc=False, tag="tells"):
    """What all could notice about the seller in this round."""

    round: int
    tells: Tells


class AskLowered(_Event, frozen=True, gc=False, tag="offer"):
    """The seller named its ask for the next round, the same for all."""

    round: int
    price: Paise
    text: str = ""


class Sold(_Event, frozen=True, gc=False, tag="accept"):
    """The seller closed with a buyer; ``capitulated``: above 85 % of the opening ask."""

    round: int
    buyer: int
    price: Paise
    capitulated: bool
    text: str = ""


class Ended(_Event, frozen=True, gc=False, tag="ended"):
    """The match is over and its sealed values are open.

    ``shares`` has one share per seat, of the distance from the reservation price to the winner's
    budget: the winner's and, for the others, 0. All are 0 without a deal.
    """

    outcome: Outcome
    round: int
    opened: ArenaSealed
    salt: str
    winner: int | None = None
    price: Paise | None = None
    shares: tuple[float, ...] = ()
    seller_share: float = 0.0


ArenaEvent = (
    Opened | Placed | RoundRevealed | AttentionTurned | TellsShown | AskLowered | Sold | Ended
)
