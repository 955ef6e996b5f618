"""What the games of one pair leave behind: the same seller meets the same buyer again."""

import msgspec

from bazaarbatna.bargain.events import Ended
from bazaarbatna.bargain.observe import CareerSummary
from bazaarbatna.bargain.quantities import Paise

CAPITULATION_SHARE = 0.85
"""A deal above this share of the anchor is a capitulation of the buyer."""


class Career(msgspec.Struct, frozen=True):
    """Counts over the games so far; ``buyer_shares`` is the sum of the shares of closed deals."""

    games: int = 0
    deals: int = 0
    capitulations: int = 0
    buyer_shares: float = 0.0

    @property
    def capitulation_rate(self) -> float:
        """Capitulations per deal, 0..1; 0 before the first deal."""
        return self.capitulations / self.deals if self.deals else 0.0

    def summary(self) -> CareerSummary:
        """Return the record as the buyer knows it."""
        mean = self.buyer_shares / self.deals if self.deals else 0.0
        return CareerSummary(self.games, self.deals, self.capitulation_rate, mean)


def is_capitulation(anchor: Paise, price: Paise) -> bool:
    """Whether a deal price in paise gave nearly everything to the seller."""
    return price > CAPITULATION_SHARE * anchor


def remember(career: Career, anchor: Paise, ended: Ended) -> Career:
    """Add a finished game with this opening ask, in paise, to the career."""
    if ended.price is None:
        return msgspec.structs.replace(career, games=career.games + 1)
    return Career(
        games=career.games + 1,
        deals=career.deals + 1,
        capitulations=career.capitulations + is_capitulation(anchor, ended.price),
        buyer_shares=career.buyer_shares + ended.buyer_share,
    )
