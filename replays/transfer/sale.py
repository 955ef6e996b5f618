"""The file of a game of two sides, ``bazaarbatna.replay/1`` and ``/2``, read and played again.

Only what the players did is taken from the events; what followed by rule comes from the engine.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal, assert_never

import msgspec
from msgspec import Meta

from negotiation.bargain.endings import end_of
from negotiation.bargain.honesty import certify
from negotiation.bargain.web.thumbs import Thumb, is_spoken_by
from negotiation.engine.episode import State, follow, start
from negotiation.engine.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    TellsShown,
    Termination,
    WalkedAway,
)
from negotiation.engine.quantities import Side
from negotiation.engine.scenario import Scenario, SealedValues, SellerRules
from negotiation.engine.sellers import SELLERS
from negotiation.engine.tasks import suite, suite_ids
from negotiation.engine.tells import Tells, TellSpan
from negotiation.engine.theory import reference_lines
from negotiation.models import Game
from negotiation.plans import Because, HeardAct, MoveName
from negotiation.readers import reader
from replays.transfer.export import WITH_THUMBS
from replays.transfer.reading import (
    MOST_EVENTS,
    Backend,
    BrokenPromise,
    Count,
    Doubtful,
    FileHead,
    FileItem,
    Label,
    Milliseconds,
    Name,
    Persona,
    Played,
    Round,
    SealedFile,
    Seed,
    Strict,
    Words,
    WrongSummary,
    exact_paise,
    play,
    said,
    unfinished,
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


LONGEST_WHY = 400
"""Characters of the reason for a tell."""
_NEAR = 1e-6
"""Theory is computed with square roots and powers: the last digits may differ."""
_SIGNALS = set(Tells.__struct_fields__) | {
    *("urgency", "confidence", "deception", "escalation", "condition"),
}
"""Names of what a tell can show; readers of words use the short ones."""


class _Replay:
    """The game of a file, as far as it has been played."""

    def __init__(self, file: File, sealed: SealedValues) -> None:
        self.file, self.sealed = file, sealed
        self.lines: list[FileEvent] = []
        self.events: list[Event] = []
        self.state: State | None = None
        self.expected: tuple[Event, ...] = ()

    def take(self, raw: msgspec.Raw, number: int) -> None:
        line = event_decoder.decode(raw)
        if line.seq != number:
            raise Doubtful(f"Its number should be {number}, not {line.seq}.")
        event: Event | None
        if isinstance(line, FileOpened):
            event = self._open(line)
        elif self.state is None or (self.state.ended is not None and not self.expected):
            raise Doubtful("A game opens with its first event, and nothing follows its last.")
        elif isinstance(line, FileEnded):
            event = next(iter(self.expected), None)
            if not isinstance(event, Ended):
                raise Doubtful("The game does not end here.")
        else:
            event = _event_of(line, self.lines)
        assert self.state is not None
        self.state, self.expected = follow(self.state, self.expected, event)
        self.lines.append(line)
        self.events.append(event)

    def _open(self, line: FileOpened) -> Event:
        if self.state is not None:
            raise Doubtful("A game opens once, with its first event.")
        if line.commitment != self.file.commitment:
            raise Doubtful("It promised another SHA-256.")
        scenario = Scenario(
            suite=line.suite,
            item=line.item.item(),
            max_rounds=line.max_rounds,
            anchor=exact_paise(line.price),
            sealed=self.sealed,
            salt=self.file.salt,
            seller=line.seller,
            persona_visible=line.persona is not None,
            rules=_rules(line.suite, self.sealed.persona),
        )
        self.state, self.expected = start(scenario)
        return self.expected[0]


def read_sale(body: bytes) -> Played:
    """Read a file and play its game again.

    Raises:
        ImportRefused: with the first check that failed.
    """
    file = file_decoder.decode(body)
    try:
        sealed = file.opened.values()
    except Doubtful as wrong:
        raise BrokenPromise(f"The opened values cannot be: {wrong}") from wrong
    file.check_promise(sealed)
    replay = _Replay(file, sealed)
    play(file.events, replay.take, MOST_EVENTS)
    state = replay.state
    assert state is not None
    if state.ended is None or replay.expected:
        raise unfinished(len(replay.events))
    _check_theory(file, state.scenario)
    _check_thumbs(file, replay.lines)
    return Played(
        state.scenario,
        tuple(replay.events),
        tuple(replay.lines),
        file.game,
        _row(file, state.scenario, state.ended, replay),
    )


def _row(file: File, scenario: Scenario, ended: Ended, replay: _Replay) -> dict[str, Any]:
    kind, last = file.game.kind, replay.lines[-1]
    row = {
        **end_of(ended),
        "kind": kind,
        "seat": Game.Seat.BUYER if kind == "buy" else Game.Seat.SELLER,
        "title": scenario.item.title,
        "category": scenario.item.category,
        "policy": file.versions.policy,
        "policy_version": file.versions.policy_version,
        "suite": scenario.suite,
        "persona": ended.opened.persona if kind != "sell" else "",
    }
    if isinstance(last, FileEnded) and last.certificate is not None:
        # The house's honesty is not believed but counted anew.
        secret, promises = reader().names_secret, reader().promises
        found = certify(tuple(replay.events), _house(file), secret, promises)
        row["certificate"] = found.to_json()
    return row


def _house(file: File) -> Side:
    return "seller" if file.game.kind == "buy" else "buyer"


def _rules(suite_id: str, persona: str) -> SellerRules:
    """Return the rules of a suite's seller; people and models play by the plain ones."""
    if suite_id not in suite_ids():
        return SellerRules()
    row = suite(suite_id)
    return SellerRules(
        concession_rate=row.concession_rate,
        batna_walk_p=row.batna_walk_p,
        inventory=row.inventory,
        inventory_start=row.inventory,
        bluff_raise=SELLERS[persona].persona.bluff_raise if persona in SELLERS else 0.0,
    )


