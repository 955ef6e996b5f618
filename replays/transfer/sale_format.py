"""The shape of an exported replay, strict: what is not documented is not read.

The counterpart of ``replays.transfer.export``. Events are kept raw at first, so that a broken one
is found by its number.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from negotiation.engine.events import Termination
from negotiation.engine.quantities import Side
from negotiation.engine.tells import ConditionLabel, Tells, TellSpan
from negotiation.plans import Because, HeardAct, MoveName
from negotiation.thumbs import Thumb

MOST_ROUNDS = 40
"""Several times what games of this site have. What-ifs and grades play an import on to its last
round hundreds of times: a file of 1,000 rounds kept a process busy ten seconds a question."""

Count = Annotated[int, Meta(ge=0, le=100_000)]
Round = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
Share = Annotated[float, Meta(ge=0, le=1)]
Name = Annotated[str, Meta(max_length=80, pattern=r"^[\w@:.#+/ -]*$")]
Words = Annotated[str, Meta(max_length=2000)]
Line = Annotated[str, Meta(max_length=200)]


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fields that are not known are an error."""


class FileItem(Strict, frozen=True, forbid_unknown_fields=True):
    """What was sold."""

    title: Annotated[str, Meta(min_length=1, max_length=200)]
    category: Annotated[str, Meta(max_length=80)]
    condition: Annotated[str, Meta(max_length=5000)]
    condition_label: ConditionLabel
    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}$")]


class FileSealed(Strict, frozen=True, forbid_unknown_fields=True):
    """The opened envelope; prices in rupees."""

    reservation: float
    cost: float
    budget: float
    persona: Annotated[str, Meta(max_length=20, pattern=r"^[a-z_-]*$")]
    deadline: Round | None
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]


class FileGame(Strict, frozen=True, forbid_unknown_fields=True):
    """The summary at the head of the file; prices in rupees."""

    id: Annotated[str, Meta(max_length=40)]
    kind: Literal["sell", "buy", "sim"]
    item: FileItem
    description: Annotated[str, Meta(max_length=5000)]
    max_rounds: Round
    opening_ask: float
    outcome: Termination
    by: Side | None
    price: float | None
    rounds: Count
    buyer_share: float
    seller_share: float
    started_at: Annotated[str, Meta(max_length=40)] | None
    ended_at: Annotated[str, Meta(max_length=40)] | None


class FileVersions(Strict, frozen=True, forbid_unknown_fields=True):
    """What has to be the same to play it again."""

    site: Annotated[str, Meta(max_length=80)]
    suite: Annotated[str, Meta(max_length=60)]
    policy: Annotated[str, Meta(max_length=60, pattern=r"^[\w@:.#+-]*$")]
    policy_version: Name
    seller: Name


class FileThumb(Strict, frozen=True, forbid_unknown_fields=True):
    """What the person who played thought of a line."""

    seq: Count
    thumb: Thumb


class File(Strict, frozen=True, forbid_unknown_fields=True):
    """The whole file, its events still unread."""

    format: str
    game: FileGame
    versions: FileVersions
    events: list[msgspec.Raw]
    opened: FileSealed
    salt: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[0-9A-Za-z]*$")]
    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    committed_text: Words
    theory: dict[str, float]
    thumbs: Annotated[list[FileThumb], Meta(max_length=600)] = []


class FileHeard(HeardAct, frozen=True, forbid_unknown_fields=True):
    """An act that was heard."""

    act: Annotated[str, Meta(max_length=40)]
    words: Words


class FilePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why the house said it; ``step`` in rupees."""

    move: MoveName
    heard: Annotated[list[FileHeard], Meta(max_length=100)] = []
    speaks_to: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=10)] = []
    step: Annotated[float, Meta(ge=0, le=1_000_000_000)] = 0.0
    because: Because = ""
    promises: bool = False
    language: Annotated[str, Meta(max_length=20)] = ""


class _Numbered(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True
):
    seq: Count


class _Spoken(_Numbered, frozen=True, forbid_unknown_fields=True, kw_only=True):
    actor: Side
    round: Round
    text: Words
    backend: Annotated[str, Meta(max_length=20, pattern=r"^[\w.-]*$")] = ""
    policy_version: Name = ""
    latency_ms: Annotated[int, Meta(ge=0, le=10_000_000)] | None = None
    plan: FilePlan | None = None


class FileOpened(_Numbered, frozen=True, forbid_unknown_fields=True, tag="opened", kw_only=True):
    """The first event."""

    actor: Literal["seller"]
    price: float
    item: FileItem
    max_rounds: Round
    suite: Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[\w@:.#+-]*$")]
    seller: Name
    persona: Annotated[str, Meta(max_length=20)] | None
    commitment: str


class FileOffer(_Spoken, frozen=True, forbid_unknown_fields=True, tag="offer", kw_only=True):
    """A price that was named."""

    price: float


class FileAccept(_Spoken, frozen=True, forbid_unknown_fields=True, tag="accept", kw_only=True):
    """A price that was taken."""

    price: float


class FileWalk(_Spoken, frozen=True, forbid_unknown_fields=True, tag="walk", kw_only=True):
    """Somebody left."""


class FileMessage(_Spoken, frozen=True, forbid_unknown_fields=True, tag="message", kw_only=True):
    """Words that moved nothing."""


class FileSignals(Tells, frozen=True, forbid_unknown_fields=True):
    """The signals of ``tells``: all of them, and no others."""


class FileSpan(TellSpan, frozen=True, forbid_unknown_fields=True):
    """Where a signal stands."""


class FileTells(_Numbered, frozen=True, forbid_unknown_fields=True, tag="tells", kw_only=True):
    """What could be noticed."""

    actor: Side
    round: Round
    of_seq: Count
    signals: FileSignals
    spans: Annotated[list[FileSpan], Meta(max_length=100)]


class FileEnded(_Numbered, frozen=True, forbid_unknown_fields=True, tag="ended", kw_only=True):
    """The last event."""

    outcome: Termination
    by: Side | None
    round: Count
    price: float | None
    buyer_share: Share
    seller_share: Share
    opened: FileSealed
    salt: str
    commitment: str
    committed_text: str
    replay: Line
    certificate: dict[str, Any] | None = None


FileEvent = FileOpened | FileOffer | FileAccept | FileWalk | FileMessage | FileTells | FileEnded

file_decoder: msgspec.json.Decoder[File] = msgspec.json.Decoder(File)
event_decoder: msgspec.json.Decoder[FileEvent] = msgspec.json.Decoder(FileEvent)

__all__ = [
    "File",
    "FileAccept",
    "FileEnded",
    "FileEvent",
    "FileMessage",
    "FileOffer",
    "FileOpened",
    "FileSealed",
    "FileTells",
    "FileWalk",
    "event_decoder",
    "file_decoder",
]
