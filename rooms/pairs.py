"""Who waits for a game, and who plays it together."""

from datetime import datetime

import msgspec

from bazaarbatna.bargain.quantities import Side
from rooms.models import Member
from rooms.plan import Plan


class Waiting(msgspec.Struct, frozen=True):
    """A member who could play now, and under which plan; ``since`` when."""

    member: Member
    plan: Plan
    since: datetime
    last: Side | None
    met: frozenset[str]

    @property
    def round(self) -> int:
        """The game this would be, from 1."""
        return self.member.dealt + 1


class Pair(msgspec.Struct, frozen=True):
    """Who sells and who buys; None: the house."""

    seller: Waiting | None
    buyer: Waiting | None

    @property
    def people(self) -> list[Waiting]:
        """The one or two people of it."""
        return [one for one in (self.seller, self.buyer) if one is not None]
