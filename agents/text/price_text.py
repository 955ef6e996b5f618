"""Text to price: the one place where a seller's words become a number.

The words are cut into pieces, every number gets a role (price, refused, count, ...), and what is
left decides: one price is read, none is none, and two are asked back. Nothing is guessed.
"""

import re
from itertools import pairwise

import msgspec

from agents.text.reading.amounts import Amount
from agents.text.reading.answer import PriceReading, Standing, ask_without_bid
from agents.text.reading.changes import changed_price, changes, moved, standing_words
from agents.text.reading.pieces import Said, Text, to_text
from agents.text.reading.roles import Role, roles
from agents.text.reading.spelling import word_set
from negotiation.engine.quantities import MAX_PRICE, MIN_PRICE, Paise, clamp_price

PRICE_ROLES: frozenset[Role] = frozenset({"floor", "final", "named", "hint", "bare", "either"})
MEANT_ROLES: frozenset[Role] = frozenset({"floor", "final"})
"""Whoever calls a number the last one means a price, and leaves its scale out at most."""
_MINUS = re.compile(r"(?:^|\s|[a-z])-\Z")
_RANGE = ("-", "–", "/")
ALONE = 2
"""In a line of so many words a tiny number is still meant as a price."""


class _Named(msgspec.Struct, frozen=True):
    paise: int
    role: Role
    said: Said
    sure: bool


def _named_prices(text: Text, said: list[tuple[Said, Role]], standing: Standing) -> list[_Named]:
    found = [
        _to_named(item, role, standing)
        for item, role in _without_start(said, standing)
        if role in PRICE_ROLES
    ]
    kept = _without_small(_joined(_with_shared_scale(found, standing), standing), standing)
    if not kept:
        kept = [name for name in found if name.role != "bare" or len(text.pieces) <= ALONE]
    return list({name.paise: name for name in kept}.values())


def _without_start(said: list[tuple[Said, Role]], standing: Standing) -> list[tuple[Said, Role]]:
    for (left, role), (right, other) in pairwise(said):
        down = right.amount.paise < left.amount.paise == standing.ask
        if down and "either" in (role, other) and len(said) == 2:
            return [(right, "named")]
    return said


def _to_named(item: Said, role: Role, standing: Standing) -> _Named:
    paise, other = item.amount.paise, item.amount.other
    if other is not None:
        fits = [value for value in (paise, other) if standing.fits(value)]
        if len(fits) == 1:
            return _Named(fits[0], role, item, True)
    if role in MEANT_ROLES and standing.is_tiny(paise) and not item.marked:
        # "11.5 final" where 12,500 is asked.
        scaled = standing.with_scale(paise)
        if len(scaled) == 1:
            return _Named(scaled[0], role, item, True)
    return _Named(paise, role, item, other is None and (item.marked or item.amount.scaled))


def _with_shared_scale(found: list[_Named], standing: Standing) -> list[_Named]:
    if len(found) != 2 or not all(name.role == "either" for name in found):
        return found
    left, right = found
    if left.sure or not right.said.amount.scaled or not standing.is_tiny(left.paise):
        return found
    meant = [price for price in standing.with_scale(left.paise) if price < right.paise]
    return [_Named(meant[0], "either", left.said, True), right] if len(meant) == 1 else found


def _without_scales(left: Amount, right: Amount) -> int:
    """Put two numbers together that are one: "forty five five", "four one fifty", "26 50"."""
    tens, units = range(1000, 10_000, 100), range(100, 1000, 100)
    if left.digits and right.digits and left.paise in tens and right.paise in tens:
        return left.paise * 100 + right.paise
    if left.digits or right.digits:
        return 0
    if left.paise in tens and right.paise in units:
        return left.paise * 1000 + right.paise * 100
    is_spoken = left.paise in (*units, *tens) and right.paise in range(10_000, 100_000, 100)
    return left.paise * 1000 + right.paise if is_spoken else 0


def _joined(found: list[_Named], standing: Standing) -> list[_Named]:
    if len(found) != 2:
        return found
    left, right = found
    beside = right.said.piece == left.said.piece + 1 and right.said.before == " "
    whole = _without_scales(left.said.amount, right.said.amount) if beside else 0
    if standing.allows(whole):
        return [_Named(whole, right.role, right.said, True)]
    digits = len(left.said.amount.digits) <= 3 and len(right.said.amount.digits) == 3
    whole = left.paise * 1000 + right.paise
    if digits and right.said.before == " " and standing.fits(whole):
        if standing.fits(right.paise):
            return found
        return [_Named(whole, right.role, right.said, True)]
    return found


def _without_small(found: list[_Named], standing: Standing) -> list[_Named]:
    return [
        name
        for name in found
        if name.sure
        or name.said.amount.fraction
        or not standing.is_tiny(name.paise)
        or ("." in name.said.amount.digits and standing.with_scale(name.paise))
    ]


def _unclear(name: _Named, standing: Standing) -> PriceReading | None:
    amount = name.said.amount
    if not MIN_PRICE <= name.paise <= MAX_PRICE:
        return standing.price(name.paise, None)
    if not name.said.marked and _MINUS.search(name.said.before):
        return standing.whether(name.paise)
    if amount.other is not None and not name.sure:
        return standing.one_of([name.paise, amount.other])
    if amount.fraction:
        return standing.one_of(standing.with_scale(name.paise) or [name.paise * 100])
    if name.sure or not standing.is_small(name.paise):
        return None
    meant = standing.with_scale(name.paise)
    if meant:
        below = standing.bid is not None and name.paise < standing.bid
        return standing.one_of(meant if below else [name.paise, *meant])
    return standing.whether(name.paise) if standing.is_tiny(name.paise) else None


_BETWEEN = word_set("beech between middle halfway midway")
STRONG: tuple[Role, ...] = ("floor", "final", "named")
"""A price in such a role stands against others that no word marks."""


def read_prices(
    text: str, standing_ask: Paise | None, standing_bid: Paise | None, currency: str = "INR"
) -> PriceReading:
    """Read the price a seller names; never raises, in time proportional to the length of the text.

    Standing prices in paise, for words like "50 kam" and "meet in the middle".

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
    prices = _named_prices(text, said, standing)
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


def _one(text: Text, name: _Named, standing: Standing) -> PriceReading:
    span = text.span(name.said.piece, name.said.piece)
    return _unclear(name, standing) or standing.price(name.paise, span)


def _several(text: Text, prices: list[_Named], standing: Standing) -> PriceReading:
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
    possible = [name for name in prices if standing.allows(name.paise)]
    is_range = any(name.said.before.strip() in _RANGE for name in prices[1:])
    if len(possible) == 1 and possible[0].role != "either" and not is_range:
        return _one(text, possible[0], standing)
    for role in STRONG:
        strong = [name for name in prices if name.role == role]
        if not strong:
            continue
        # "not below 5500 ... would 5600 do?": such a floor is not what is asked.
        is_below = role == "floor" and any(name.paise > strong[0].paise for name in possible)
        if len(strong) == 1 and not is_below and all(name.role != "either" for name in prices):
            return _one(text, strong[0], standing)
        break
    return standing.one_of(name.paise for name in prices)


def _is_between(name: _Named, standing: Standing) -> bool:
    return standing.allows(name.paise) and name.paise != standing.ask


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
