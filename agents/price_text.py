"""Text to price: the one place where a seller's words become a number.

The words are cut into pieces, every number gets a role (price, refused, count, ...), and what is
left decides: one price is read, none is none, and two are asked back. Nothing is guessed.
"""

import msgspec

from agents.reading.pieces import Said, Text, to_text
from agents.reading.questions import (
    ask_off_or_price,
    ask_one_of,
    ask_too_large,
    ask_whether,
    ask_without_bid,
    ask_zero,
)
from agents.reading.role_table import Role
from agents.reading.roles import roles
from agents.reading.standing_words import standing_words
from negotiation.engine.quantities import MAX_PRICE, MIN_PRICE, Paise, clamp_price

SCALES = (100, 1000, 100_000)
"""What people leave out: "12" for 12,000, "2.5" for 2,50,000."""

TINY = 0.05
"""A bare number below this share of the standing ask counts something else."""

LOW, HIGH = 0.2, 2.0
"""A bare number between these shares of the standing ask needs no question."""


class PriceReading(msgspec.Struct, frozen=True):
    """What a text says about the price.

    ``price`` in paise, or None; ``candidates`` are the prices it could be when ``question`` (one
    sentence for the player) is not empty; ``span`` is where the price stands in the text, in code
    points, and ``roles`` tell what each number of the text was taken for.
    """

    price: Paise | None = None
    candidates: tuple[Paise, ...] = ()
    question: str = ""
    span: tuple[int, int] | None = None
    roles: tuple[Role, ...] = ()


class _Named(msgspec.Struct, frozen=True):
    """A possible price: paise, role, the amount it came from, and whether it is beyond doubt."""

    paise: int
    role: Role
    said: Said
    sure: bool


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
    return read_text(to_text(text), standing_ask, standing_bid, currency)


def read_text(
    text: Text, standing_ask: Paise | None, standing_bid: Paise | None, currency: str = "INR"
) -> PriceReading:
    """Read a text that is cut already; see ``read_prices``."""
    found = tuple(roles(text))
    reading = _Reader(text, found, standing_ask, standing_bid, currency).read()
    return msgspec.structs.replace(reading, roles=found)


