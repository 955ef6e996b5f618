"""Text to price: the one place where a seller's words become a number.

The words are cut into pieces, every number gets a role (price, refused, count, ...), and what is
left decides: one price is read, none is none, and two are asked back. Nothing is guessed.
"""

import msgspec

from agents.reading.answer import PriceReading, Standing
from agents.reading.changes import changed_price, changes, moved
from agents.reading.named import Named, named_prices, unclear
from agents.reading.pieces import Said, Text, to_text
from agents.reading.questions import ask_without_bid
from agents.reading.role_table import Role
from agents.reading.roles import roles
from agents.reading.spelling import word_set
from agents.reading.standing_words import standing_words
from negotiation.engine.quantities import Paise, clamp_price

_BETWEEN = word_set("beech between middle halfway midway")
STRONG: tuple[Role, ...] = ("floor", "final", "named")
"""A price in such a role stands against others that no word marks."""


def read_prices(
    text: str, standing_ask: Paise | None, standing_bid: Paise | None, currency: str = "INR"
) -> PriceReading:
    """Read the price a seller names; never raises, time proportional to the length of the text.

    Args:
        text: what the seller wrote, at any length.
        standing_ask: the seller's standing ask in paise, for words like "50 kam".
        standing_bid: the buyer's standing bid in paise, for words like "meet in the middle".
        currency: ISO code for the questions.

    Returns:
        A price, a question with the candidates, or neither when the text names no price.

    >>> read_prices("170 nahi 165", Paise(20000), Paise(15000)).price
    16500
    >>> read_prices("150 ya 170?", Paise(20000), None).question
    'Which is your price: ₹150 or ₹170?'
    >>> read_prices("3 other offers", Paise(20000), None).price is None
    True
    """
    return read_text(to_text(text), Standing(standing_ask, standing_bid, currency))


def read_text(text: Text, standing: Standing) -> PriceReading:
    """Read a text that is cut already; see ``read_prices``."""
    found = tuple(roles(text))
    said = list(zip(text.said, found, strict=True))
    return msgspec.structs.replace(_read(text, said, standing), roles=found)


def _read(text: Text, said: list[tuple[Said, Role]], standing: Standing) -> PriceReading:
    prices = named_prices(text, said, standing)
    steps = changes(text, said)
    if len(prices) > 1:
        return _several(text, prices, standing)
    if prices:
        price = prices[0]
        step = moved(text, steps[0], standing) if steps else None
        if step not in (None, price.paise) and price.role in ("bare", "hint"):
            return standing.one_of([price.paise, step or 0])
        return _one(text, price, standing)
    if steps:
        return changed_price(text, steps, standing)
    return _without_amounts(text, said, standing)


def _one(text: Text, name: Named, standing: Standing) -> PriceReading:
    span = text.span(name.said.piece, name.said.piece)
    return unclear(name, standing) or standing.price(name.paise, span)


def _several(text: Text, prices: list[Named], standing: Standing) -> PriceReading:
    places = prices[0].said.piece, prices[-1].said.piece
    both = {name.paise for name in prices} == {standing.ask, standing.bid}
    if both and any(piece.text in _BETWEEN for piece in text.pieces):
        # "between your 150 and my 200"
        return _standing("middle", text.span(*places), standing)
    new = [name for name in prices if name.paise not in (standing.ask, standing.bid)]
    free = all(name.role != "either" and name.said.before.strip(" ,.") == "" for name in prices)
    if free and len(new) == 1 and _is_between(new[0], standing):
        # "you 150, i 200, come to 175": the standing prices are only repeated.
        return _one(text, new[0], standing)
    for role in STRONG:
        strong = [name for name in prices if name.role == role]
        if len(strong) == 1 and all(name.role != "either" for name in prices):
            return _one(text, strong[0], standing)
        if strong:
            break
    return standing.one_of(name.paise for name in prices)


def _is_between(name: Named, standing: Standing) -> bool:
    return standing.ask is not None and (standing.bid or 0) < name.paise < standing.ask


def _without_amounts(text: Text, said: list[tuple[Said, Role]], standing: Standing) -> PriceReading:
    words = standing_words(text)
    if words is not None:
        return _standing(words.word, text.span(words.first, words.last), standing)
    # "180 from tomorrow": perhaps that is the ask, perhaps not. What others offer is none.
    prices = {item.amount.paise for item, role in said if role == "later"}
    if len(prices) == 1 and standing.fits(max(prices)):
        return standing.whether(max(prices))
    return PriceReading()


def _standing(word: str, span: tuple[int, int], standing: Standing) -> PriceReading:
    if standing.ask is None:
        return PriceReading()
    if word == "same":
        return standing.price(standing.ask, span)
    if word == "half":
        return standing.whether(standing.ask // 2)
    if standing.bid is None:
        return PriceReading(question=ask_without_bid())
    return standing.price(clamp_price((standing.ask + standing.bid) / 2), span)
