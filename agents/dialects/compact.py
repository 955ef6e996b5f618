"""The dialect of the small model: short prompts, relative prices, slots in the words.

The model's own text is JSON of the protocol, its price in thousandths of the opening ask and its
message with ``<price>``, ``<ask>`` and ``<item>`` where the table puts the real ones.
"""

import re

import msgspec

from agents.dialects.base import Chat, Dialect, Said, as_it_is, written
from agents.dialects.parsing import Parsed, parse
from agents.output_guard.coherence import sayable
from agents.prompts.buyer import LEVELS
from agents.prompts.chats import Message, OnText
from agents.text.languages import last_telling
from agents.text.topics import last_words, topic_of
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise, clamp_price, to_rupees
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.money import rupees_text

WHOLE = 1000

HIGHEST = 9999


def to_share(seen: BuyerObservation, price: int) -> int:
    """Write a price in paise as thousandths of the opening ask, 1..9999."""
    return min(max(round(WHOLE * price / seen.opening_ask), 1), HIGHEST)


STEPS = tuple(base * 10**power for power in range(9, 0, -1) for base in (5, 1))
"""Paise; the roundest price that means the same thousandth is what a person would say."""


def from_share(seen: BuyerObservation, share: float) -> Paise:
    """Turn thousandths into a price; what rounds to ask, last bid or budget is meant as that."""
    for price in (seen.standing_ask, seen.own_last_bid, seen.budget):
        if price is not None and to_share(seen, price) == share:
            return price
    exact, slack = share * seen.opening_ask / WHOLE, seen.opening_ask / WHOLE / 2
    for step in STEPS:
        near = step * round(exact / step)
        # A price on the border between two thousandths may round to the other one.
        if near and abs(near - exact) < slack and to_share(seen, near) == round(share):
            return clamp_price(near)
    return clamp_price(exact)


VERSION = "compact-2"

SHOWN = 6


def _render(seen: BuyerObservation, *, speak_only: bool) -> str:
    register, _ = last_telling(seen.turns, "seller", "buyer")
    lines = [
        f"round {seen.round} left {seen.max_rounds - seen.round}{_due(seen)}",
        f"budget {to_share(seen, seen.budget)} seller {seen.persona or 'unknown'}",
        f"tells {_tells(seen.tells)}",
        f"asks {_path(seen, seen.asks)}",
        f"bids {_path(seen, seen.bids)}",
        f"{register or 'any'} {topic_of(last_words(seen.turns))}",
        "say" if speak_only else "move",
    ]
    return "\n".join(lines)


def _due(seen: BuyerObservation) -> str:
    return "" if seen.deadline is None else f" due {max(0, seen.deadline - seen.round)}"


def _path(seen: BuyerObservation, prices: tuple[int, ...]) -> str:
    return " ".join(str(to_share(seen, price)) for price in prices[-SHOWN:]) or "none"


def _tells(tells: Tells | None) -> str:
    if tells is None:
        return "none"
    levels = "".join(_tenths(getattr(tells, field)) for _, field in LEVELS)
    return f"{levels} {tells.offer_speed or '-'} {tells.concession_pattern or '-'}"


def _tenths(level: float | None) -> str:
    return "-" if level is None else str(min(int(10 * level), 9))


PRICE, ASK, ITEM = "<price>", "<ask>", "<item>"
SLOTS = (PRICE, ASK, ITEM)

SOME_ITEM = "saamaan"

OPENS = re.compile(r"<[a-z]{0,5}\Z")


def _emptied(seen: BuyerObservation, move: Move, text: str) -> str:
    price = move.price if isinstance(move, Offer) else seen.standing_ask
    title = sayable(seen.item.title)
    found = {_money(seen, seen.standing_ask): ASK, _money(seen, price): PRICE}
    if not isinstance(move, Offer):
        found = {_money(seen, seen.standing_ask): ASK}
    for words in sorted(found, key=len, reverse=True):
        text = re.sub(rf"{re.escape(words)}(?![\d,.]*\d)", found[words], text)
    return text.replace(title, ITEM) if title else text


def _filled(seen: BuyerObservation, price: Paise | None, text: str) -> str:
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


_BEGUN = re.compile(
    r'\s*\{"action": "(offer|accept|walk|say)", "price": (null|\d{1,5}), "message": "'
)


class Compact:
    """Prices in thousandths, places for words."""

    name = "compact"
    version = VERSION

    def messages(self, seen: BuyerObservation, *, speak_only: bool = False) -> tuple[Message, ...]:
        """Write the prompt."""
        return (Message("user", _render(seen, speak_only=speak_only)),)

    def answer(self, seen: BuyerObservation, move: Move) -> str:
        """Write a move."""
        words = _emptied(seen, move, move.text)
        if isinstance(move, Offer):
            return written("offer", to_share(seen, move.price), words)
        return written("accept" if isinstance(move, Accept) else "walk", None, words)

    def reply(self, seen: BuyerObservation, text: str) -> str:
        """Write words."""
        return written("say", None, _emptied(seen, Accept(), text))

    def read(self, seen: BuyerObservation, text: str) -> Parsed | None:
        """Read an answer; its price becomes paise, its slots real words."""
        return _read(seen, text, as_it_is)

    def speaker(
        self, seen: BuyerObservation, on_text: OnText, said: Said = as_it_is
    ) -> "Translator":
        """Translate an answer while it is made."""
        return Translator(seen, on_text, said)


class Translator:
    """Writes the small model's answer in rupees while it is made, once its price is known."""

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
        rest = self._own[self._passed :]
        half = OPENS.search(rest)
        ready = rest[: half.start()] if half else rest
        if ready:
            self._passed += len(ready)
            words = _filled(self._seen, self._price, ready)
            self._pass_on(words)

    def _pass_on(self, words: str) -> None:
        self._text += words
        self._on_text(words)


def _is_share(price: float) -> bool:
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
    return msgspec.structs.replace(found, price=price, message=_filled(seen, price, found.message))


def _in_rupees(seen: BuyerObservation, text: str, said: Said) -> str:
    found = _read(seen, text, said)
    if found is None:
        return ""
    rupees = None if found.price is None else _number(to_rupees(found.price))
    return written(found.action, rupees, found.message)


DIALECTS: dict[str, Dialect] = {one.name: one for one in (Chat(), Compact())}


def dialect(name: str) -> Dialect:
    """Look a dialect up; raises ValueError with the names there are."""
    try:
        return DIALECTS[name]
    except KeyError:
        raise ValueError(
            f"There is no dialect {name[:40]!r}. Known: {', '.join(DIALECTS)}."
        ) from None
