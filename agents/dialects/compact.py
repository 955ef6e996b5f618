"""The dialect of the small model: short prompts, relative prices, slots in the words.

The model's own text is JSON of the protocol, its price in thousandths of the opening ask and its
message with ``<price>``, ``<ask>`` and ``<item>`` where the table puts the real ones.
"""

import re

import msgspec

from agents.chats import Message, OnText
from agents.dialects import compact_prompt
from agents.dialects.base import Said, as_it_is
from agents.dialects.chat import written
from agents.dialects.scale import HIGHEST, from_share, to_share
from agents.dialects.slots import OPENS, emptied, filled
from agents.parsing import Parsed, parse
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise, to_rupees

_BEGUN = re.compile(
    r'\s*\{"action": "(offer|accept|walk|say)", "price": (null|\d{1,5}), "message": "'
)


class Compact:
    """Prices in thousandths, places for words."""

    name = "compact"
    version = compact_prompt.VERSION

    def messages(self, seen: BuyerObservation, *, speak_only: bool = False) -> tuple[Message, ...]:
        """Write the prompt."""
        return (Message("user", compact_prompt.render(seen, speak_only=speak_only)),)

    def answer(self, seen: BuyerObservation, move: Move) -> str:
        """Write a move."""
        words = emptied(seen, move, move.text)
        if isinstance(move, Offer):
            return written("offer", to_share(seen, move.price), words)
        return written("accept" if isinstance(move, Accept) else "walk", None, words)

    def reply(self, seen: BuyerObservation, text: str) -> str:
        """Write words."""
        return written("say", None, emptied(seen, Accept(), text))

    def read(self, seen: BuyerObservation, text: str) -> Parsed | None:
        """Read an answer; its price becomes paise, its slots real words."""
        return _read(seen, text, as_it_is)

    def speaker(
        self, seen: BuyerObservation, on_text: OnText, said: Said = as_it_is
    ) -> "Translator":
        """Translate an answer while it is made."""
        return Translator(seen, on_text, said)


class Translator:
    """Writes the small model's answer in rupees while it is made.

    The beginning is held back until the price is known, then words follow as they come. Of a text
    that does not begin like an answer nothing is passed on; whole, it may still be read.
    """

    def __init__(self, seen: BuyerObservation, on_text: OnText, said: Said) -> None:
        self._seen = seen
        self._on_text = on_text
        self._said = said
        self._own = ""
        self._price: Paise | None = None
        self._begun = 0
        self._passed = 0
        self._text = ""

    @property
    def text(self) -> str:
        """The answer so far, in rupees."""
        return self._text if self._begun else _in_rupees(self._seen, self._own, self._said)

    def hear(self, piece: str) -> None:
        """Take the next piece of the model's own text; an empty one starts anew."""
        if not piece:
            self._own, self._text, self._begun, self._passed = "", "", 0, 0
            self._on_text("")
            return
        self._own += piece
        if not self._begun:
            self._begin()
        if self._begun:
            self._go_on()

    def _begin(self) -> None:
        match = _BEGUN.match(self._own)
        if match is None:
            return
        action, share = match[1], match[2]
        if share != "null" and not _is_share(int(share)):
            return
        self._price = None
        if share != "null":
            self._price = self._said(from_share(self._seen, int(share)))
        rupees = None if self._price is None else _number(to_rupees(self._price))
        self._begun = self._passed = match.end()
        self._pass_on(written(action, rupees, "")[: -len('"}')])

    def _go_on(self) -> None:
        """Pass on what is whole: a slot that is only half there waits."""
        rest = self._own[self._passed :]
        half = OPENS.search(rest)
        ready = rest[: half.start()] if half else rest
        if ready:
            self._passed += len(ready)
            words = filled(self._seen, self._price, ready)
            self._pass_on(words)

    def _pass_on(self, words: str) -> None:
        self._text += words
        self._on_text(words)


def _is_share(price: float) -> bool:
    """Tell whether a price in thousandths of the opening ask can be meant."""
    return 0 < price <= HIGHEST


def _number(rupees: float) -> float:
    return int(rupees) if rupees == int(rupees) else rupees


def _read(seen: BuyerObservation, text: str, said: Said) -> Parsed | None:
    found = parse(text)
    if found is None:
        return None
    price = None
    if found.price is not None:
        share = found.price / 100
        if not _is_share(share):
            return None
        price = said(from_share(seen, share))
    return msgspec.structs.replace(found, price=price, message=filled(seen, price, found.message))


def _in_rupees(seen: BuyerObservation, text: str, said: Said) -> str:
    """Write a whole answer as JSON in rupees; what is no answer gives nothing."""
    found = _read(seen, text, said)
    if found is None:
        return ""
    rupees = None if found.price is None else _number(to_rupees(found.price))
    return written(found.action, rupees, found.message)
