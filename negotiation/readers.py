"""How a person's words become a move: the port that the agents' readers plug into."""

from typing import Literal, Protocol

import msgspec

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation, Observation
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.tells import Tells, TellSpan
from negotiation.plans import Plan

IntentKind = Literal["price", "accept", "none", "ambiguous"]


class Intent(msgspec.Struct, frozen=True):
    """What a line of free text asks for.

    ``none``: only words. ``ambiguous``: several prices (``candidates``) or an unclear one;
    ``question`` asks back in one sentence.
    """

    kind: IntentKind
    price: Paise | None = None
    candidates: tuple[Paise, ...] = ()
    question: str = ""


class Reading(msgspec.Struct, frozen=True):
    """What the words let the buyer notice, and where."""

    tells: Tells
    spans: tuple[TellSpan, ...] = ()


class Belief(msgspec.Struct, frozen=True):
    """What the buyer thinks of the seller: urgency and flexibility, each 0..1."""

    urgency: float
    flexibility: float


class SaleContext(msgspec.Struct, frozen=True):
    """What a reader may know of the game: public values only.

    Prices in paise; ``title`` and ``condition`` tell of the thing; ``typing_s`` is how many seconds
    the person took to write (None: unknown); ``currency`` is the one of the questions that a reader
    asks; ``side`` is the one that speaks.
    """

    asks: tuple[Paise, ...]
    bids: tuple[Paise, ...]
    turns: tuple[Turn, ...]
    condition: str = ""
    typing_s: float | None = None
    currency: str = "INR"
    side: Side = "seller"
    title: str = ""


class SpeechReader(Protocol):
    """Reads free text."""

    def intent(self, text: str, context: SaleContext) -> Intent:
        """Read what the text asks for; never raises on any text."""
        ...

    def tells(self, text: str, context: SaleContext, ask: Paise | None) -> Reading:
        """Read the signals of the text, the time it took and the path of asks.

        ``ask`` is the price in paise this turn names, None if it names none.
        """
        ...

    def belief(self, tells: Tells | None, asks: tuple[Paise, ...], persona: str | None) -> Belief:
        """Estimate the seller's state from the tells of its last turn and its asks in paise."""
        ...

    def plan(self, seen: Observation, answer: Move | str) -> Plan | None:
        """Return why the other side answers a position as it does; None where it has no plan."""
        ...

    def goodbye(self, seen: BuyerObservation, seed: int) -> str:
        """Return the buyer's words after the end of a person's sale; "" where it says none."""
        ...

    def besides_yes(self, text: str) -> str | None:
        """Return what a text says besides yes, "" where that is all; None: it says no yes."""
        ...

    def correction(self, text: str) -> str | None:
        """Return what a text puts in the place of what was said before; None: it takes none back.

        "" where it names nothing instead.
        """
        ...

    def is_plain(self, text: str, price: Paise, context: SaleContext) -> bool:
        """Whether a price cannot be misheard: no question is worth it, however far it moves."""
        ...

    def promises(self, text: str) -> bool:
        """Whether a text promises a step for a step of the other side."""
        ...

    def names_secret(self, text: str, secret: Paise) -> bool:
        """Whether a text gives a price away, in digits, words or as a limit ("at least")."""
        ...


_readers: list[SpeechReader] = []


def install(reader: SpeechReader) -> None:
    """Make this the reader of the site (called once at start)."""
    _readers[:] = [reader]


def reader() -> SpeechReader:
    """Return the installed reader; ``LookupError`` where no room has installed one."""
    if not _readers:
        raise LookupError("No speech reader is installed: add 'agents' to INSTALLED_APPS.")
    return _readers[0]
