"""What is on the table when nobody brings a listing: a few goods, and prices of a few listings."""

from pathlib import Path

import msgspec

from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.bargain.tells import ConditionLabel
from bazaarbatna.word_tables import read_table


class ListingPrices(msgspec.Struct, frozen=True):
    """What a game needs of a listing; prices in paise, ``street_price`` at most ``list_price``."""

    title: str
    category: str
    list_price: Paise
    street_price: Paise
    condition: str = ""
    condition_label: ConditionLabel = "good"
    currency: str = "INR"

    @property
    def item(self) -> Item:
        """What both sides see."""
        return Item(self.title, self.category, self.condition, self.condition_label, self.currency)


class _Table(msgspec.Struct, frozen=True):
    goods: tuple[Item, ...]
    listings: tuple[ListingPrices, ...]


_TABLE = read_table(Path(__file__).with_suffix(".toml"), _Table)
GOODS = _TABLE.goods
"""Small things worth about the sixty rupees that the tables of tasks ask for."""
SAMPLE_LISTINGS = _TABLE.listings
"""So that ``amazon_realistic`` runs without a catalogue."""
