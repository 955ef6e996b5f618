"""Offers and the contracts they become; coalitions, whose members have each consented."""

from typing import Literal

import msgspec

from arena.gpu_market.engine.blocks import Condition
from arena.gpu_market.engine.quantities import BlockId, Cents, LabId

OfferStatus = Literal["open", "accepted", "rejected", "countered", "expired", "withdrawn"]
"""``withdrawn``: its sender has left the market."""

VALID_ROUNDS = 2
"""An offer may be accepted in the round it was made and in this many after it."""


class Offer(msgspec.Struct, frozen=True, gc=False):
    """Blocks and money of ``sender`` for blocks of ``target``; only these two see it.

    ``payment`` flows from the sender to the target, in hundredths of a credit. ``linked`` is the
    offer that this one counters (empty: none).
    """

    id: str
    sender: LabId
    target: LabId
    offered: tuple[BlockId, ...]
    requested: tuple[BlockId, ...]
    payment: Cents
    message: str
    conditions: tuple[Condition, ...]
    created: int
    expires: int
    status: OfferStatus = "open"
    linked: str = ""


class Contract(msgspec.Struct, frozen=True, gc=False):
    """An offer that was accepted. Everybody sees which blocks moved.

    ``payment`` is None for those who were no party to it: budgets stay private.
    """

    offer: str
    round: int
    sender: LabId
    target: LabId
    given: tuple[BlockId, ...]
    taken: tuple[BlockId, ...]
    conditions: tuple[Condition, ...]
    payment: Cents | None


Breach = Literal["none", "excused", "breached"]
"""``excused``: a pooled block failed. ``breached``: its owner took it back."""

LASTS_ROUNDS = 4
"""A coalition ends so many rounds after it was formed."""


class Pledge(msgspec.Struct, frozen=True, gc=False):
    """The blocks one member has committed."""

    lab: LabId
    blocks: tuple[BlockId, ...]


class Coalition(msgspec.Struct, frozen=True, gc=False):
    """Everybody sees every coalition.

    ``invited`` were asked and have not answered; ``trust`` is the mean reputation of the members
    when the last of them joined; ``open`` is False once it has expired.
    """

    id: str
    founder: LabId
    members: tuple[LabId, ...]
    invited: tuple[LabId, ...]
    purpose: str
    pledges: tuple[Pledge, ...]
    trust: float
    created: int
    expires: int
    breach: Breach = "none"
    open: bool = True

    def pledged(self, lab: LabId) -> tuple[BlockId, ...]:
        """Name the blocks a member has committed."""
        return next((pledge.blocks for pledge in self.pledges if pledge.lab == lab), ())
