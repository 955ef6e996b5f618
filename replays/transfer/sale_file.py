"""The shape of the file of a game of two sides, strict: what is not documented is not read."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from negotiation.bargain.web.thumbs import Thumb
from negotiation.engine.events import Termination
from negotiation.engine.quantities import Side
from negotiation.engine.scenario import SealedValues
from negotiation.engine.tells import Tells, TellSpan
from negotiation.plans import Because, HeardAct, MoveName
from replays.transfer.reading import (
    Backend,
    Count,
    FileHead,
    FileItem,
    Label,
    Milliseconds,
    Name,
    Persona,
    Round,
    SealedFile,
    Seed,
    Strict,
    Words,
    exact_paise,
)


class FileSealed(Strict, frozen=True, forbid_unknown_fields=True):
    """The opened envelope; prices in rupees."""

    reservation: float
    cost: float
    budget: float
    persona: Persona
    deadline: Round | None
    seed: Seed

    def values(self) -> SealedValues:
        """Return it as the engine knows it.

        Raises:
            Doubtful: a price in it cannot be.
        """
        prices = {
            name: exact_paise(getattr(self, name)) for name in ("reservation", "cost", "budget")
        }
        return SealedValues(**{**msgspec.structs.asdict(self), **prices})


class SaleHead(FileHead, frozen=True):
    """The head of the file, without what is compared."""

    kind: Literal["sell", "buy", "sim"]


class Versions(msgspec.Struct, frozen=True):
    """Who played for the house."""

    policy: Label
    policy_version: Name


class FileThumb(Strict, frozen=True, forbid_unknown_fields=True):
    """What the person who played thought of a line."""

    seq: Count
    thumb: Thumb


class File(SealedFile, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole file, its events still unread."""

    game: SaleHead
    versions: Versions
    opened: FileSealed
    theory: dict[str, float]
    thumbs: Annotated[list[FileThumb], Meta(max_length=600)] = []


class FileHeard(HeardAct, frozen=True, forbid_unknown_fields=True):
    """An act that was heard."""

    act: Annotated[str, Meta(max_length=40)]
    words: Words


class FilePlan(Strict, frozen=True, forbid_unknown_fields=True):
    """Why the house said it; ``step`` in rupees."""

    move: MoveName
    heard: Annotated[list[FileHeard], Meta(max_length=100)] = []
    speaks_to: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=10)] = []
    step: Annotated[float, Meta(ge=0, le=1_000_000_000)] = 0.0
    because: Because = ""
    promises: bool = False
    language: Annotated[str, Meta(max_length=20)] = ""


class Numbered(Strict, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    """Any event."""

    seq: Count


class Spoken(Numbered, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An event with the words of a side, and who served it."""

    actor: Side
    round: Round
    text: Words
    backend: Backend = ""
    policy_version: Name = ""
    latency_ms: Milliseconds | None = None
    plan: FilePlan | None = None


class FileOpened(Numbered, frozen=True, forbid_unknown_fields=True, tag="opened", kw_only=True):
    """The first event."""

    actor: Literal["seller"]
    price: float
    item: FileItem
    max_rounds: Round
    suite: Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[\w@:.#+-]*$")]
    seller: Name
    persona: Annotated[str, Meta(max_length=20)] | None
    commitment: str


class FileOffer(Spoken, frozen=True, forbid_unknown_fields=True, tag="offer", kw_only=True):
    """A price that was named."""

    price: float


class FileAccept(Spoken, frozen=True, forbid_unknown_fields=True, tag="accept", kw_only=True):
    """A price that was taken."""

    price: float


class FileWalk(Spoken, frozen=True, forbid_unknown_fields=True, tag="walk", kw_only=True):
    """Somebody left."""


class FileMessage(Spoken, frozen=True, forbid_unknown_fields=True, tag="message", kw_only=True):
    """Words that moved nothing."""


class FileSignals(Tells, frozen=True, forbid_unknown_fields=True):
    """The signals of ``tells``: no others."""


class FileSpan(TellSpan, frozen=True, forbid_unknown_fields=True):
    """Where a signal stands."""


class FileTells(Numbered, frozen=True, forbid_unknown_fields=True, tag="tells", kw_only=True):
    """What could be noticed."""

    actor: Side
    round: Round
    of_seq: Count
    signals: FileSignals
    spans: Annotated[list[FileSpan], Meta(max_length=100)]


class FileEnded(Numbered, frozen=True, forbid_unknown_fields=True, tag="ended", kw_only=True):
    """The last event."""

    outcome: Termination
    by: Side | None
    round: Count
    price: float | None
    buyer_share: float
    seller_share: float
    opened: FileSealed
    salt: str
    commitment: str
    committed_text: str
    replay: Annotated[str, Meta(max_length=200)]
    certificate: dict[str, Any] | None = None


FileEvent = FileOpened | FileOffer | FileAccept | FileWalk | FileMessage | FileTells | FileEnded

file_decoder: msgspec.json.Decoder[File] = msgspec.json.Decoder(File)
event_decoder: msgspec.json.Decoder[FileEvent] = msgspec.json.Decoder(FileEvent)
