"""What is on the table when nobody brings a listing: a few goods, and prices of a few listings."""

import msgspec

from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.bargain.tells import ConditionLabel


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


GOODS: tuple[Item, ...] = (
    Item("Steel tiffin, three tiers", "kitchen", "One clip is loose", "good"),
    Item("Cotton gamcha, red check", "clothes", "Never used", "new"),
    Item("Clay kulhads, set of twelve", "kitchen", "Fresh from the kiln", "new"),
    Item("Second-hand algebra book", "books", "Pencil notes in chapter four", "acceptable"),
    Item("Brass diya", "home", "Polished, a small dent below", "very_good"),
    Item("Kite with twenty metres of thread", "toys", "Flown twice", "like_new"),
    Item("Cycle bell", "cycles", "Rings, a little rust", "good"),
)
"""Small things worth about the sixty rupees that the tables of tasks ask for."""


def _listing(title: str, category: str, list_rupees: int, street_rupees: int) -> ListingPrices:
    return ListingPrices(title, category, Paise(list_rupees * 100), Paise(street_rupees * 100))


SAMPLE_LISTINGS: tuple[ListingPrices, ...] = (
    _listing("Mixer grinder 750 W, three jars", "kitchen", 4999, 3299),
    _listing("Bluetooth earbuds with case", "electronics", 2999, 1299),
    _listing("Pressure cooker, 5 litres", "kitchen", 2450, 1890),
    _listing("USB-C charger 65 W", "electronics", 1999, 1149),
    _listing("Office chair with mesh back", "furniture", 11999, 6490),
    _listing("Running shoes, size 9", "shoes", 5495, 2747),
    _listing("Trolley bag, medium", "luggage", 8400, 2899),
    _listing("LED desk lamp", "home", 1299, 799),
)
"""So that ``amazon_realistic`` runs without a catalogue."""
