"""The places in a small model's words that the table fills: price, standing ask, item."""

import re

from agents.coherence import sayable
from negotiation.engine.moves import Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise, to_rupees
from negotiation.money import rupees_text

PRICE, ASK, ITEM = "<price>", "<ask>", "<item>"
SLOTS = (PRICE, ASK, ITEM)

SOME_ITEM = "saamaan"
"""Stands in for a title that cannot be said in a sentence."""

OPENS = re.compile(r"<[a-z]{0,5}\Z")
"""The beginning of what may become a slot."""


def emptied(seen: BuyerObservation, move: Move, text: str) -> str:
    """Take prices and title out of a teacher's line."""
    price = move.price if isinstance(move, Offer) else seen.standing_ask
    title = sayable(seen.item.title)
    found = {_money(seen, seen.standing_ask): ASK, _money(seen, price): PRICE}
    if not isinstance(move, Offer):
        found = {_money(seen, seen.standing_ask): ASK}
    for words in sorted(found, key=len, reverse=True):
        text = re.sub(rf"{re.escape(words)}(?![\d,.]*\d)", found[words], text)
    return text.replace(title, ITEM) if title else text


def filled(seen: BuyerObservation, price: Paise | None, text: str) -> str:
    """Put the real price, ask and title into a model's line.

    Args:
        seen: the position.
        price: of the bid; None for a move without one, which names the standing ask.
        text: the model's words.
    """
    ask = _money(seen, seen.standing_ask)
    values = {
        PRICE: ask if price is None else _money(seen, price),
        ASK: ask,
        ITEM: sayable(seen.item.title) or SOME_ITEM,
    }
    for slot, words in values.items():
        text = text.replace(slot, words)
    return text


def _money(seen: BuyerObservation, price: Paise) -> str:
    return rupees_text(to_rupees(price), seen.item.currency)