def _event_of(
    line: FileOffer | FileAccept | FileWalk | FileMessage | FileTells, before: Sequence[FileEvent]
) -> Event:
    match line:
        case FileOffer():
            return OfferMade(line.actor, line.round, exact_paise(line.price), said(line.text))
        case FileAccept():
            return OfferAccepted(line.actor, line.round, exact_paise(line.price), said(line.text))
        case FileWalk():
            return WalkedAway(line.actor, line.round, said(line.text))
        case FileMessage():
            return MessageSent(line.actor, line.round, said(line.text))
        case FileTells():
            return _tells(line, before)
        case _:
            assert_never(line)


def _tells(line: FileTells, before: Sequence[FileEvent]) -> TellsShown:
    if line.of_seq > len(before):
        raise Doubtful("Tells belong to words that came before them.")
    words = getattr(before[line.of_seq - 1], "text", "") if line.of_seq else ""
    for span in line.spans:
        _check_span(span, words)
    signals = msgspec.structs.asdict(line.signals)
    for name, value in signals.items():
        highest = 1 if isinstance(value, float) else 1000
        if isinstance(value, int | float) and not 0 <= value <= highest:
            raise Doubtful(f"The signal {name} is out of range.")
    spans = tuple(TellSpan(**msgspec.structs.asdict(span)) for span in line.spans)
    return TellsShown(line.actor, line.round, Tells(**signals), spans, line.of_seq)


def _check_span(span: TellSpan, words: str) -> None:
    if not 0 <= span.start < span.end <= len(words):
        raise Doubtful("A tell points outside its words.")
    if not 0 <= span.score <= 1 or span.signal not in _SIGNALS:
        raise Doubtful("A tell has a known signal and a score from 0 to 1.")
    if len(said(span.why)) > LONGEST_WHY:
        raise Doubtful(f"The reason for a tell has at most {LONGEST_WHY} characters.")


def _check_theory(file: File, scenario: Scenario) -> None:
    lines = reference_lines(scenario)
    if sorted(file.theory) != sorted(lines) or not all(
        math.isclose(price, lines[name], rel_tol=_NEAR, abs_tol=0.01)
        for name, price in file.theory.items()
    ):
        raise WrongSummary.of("theory", len(file.events))


def _check_thumbs(file: File, lines: Sequence[FileEvent]) -> None:
    spoken = {
        line.seq
        for line in lines
        if isinstance(line, Spoken) and is_spoken_by("message", line.actor, line.text, _house(file))
    }
    rated = [one.seq for one in file.thumbs]
    is_announced = file.format == WITH_THUMBS
    if bool(rated) != is_announced or rated != sorted(set(rated) & spoken):
        raise WrongSummary.of("thumbs", len(file.events))
