"""What a side may do in its turn."""

from typing import Literal

import msgspec

from bazaarbatna.bargain.quantities import Paise

MoveKind = Literal["offer", "accept", "walk"]


class Offer(msgspec.Struct, frozen=True, gc=False, tag="offer", tag_field="action"):
    """Name a price in paise: the buyer's bid or the seller's counter (its new ask)."""

    price: Paise
    text: str = ""


class Accept(msgspec.Struct, frozen=True, gc=False, tag="accept", tag_field="action"):
    """Take the other side's standing price."""

    text: str = ""


class Walk(msgspec.Struct, frozen=True, gc=False, tag="walk", tag_field="action"):
    """Leave without a deal."""

    text: str = ""


Move = Offer | Accept | Walk
