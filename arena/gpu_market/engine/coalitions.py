"""Coalitions: labs that pool blocks after each of them has consented."""

from typing import Literal

import msgspec

from arena.gpu_market.engine.quantities import BlockId, LabId

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