class _Reader:
    """Decides between the numbers of one text."""

    def __init__(
        self,
        text: Text,
        found: tuple[Role, ...],
        ask: Paise | None,
        bid: Paise | None,
        currency: str,
    ) -> None:
        self.text, self.roles, self.ask, self.bid, self.currency = text, found, ask, bid, currency
        self.said = list(zip(text.said, found, strict=True))

    def read(self) -> PriceReading:
        named = self._drop_small(self._named())
        prices = list({name.paise: name for name in named}.values())
        changed = self._changes()
        if len(prices) == 1:
            return self._one(prices[0], changed)
        if prices:
            return self._several(prices)
        if changed:
            return self._changed(changed)
        return self._without_amounts()

    def _named(self) -> list[_Named]:
        return [
            self._to_named(item, role)
            for item, role in self._after_ranges()
            if role in ("floor", "final", "named", "hint", "bare", "either")
        ]

    def _after_ranges(self) -> list[tuple[Said, Role]]:
        """Read "200 se 180" as a step down from the standing ask, not as a range."""
        said = self.said
        for (left, role), (right, other) in zip(said, said[1:], strict=False):
            down = right.amount.paise < left.amount.paise == self.ask
            if down and "either" in (role, other) and len(said) == 2:
                return [(right, "named")]
        return said

    def _to_named(self, item: Said, role: Role) -> _Named:
        paise, other = item.amount.paise, item.amount.other
        sure = item.marked or item.amount.scaled
        if other is not None:
            fits = [value for value in (paise, other) if self._fits(value)]
            if len(fits) == 1:
                return _Named(fits[0], role, item, True)
        return _Named(paise, role, item, sure and other is None)

    def _fits(self, paise: int) -> bool:
        return self.ask is not None and LOW * self.ask <= paise <= HIGH * self.ask

    def _drop_small(self, named: list[_Named]) -> list[_Named]:
        """Drop bare numbers far too small for a price: "2 for 300", "I have 2 kids"."""
        if self.ask is None:
            return named
        tiny = TINY * self.ask
        kept = [n for n in named if n.sure or n.paise >= tiny or n.said.amount.fraction]
        if kept:
            return kept
        return [n for n in named if self._stands_alone(n)]

    def _stands_alone(self, name: _Named) -> bool:
        return name.role != "bare" or len(self.text.pieces) <= 2

    def _one(self, name: _Named, changed: list[tuple[Said, Role]]) -> PriceReading:
        if changed and name.role in ("bare", "hint"):
            moved = self._moved(*changed[0])
            if moved is not None and moved != name.paise:
                return self._ask_one_of([name.paise, moved])
        unclear = self._unclear(name)
        return unclear or self._price(name.paise, name.said)

    def _unclear(self, name: _Named) -> PriceReading | None:
        if name.paise > MAX_PRICE:
            return PriceReading(question=ask_too_large(self.currency))
        if name.paise < MIN_PRICE:
            return PriceReading(question=ask_zero())
        if name.said.before.endswith("-") and not name.said.before[:-1].strip():
            if name.said.before[-2:] != "--" and not name.said.marked:
                return self._ask_whether(name.paise)
        other = name.said.amount.other
        if other is not None and not name.sure:
            return self._ask_one_of([name.paise, other])
        if name.said.amount.fraction:
            meant = self._scaled(name.paise) or [name.paise * 100]
            return self._ask_one_of(meant) if len(meant) > 1 else self._ask_whether(meant[0])
        if self.ask is not None and not name.sure and name.paise < LOW * self.ask:
            meant = self._scaled(name.paise)
            if meant:
                return self._ask_one_of([name.paise, *meant])
            if name.paise < TINY * self.ask:
                return self._ask_whether(name.paise)
        return None

    def _scaled(self, paise: int) -> list[int]:
        if self.ask is None:
            return []
        return [paise * s for s in SCALES if 0.4 * self.ask <= paise * s <= 1.05 * self.ask]

    def _several(self, prices: list[_Named]) -> PriceReading:
        for role in ("floor", "final", "named"):
            strong = [name for name in prices if name.role == role]
            if len(strong) == 1 and not any(n.role == "either" for n in prices):
                return self._unclear(strong[0]) or self._price(strong[0].paise, strong[0].said)
            if strong:
                break
        return self._ask_one_of([name.paise for name in prices])

    def _changes(self) -> list[tuple[Said, Role]]:
        return [
            pair for pair in self.said if pair[1] in ("off", "more") and not self._denied(pair[0])
        ]

    def _denied(self, item: Said) -> bool:
        pieces = self.text.pieces
        before = {p.text for p in pieces[max(item.piece - 4, 0) : item.piece]}
        after = {p.text for p in pieces[item.piece + 2 : item.piece + 5]}
        return bool(before & _DENIALS or after & {"nahi", "mat", "not"})

    def _changed(self, changed: list[tuple[Said, Role]]) -> PriceReading:
        item, role = changed[0]
        if len({other.amount.paise for other, _ in changed}) > 1:
            meant = [p for other in changed if (p := self._moved(*other)) is not None]
            return self._ask_one_of(meant) if len(set(meant)) > 1 else PriceReading()
        price = self._moved(item, role)
        if price is None:
            return PriceReading(question=ask_without_bid())
        if role == "off" and not self._is_step_down(price):
            return self._ask_off_or_price(item.amount.paise, price)
        if role == "more" and self.ask is not None and price > self.ask:
            return self._ask_one_of([item.amount.paise, price])
        return self._price(price, item)

    def _moved(self, item: Said, role: Role) -> int | None:
        """Take an amount off the ask, or put it on the bid."""
        if role == "more":
            return None if self.bid is None else self.bid + item.amount.paise
        if self.ask is None:
            return None
        if _is_percent(self.text, item):
            return clamp_price(self.ask * (1 - min(item.amount.paise / 10_000, 1.0)), 0)
        return self.ask - item.amount.paise

    def _is_step_down(self, price: int) -> bool:
        return self.ask is not None and price >= 0.5 * self.ask and price >= (self.bid or 0) * 0.8

    def _without_amounts(self) -> PriceReading:
        found = standing_words(self.text)
        if found is not None:
            return self._standing(*found)
        unclear = [
            item
            for item, role in self.said
            if role in ("rival", "later") and self._fits(item.amount.paise)
        ]
        if len({item.amount.paise for item in unclear}) == 1:
            return self._ask_whether(unclear[0].amount.paise)
        return PriceReading()

    def _standing(self, word: str, first: int, last: int) -> PriceReading:
        span = self.text.span(first, last)
        if word == "same":
            return PriceReading(price=self.ask, span=span) if self.ask else PriceReading()
        if word == "half":
            return self._ask_whether(self.ask // 2) if self.ask else PriceReading()
        if self.ask is None or self.bid is None:
            return PriceReading(question=ask_without_bid())
        return PriceReading(price=clamp_price((self.ask + self.bid) / 2), span=span)

    def _price(self, paise: int, item: Said) -> PriceReading:
        if not MIN_PRICE <= paise <= MAX_PRICE:
            return PriceReading(
                question=ask_zero() if paise < MIN_PRICE else ask_too_large(self.currency)
            )
        return PriceReading(price=Paise(paise), span=self.text.span(item.piece, item.piece))

    def _ask_one_of(self, prices: list[int]) -> PriceReading:
        candidates = tuple(Paise(p) for p in dict.fromkeys(prices) if MIN_PRICE <= p <= MAX_PRICE)
        if len(candidates) == 1:
            return self._ask_whether(candidates[0])
        return PriceReading(candidates=candidates, question=ask_one_of(candidates, self.currency))

    def _ask_whether(self, paise: int) -> PriceReading:
        if not MIN_PRICE <= paise <= MAX_PRICE:
            return PriceReading(question=ask_zero())
        return PriceReading(candidates=(Paise(paise),), question=ask_whether(paise, self.currency))

    def _ask_off_or_price(self, said: int, price: int) -> PriceReading:
        candidates = tuple(Paise(p) for p in (said, price) if MIN_PRICE <= p <= MAX_PRICE)
        question = ask_off_or_price(said, price, self.currency)
        return PriceReading(candidates=candidates, question=question)


_DENIALS = frozenset("no not dont cant wont never cannot nahi koi without".split())


def _is_percent(text: Text, item: Said) -> bool:
    if item.after.lstrip().startswith("%"):
        return True
    following = text.pieces[item.piece + 1 : item.piece + 2]
    return bool(following) and following[0].text in ("percent", "pc", "pratishat")
