"""What came of a finished game, on the one scale of every page: a part of the room, 0 to 100."""

import math

import msgspec

from bazaarbatna.bargain.quantities import Side
from negotiation.charts.share_bar import whole_percents

STARS = 5


class Verdict(msgspec.Struct, frozen=True):
    """What one side kept of the room between the two limits, and one ``sentence`` about it.

    ``percent`` is 0 without a deal, and None where no room was: then nothing could be kept.
    """

    percent: int | None
    is_deal: bool
    sentence: str = ""

    @property
    def stars(self) -> int:
        """One for each begun fifth of the room: none for nothing, with a deal as without.

        >>> [Verdict(percent, is_deal=True).stars for percent in (0, 20, 21, 60, 81, 100)]
        [0, 1, 2, 3, 5, 5]
        """
        return math.ceil((self.percent or 0) * STARS / 100)

    @property
    def starred(self) -> str:
        """The stars as characters, those that were missed hollow."""
        return "★" * self.stars + "☆" * (STARS - self.stars)


def verdict_of(seller_share: float, side: Side, *, deal: bool, room: bool = True) -> Verdict:
    """Judge what ``side`` has of a game; both sides' percents of a deal add up to 100."""
    seller, buyer = whole_percents(seller_share)
    kept = seller if side == "seller" else buyer
    return Verdict((kept if deal else 0) if room else None, deal)
