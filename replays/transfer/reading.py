"""What the readers of all formats share: strict types, exact prices, the promise, the playing.

A reader believes nothing that can be computed. It takes from a file what a game follows from, and
plays it again; ``replays.transfer.importing`` then tells the game again and compares every line.
"""

import datetime as dt
import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from django.utils import timezone
from msgspec import Meta

from negotiation.engine.quantities import InvalidPrice, Paise, to_paise, to_rupees
from negotiation.engine.scenario import Item
from negotiation.engine.sealed import committed_text
from negotiation.engine.tells import ConditionLabel
from negotiation.errors import SessionError


class ImportRefused(SessionError):
    """Nothing was stored.

    Attributes:
        event: sequence number of the event that is wrong, None where no single one is.
        fine: how many events from the first on are in order.
    """

    code = "refused-replay"
    status = 422

    def __init__(self, detail: str, *, event: int | None = None, fine: int = 0) -> None:
        super().__init__(detail)
        self.event = event
        self.fine = fine

    @property
    def more(self) -> dict[str, Any]:
        """What a program needs besides the sentence."""
        return {"event": self.event, "fine": self.fine}


class UnreadableReplay(ImportRefused):
    """The file cannot be read."""

    code = "unreadable-replay"
    status = 400


class UnknownFormat(ImportRefused):
    """The file is of a kind that cannot be read here."""

    code = "unknown-format"


class BrokenPromise(ImportRefused):
    """The sealed values were changed."""

    code = "broken-promise"


class NoGame(ImportRefused):
    """The events break a rule."""

    code = "not-a-game"


class WrongSummary(ImportRefused):
    """The summary does not fit the events."""

    code = "wrong-summary"

    @classmethod
    def of(cls, name: str, fine: int) -> "WrongSummary":
        """Return the refusal of one part of a file, all events of which are fine."""
        detail = f"The events are a game, but “{name}” says something else than they do."
        return cls(detail, fine=fine)


class Doubtful(ValueError):
    """Something in the file cannot be; the message says what, its reader says where."""

    code = "doubtful-event"


MOST_EVENTS = 600
"""Far more than any game of this site has; a page shows them all."""
MOST_ROUNDS = 40
"""Several times what games of this site have. What-ifs and grades play an import on to its last
round hundreds of times: a file of 1,000 rounds kept a process busy ten seconds a question."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading hostile JSON can end in."""

_FIRST_YEAR = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
_UNSAID = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""What no page may show: controls, and marks that turn the direction of other words."""

Count = Annotated[int, Meta(ge=0, le=100_000)]
Round = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Name = Annotated[str, Meta(max_length=80, pattern=r"^[\w@:.#+/ -]*$")]
Label = Annotated[str, Meta(max_length=60, pattern=r"^[\w@:.#+-]*$")]
Persona = Annotated[str, Meta(max_length=20, pattern=r"^[a-z_-]*$")]
Words = Annotated[str, Meta(max_length=2000)]
Backend = Annotated[str, Meta(max_length=20, pattern=r"^[\w.-]*$")]
Milliseconds = Annotated[int, Meta(ge=0, le=10_000_000)]


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fields that are not known are an error."""


class FileItem(Strict, frozen=True, forbid_unknown_fields=True):
    """What was sold."""

    title: Annotated[str, Meta(min_length=1, max_length=200)]
    category: Annotated[str, Meta(max_length=80)]
    condition: Annotated[str, Meta(max_length=5000)]
    condition_label: ConditionLabel
    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}$")]

    def item(self) -> Item:
        """Return it as the engines know it.

        Raises:
            Doubtful: its words hold what no page may show.
        """
        for words in (self.title, self.category, self.condition):
            said(words)
        return Item(**msgspec.structs.asdict(self))


class FileHead(msgspec.Struct, frozen=True):
    """What a summary says that does not follow from the events."""

    description: Annotated[str, Meta(max_length=5000)]
    started_at: str | None
    ended_at: str | None


class SealedFile(Strict, frozen=True, forbid_unknown_fields=True):
    """A file whose hidden values were promised, its events still unread."""

    format: str
    events: list[msgspec.Raw]
    salt: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[0-9A-Za-z]*$")]
    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    committed_text: Words

    def check_promise(self, sealed: msgspec.Struct) -> None:
        """Hold the opened values against the promise.

        Raises:
            BrokenPromise: they are not what was promised.
        """
        if hashlib.sha256(self.committed_text.encode()).hexdigest() != self.commitment:
            raise BrokenPromise("The committed text does not have the promised SHA-256.")
        if committed_text(sealed, self.salt) != self.committed_text:
            raise BrokenPromise("The opened values are not those in the committed text.")


class Played(msgspec.Struct, frozen=True):
    """A file that holds a whole game.

    Attributes:
        scenario: what it was played on, hidden values included.
        events: its log, as the engine makes it.
        lines: what the file tells of who served each event, None of what nobody served.
        head: the times and the description.
        fields: of the game's row, its end among them.
        content: what makes two files one replay; None where that is row and log.
    """

    scenario: msgspec.Struct
    events: tuple[msgspec.Struct, ...]
    lines: tuple[object, ...]
    head: FileHead
    fields: dict[str, Any]
    content: bytes | None = None


def play(raws: Sequence[msgspec.Raw], take: Callable[[msgspec.Raw, int], None], most: int) -> None:
    """Play the events of a file one by one.

    Args:
        raws: the events.
        take: reads one and its number and plays it; refuses by ``Doubtful`` or by a rule.
        most: events that a game may have.

    Raises:
        UnreadableReplay, NoGame: with the number of the event, and how many before it are fine.
    """
    if not 2 <= len(raws) <= most:
        raise UnreadableReplay(f"A game has 2 to {most:,} events; the file has {len(raws):,}.")
    for number, raw in enumerate(raws, start=1):
        try:
            take(raw, number)
        except UNREADABLE as wrong:
            detail = f"Event {number} cannot be read: {short(wrong)}."
            raise UnreadableReplay(detail, event=number, fine=number - 1) from wrong
        except ValueError as wrong:  # of the rules, of a price, or Doubtful
            detail = f"Event {number} is not what the rules lead to. {wrong}"
            raise NoGame(detail, event=number, fine=number - 1) from wrong


def unfinished(count: int) -> NoGame:
    """Return the refusal of a game that stops before its end."""
    return NoGame("The game does not end: its last events are missing.", fine=count)


def exact_paise(rupees: float) -> Paise:
    """Return a price of the file in paise.

    Raises:
        Doubtful: it is out of range or has more than two decimals.
    """
    try:
        paise = to_paise(rupees)
    except InvalidPrice as wrong:
        raise Doubtful(str(wrong)) from wrong
    if to_rupees(paise) != rupees:
        raise Doubtful("A price has at most two decimals.")
    return paise


def said(text: str) -> str:
    """Return words that a page can show.

    Raises:
        Doubtful: they hold controls, or marks that turn other words round.
    """
    if _UNSAID.search(text):
        raise Doubtful("The words hold characters that cannot be shown.")
    return text


def time_of(text: str | None) -> dt.datetime | None:
    """Return a time of a file; a time that cannot be is no time."""
    try:
        found = dt.datetime.fromisoformat(text or "")
    except ValueError:
        return None
    if found.tzinfo is None or not _FIRST_YEAR <= found <= timezone.now():
        return None
    return found


def short(wrong: Exception) -> str:
    """Return what went wrong in at most a line or two."""
    text = str(wrong)
    return text if len(text) < 160 else f"{text[:160]}…"
