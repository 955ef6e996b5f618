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

from bazaarbatna.bargain.quantities import InvalidPrice, Paise, to_paise, to_rupees
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.bargain.sealed import committed_text
from bazaarbatna.bargain.tells import ConditionLabel
from negotiation.errors import SessionError
from negotiation.sentences import sentences

say = sentences(__file__)

MOST_EVENTS = 600  # far more than any game of this site has; a page shows them all
MOST_ROUNDS = 40
"""What-ifs and grades play an import on to its last round hundreds of times: a file of 1,000 rounds
kept a process busy ten seconds a question."""

UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)  # hostile JSON

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


class ImportRefused(SessionError):
    """Nothing was stored; ``event`` is wrong, and so many from the first on are ``fine``."""

    code = "refused-replay"
    status = 422

    def __init__(self, detail: str, *, event: int | None = None, fine: int = 0) -> None:
        super().__init__(detail)
        self.event, self.fine = event, fine

    @property
    def more(self) -> dict[str, Any]:
        """What a program needs besides the sentence."""
        return {"event": self.event, "fine": self.fine}


class UnreadableReplay(ImportRefused):
    """The file is no JSON of the documented shape."""

    code = "unreadable-replay"
    status = 400


class UnknownFormat(ImportRefused):
    """The file is of another kind, or of a format this site cannot read."""

    code = "unknown-format"


class BrokenPromise(ImportRefused):
    """The opened values are not those that were promised."""

    code = "broken-promise"


class NoGame(ImportRefused):
    """The events break a rule of the game."""

    code = "not-a-game"


class WrongSummary(ImportRefused):
    """The events are a game, all of them ``fine``, but the part ``name`` tells another one."""

    code = "wrong-summary"

    def __init__(self, name: str, fine: int) -> None:
        super().__init__(say("events_contradict", name=name), fine=fine)


class BrokenSignature(ImportRefused):
    """The file carries a signature that does not fit it."""

    code = "broken-signature"


class Doubtful(ValueError):
    """Something in the file cannot be; the message says what, its reader says where."""


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """Fields that are not known are an error."""


class FileItem(Strict):
    """What was sold."""

    title: Annotated[str, Meta(min_length=1, max_length=200)]
    category: Annotated[str, Meta(max_length=80)]
    condition: Annotated[str, Meta(max_length=5000)]
    condition_label: ConditionLabel
    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}$")]

    def item(self) -> Item:
        """Return it as the engines know it; raises ``Doubtful``."""
        for words in (self.title, self.category, self.condition):
            said(words)
        return Item(**msgspec.structs.asdict(self))


class FileHead(msgspec.Struct):
    """What a summary says that does not follow from the events."""

    description: Annotated[str, Meta(max_length=5000)]
    started_at: str | None
    ended_at: str | None


class FileLine(Strict, tag_field="kind", kw_only=True):
    """An event with words, and who served it."""

    seq: Count
    round: Round
    text: Words
    backend: Annotated[str, Meta(max_length=20, pattern=r"^[\w.-]*$")] = ""
    policy_version: Name = ""
    latency_ms: Annotated[int, Meta(ge=0, le=10_000_000)] | None = None


class SealedFile(Strict):
    """A file whose hidden values were promised, its events still unread."""

    format: str
    events: list[msgspec.Raw]
    salt: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[0-9A-Za-z]*$")]
    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    committed_text: Words

    def check_promise(self, sealed: msgspec.Struct) -> None:
        """Hold the opened values against the promise; raises ``BrokenPromise``."""
        if hashlib.sha256(self.committed_text.encode()).hexdigest() != self.commitment:
            raise BrokenPromise(say("commitment_does_not_fit"))
        if committed_text(sealed, self.salt) != self.committed_text:
            raise BrokenPromise(say("other_values_committed"))


class Played(msgspec.Struct):
    """A file that holds a whole game.

    ``lines`` tell of who served each event (None of what nobody served), ``fields`` are those of
    the game's row; ``content`` makes two files one replay, None where that is row and log.
    """

    scenario: msgspec.Struct
    events: list[Any]
    lines: list[Any]
    head: FileHead
    fields: dict[str, Any]
    content: bytes | None = None


Take = Callable[[msgspec.Raw, int], tuple[Any, Any]]
"""Reads an event and its number and plays it; returns it and its line, or raises ``Doubtful``."""


def play(raws: Sequence[msgspec.Raw], take: Take, most: int) -> tuple[list[Any], list[Any]]:
    """Play the events of a file, ``most`` at most; return them and their lines.

    Raises ``UnreadableReplay`` or ``NoGame``, with the event's number and how many are fine.
    """
    if not 2 <= len(raws) <= most:
        raise UnreadableReplay(say("number_of_events", most=f"{most:,}", count=f"{len(raws):,}"))
    events, lines = [], []
    for number, raw in enumerate(raws, start=1):
        try:
            event, line = take(raw, number)
        except UNREADABLE as wrong:
            detail = say("event_unreadable", number=number, why=short(wrong))
            raise UnreadableReplay(detail, event=number, fine=number - 1) from wrong
        except ValueError as wrong:  # of the rules, of a price, or Doubtful
            detail = say("event_against_the_rules", number=number, why=wrong)
            raise NoGame(detail, event=number, fine=number - 1) from wrong
        events.append(event)
        lines.append(line)
    return events, lines


def unfinished(count: int) -> NoGame:
    """Return the refusal of a game that stops before its end."""
    return NoGame(say("does_not_end"), fine=count)


def exact_paise(rupees: float) -> Paise:
    """Return a price of the file in paise; ``Doubtful`` out of range or with more decimals."""
    try:
        paise = to_paise(rupees)
    except InvalidPrice as wrong:
        raise Doubtful(str(wrong)) from wrong
    if to_rupees(paise) != rupees:
        raise Doubtful(say("decimals_of_a_price"))
    return paise


def said(text: str) -> str:
    """Return words that a page can show; ``Doubtful`` where they hold what none may."""
    if _UNSAID.search(text):
        raise Doubtful(say("characters_cannot_be_shown"))
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
