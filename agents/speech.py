"""The reader of a seller's free text that this room installs."""

import re

from negotiation.engine.quantities import MAX_PRICE, MIN_PRICE, Paise
from negotiation.engine.tells import Tells
from negotiation.readers import Belief, Intent, Reading, SaleContext

_NUMBER = re.compile(r"\d[\d,]{0,14}(?:\.\d{1,2})?")


class Speech:
    """Reads a seller's words with tables of patterns."""

    def intent(self, text: str, context: SaleContext) -> Intent:
        """Read what the text asks for; never raises on any text."""
        found = [round(float(n.replace(",", "")) * 100) for n in _NUMBER.findall(text)]
        prices = tuple(Paise(p) for p in dict.fromkeys(found) if MIN_PRICE <= p <= MAX_PRICE)
        if len(prices) == 1:
            return Intent("price", prices[0])
        if prices:
            return Intent("ambiguous", None, prices, "Which of these is your price?")
        if context.bids and re.search(r"\b(done|deal|sold|le jao)\b", text.lower()):
            return Intent("accept", context.bids[-1])
        return Intent("none")

    def tells(self, text: str, context: SaleContext, ask: Paise | None) -> Reading:
        """Read the signals of the text, the time it took and the path of asks."""
        return Reading(Tells())

    def belief(self, tells: Tells | None, asks: tuple[Paise, ...], persona: str | None) -> Belief:
        """Estimate the seller's state from its last tells and the path of its asks."""
        return Belief(0.5, 0.5)
