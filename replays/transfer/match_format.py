"""The shape of an exported match, as far as a match is built from it.

Everything else in the file is compared with what the rebuilt match gives; see
``replays.transfer.match``.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from arena.engine.moves import Action, Signal
from replays.transfer.sale_format import Count, FileItem, Name, Round, Strict, Words

Actor = Annotated[str, Meta(pattern=r"^buyer-[1-4]$")]


class FileBuyer(Strict, frozen=True, forbid_unknown_fields=True):
    """One chair and who sat in it."""

    actor: Actor
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    policy: Annotated[str, Meta(max_length=60, pattern=r"^[\w@:.#+-]*$")]
    version: Name
    person: bool


class FileBudgets(Strict, frozen=True, forbid_unknown_fields=True):
    """The opened envelope of a match; prices in rupees."""

    reservation: float
    cost: float
    persona: Annotated[str, Meta(max_length=20, pattern=r"^[a-z_-]*$")]
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    budgets: dict[Actor, float]


class MatchHead(Strict, frozen=True, forbid_unknown_fields=True):
    """The summary at the head of the file."""

    id: Annotated[str, Meta(max_length=40)]
    kind: Literal["arena"]
    item: FileItem
    description: Annotated[str, Meta(max_length=5000)]
    max_rounds: Round
    opening_ask: float
    buyers: Annotated[list[FileBuyer], Meta(min_length=2, max_length=4)]
    outcome: str
    winner: Actor | None
    price: float | None
    rounds: Count
    shares: dict[Actor, float]
    seller_share: float
    started_at: Annotated[str, Meta(max_length=40)] | None
    ended_at: Annotated[str, Meta(max_length=40)] | None


class MatchVersions(Strict, frozen=True, forbid_unknown_fields=True):
    """What has to be the same to play it again."""

    site: Annotated[str, Meta(max_length=80)]
    suite: Annotated[str, Meta(max_length=60, pattern=r"^[\w@:.#+-]*$")]
    seller: Name
    buyers: dict[Actor, Name]


class MatchFile(Strict, frozen=True, forbid_unknown_fields=True):
    """The whole file, its events still unread."""

    format: str
    game: MatchHead
    versions: MatchVersions
    events: list[msgspec.Raw]
    opened: FileBudgets
    salt: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[0-9A-Za-z]*$")]
    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    committed_text: Words
    remarks: list[Any]


class FilePlaced(Strict, frozen=True, forbid_unknown_fields=True):
    """A buyer's envelope."""

    seq: Count
    kind: Literal["placed"]
    actor: Actor
    round: Round
    action: Action
    price: float | None
    text: Words
    signal: Signal | None
    backend: Annotated[str, Meta(max_length=20, pattern=r"^[\w.-]*$")] = ""
    policy_version: Name = ""
    latency_ms: Annotated[int, Meta(ge=0, le=10_000_000)] | None = None


class FileKind(msgspec.Struct, frozen=True):
    """As much of an event as tells what it is."""

    kind: str
    persona: str | None = None


match_decoder: msgspec.json.Decoder[MatchFile] = msgspec.json.Decoder(MatchFile)
placed_decoder: msgspec.json.Decoder[FilePlaced] = msgspec.json.Decoder(FilePlaced)
kind_decoder: msgspec.json.Decoder[FileKind] = msgspec.json.Decoder(FileKind)
