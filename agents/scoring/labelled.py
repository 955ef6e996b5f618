"""The labelled lines, and which half of them may be looked at."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeVar, get_args

import msgspec

from agents.text.acts.acts import Act
from agents.text.languages import Register
from agents.text.tells.words import SignalName
from bazaarbatna.bargain.quantities import Side
from negotiation.readers import IntentKind

Half = Literal["open", "held-out"]
HALVES: tuple[Half, ...] = get_args(Half)
SIGNALS: tuple[SignalName, ...] = get_args(SignalName)

_FOLDER = Path(__file__).with_name("lines")


class TellsLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line and the signals a person sees in it; a "negation" only looks like one."""

    text: str
    signals: frozenset[SignalName]
    note: Literal["", "negation", "plain"]


class PriceLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seller's line, the prices that stand before it, and what a person reads in it (rupees)."""

    text: str
    ask: int
    bid: int | None
    kind: IntentKind
    price: int | None


class BookingLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of either seat, the prices that stand before it (rupees), and what its writer means.

    ``kind`` "ask": a careful listener would ask back. ``may_ask``: asking back would not annoy,
    though the line has another kind.
    """

    text: str
    seat: Side
    language: Literal["en", "hinglish", "hi", "other"]
    ask: int
    bid: int | None
    kind: Literal["price", "accept", "none", "ask"]
    price: int | None
    may_ask: bool


class ActsLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seller's line, the prices before it (rupees), its acts with words, and what it asks."""

    text: str
    language: Register
    ask: float | None
    bid: float | None
    acts: tuple[tuple[Act, str], ...]
    price: float | None

    @property
    def names(self) -> frozenset[Act]:
        """The acts without their words."""
        return frozenset(act for act, _ in self.acts)


Line = TypeVar("Line", TellsLine, PriceLine, BookingLine, ActsLine)


def half_of(text: str) -> Half:
    """Choose a line's half by its SHA-256: even is open to phrase writers, odd is held out."""
    return "held-out" if hashlib.sha256(text.encode()).digest()[-1] % 2 else "open"


def only(lines: Iterable[Line], half: Half) -> tuple[Line, ...]:
    """Keep the lines of one half."""
    return tuple(line for line in lines if half_of(line.text) == half)


def tells_lines() -> tuple[TellsLine, ...]:
    """Load the lines labelled for tells."""
    return _load("tells.jsonl", TellsLine)


def price_lines() -> tuple[PriceLine, ...]:
    """Load the lines labelled for prices."""
    return _load("prices.jsonl", PriceLine)


def booking_lines() -> tuple[BookingLine, ...]:
    """Load the lines labelled for what may be booked: written by who had not seen the reader."""
    return _load("bookings.jsonl", BookingLine)


def next_booking_lines() -> tuple[BookingLine, ...]:
    """Load the next such lines, in halves as well: by a hand that knew the reader's rules."""
    return _load("next_bookings.jsonl", BookingLine)


def unseen_booking_lines() -> tuple[BookingLine, ...]:
    """Load lines by a hand that had not seen the reader: held out, every one; only counts."""
    return _load("unseen_bookings.jsonl", BookingLine)


def natural_booking_lines() -> tuple[BookingLine, ...]:
    """Load lines as people plainly haggle, by one more hand: held out, every one; only counts."""
    return _load("natural_bookings.jsonl", BookingLine)


def agreement_booking_lines() -> tuple[BookingLine, ...]:
    """Return lines with words of agreement, of which half agree; held out like the natural ones."""
    return _load("agreement_bookings.jsonl", BookingLine)


def booking_lines_to_learn() -> tuple[BookingLine, ...]:
    """Load more lines of this kind that have been learned from: nothing is measured on them."""
    return _load("bookings_to_learn.jsonl", BookingLine)


def acts_lines() -> tuple[ActsLine, ...]:
    """Load the lines labelled for dialogue acts."""
    return _load("acts.jsonl", ActsLine)


def acts_lines_to_learn() -> tuple[ActsLine, ...]:
    """Load more lines of this kind, which nothing is measured on."""
    return _load("acts_to_learn.jsonl", ActsLine)


def fresh_lines(kind: type[Line]) -> tuple[Line, ...]:
    """Load lines written when the sets above had been looked at; nobody reads them, all are scored.

    ValueError: there are none of this kind.
    """
    if kind not in _FRESH:
        raise ValueError(f"There are no fresh lines of {kind.__name__}.")
    return _load(_FRESH[kind], kind)


_FRESH: dict[type, str] = {
    TellsLine: "fresh_tells.jsonl",
    BookingLine: "fresh_bookings.jsonl",
    ActsLine: "fresh_acts.jsonl",
}


def _load(name: str, kind: type[Line]) -> tuple[Line, ...]:
    rows = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    return tuple(msgspec.json.decode(row, type=kind) for row in rows)
