"""The file of a game of two sides, ``bazaarbatna.replay/1`` to ``/3``, read and played again.

Only what the players did is taken from the events; what followed by rule comes from the engine.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bazaarbatna.bargain.episode import State, follow, start
from bazaarbatna.bargain.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    TellsShown,
    WalkedAway,
)
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.bargain.scenario import Scenario, SealedValues, SellerRules
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.bargain.tasks import suite, suite_ids
from bazaarbatna.bargain.tells import Tells, TellSpan
from bazaarbatna.bargain.theory import reference_lines
from negotiation.bargain.honesty import certify
from negotiation.bargain.recorded import end_of
from negotiation.bargain.web.feelings import AGAIN, POINTS
from negotiation.bargain.web.thumbs import Thumb, is_spoken_by
from negotiation.models import Game
from negotiation.plans import Because, HeardAct, MoveName
from negotiation.readers import reader
from negotiation.sentences import sentences
from replays.transfer import reading
from replays.transfer.export import format_of
from replays.transfer.reading import (
    BrokenPromise,
    Count,
    Doubtful,
    Played,
    Strict,
    Words,
    WrongSummary,
    exact_paise,
    said,
)

say = sentences(__file__)

LONGEST_WHY = 400  # characters of the reason for a tell
_NEAR = 1e-6  # theory has square roots and powers: the last digits may differ
_SIGNALS = set(Tells.__struct_fields__) | {
    *("urgency", "confidence", "deception", "escalation", "condition"),
}

_Tag = Annotated[str, Meta(max_length=40)]


class _Sealed(Strict):
    reservation: float
    cost: float
    budget: float
    persona: reading.Persona
    deadline: reading.Round | None
    seed: reading.Seed

    def values(self) -> SealedValues:
        prices = {
            name: exact_paise(getattr(self, name)) for name in ("reservation", "cost", "budget")
        }
        return SealedValues(**{**msgspec.structs.asdict(self), **prices})


class _Head(reading.FileHead):
    kind: Literal["sell", "buy", "sim"]


class _Versions(msgspec.Struct):
    policy: reading.Label
    policy_version: reading.Name


class _Thumb(Strict):
    seq: Count
    thumb: Thumb


_Answers = dict[
    Literal["instrumental", "self", "process", "relationship", "again"],
    Annotated[int, Meta(ge=0, le=POINTS[-1])],
]


class _File(reading.SealedFile):
    game: _Head
    versions: _Versions
    opened: _Sealed
    theory: dict[str, float]
    thumbs: Annotated[list[_Thumb], Meta(max_length=600)] = []
    answers: _Answers | UnsetType = UNSET

    @property
    def opponent(self) -> Side:
        return "seller" if self.game.kind == "buy" else "buyer"


class _Heard(HeardAct, frozen=True, forbid_unknown_fields=True):
    act: _Tag
    words: Words


class _Plan(Strict):
    move: MoveName
    heard: Annotated[list[_Heard], Meta(max_length=100)] = []
    speaks_to: Annotated[list[_Tag], Meta(max_length=10)] = []
    step: Annotated[float, Meta(ge=0, le=1_000_000_000)] = 0.0
    because: Because = ""
    promises: bool = False
    language: Annotated[str, Meta(max_length=20)] = ""


class _Spoken(reading.FileLine, kw_only=True):
    actor: Side
    plan: _Plan | None = None


class _Priced(_Spoken, kw_only=True):
    price: float


class _Offer(_Priced, tag="offer"):
    pass


class _Accept(_Priced, tag="accept"):
    pass


class _Walk(_Spoken, tag="walk"):
    pass


class _Message(_Spoken, tag="message"):
    pass


class _Signals(Tells, frozen=True, forbid_unknown_fields=True):
    pass


class _Span(TellSpan, frozen=True, forbid_unknown_fields=True):
    pass


class _Tells(Strict, tag_field="kind", tag="tells"):
    seq: Count
    actor: Side
    round: reading.Round
    of_seq: Count
    signals: _Signals
    spans: Annotated[list[_Span], Meta(max_length=100)]


class _Opened(Strict, tag_field="kind", tag="opened"):
    seq: Count
    actor: Literal["seller"]
    price: float
    item: reading.FileItem
    max_rounds: reading.Round
    suite: Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[\w@:.#+-]*$")]
    seller: reading.Name
    persona: Annotated[str, Meta(max_length=20)] | None
    commitment: str


class _Ended(msgspec.Struct, tag_field="kind", tag="ended"):
    # All else of it is compared with what the game played again ends in.
    seq: Count
    certificate: dict[str, Any] | None = None


_Line = _Opened | _Offer | _Accept | _Walk | _Message | _Tells | _Ended
_decoder: msgspec.json.Decoder[_Line] = msgspec.json.Decoder(_Line)
_MADE: dict[type, Any] = {
    _Offer: OfferMade, _Accept: OfferAccepted, _Walk: WalkedAway, _Message: MessageSent,
}  # fmt: skip


def read_sale(body: bytes) -> Played:
    """Read a file and play its game again; raises ``ImportRefused``."""
    file = msgspec.json.decode(body, type=_File)
    try:
        sealed = file.opened.values()
    except Doubtful as wrong:
        raise BrokenPromise(say("opened_values_cannot_be", why=wrong)) from wrong
    file.check_promise(sealed)
    state: State | None = None
    expected: tuple[Event, ...] = ()
    before: list[_Line] = []

    def take(raw: msgspec.Raw, number: int) -> tuple[Event, _Line]:
        nonlocal state, expected
        line = _decoder.decode(raw)
        if line.seq != number:
            raise Doubtful(say("other_number", number=number, said=line.seq))
        if isinstance(line, _Opened):
            if state is not None:
                raise Doubtful(say("opens_once"))
            state, expected = start(_scenario(line, file, sealed))
        elif state is None or (state.ended is not None and not expected):
            raise Doubtful(say("opens_and_ends"))
        event = _event(line, before, expected)
        state, expected = follow(state, expected, event)
        before.append(line)
        return event, line

    events, lines = reading.play(file.events, take, reading.MOST_EVENTS)
    assert state is not None
    if state.ended is None or expected:
        raise reading.unfinished(len(events))
    _check_theory(file, state.scenario)
    _check_opinions(file, lines)
    row = _row(file, state.scenario, state.ended)
    if lines[-1].certificate is not None:
        row["certificate"] = _certificate(file, events)
    return Played(state.scenario, events, lines, file.game, row)


def _certificate(file: _File, events: Sequence[Event]) -> dict[str, Any]:
    # The opponent's honesty is not believed but counted anew.
    promises = reader().promises
    return certify(tuple(events), file.opponent, reader().names_secret, promises).to_json()


def _scenario(line: _Opened, file: _File, sealed: SealedValues) -> Scenario:
    if line.commitment != file.commitment:
        raise Doubtful(say("it_promised_another_sha_256"))
    return Scenario(
        suite=line.suite,
        item=line.item.item(),
        max_rounds=line.max_rounds,
        anchor=exact_paise(line.price),
        sealed=sealed,
        salt=file.salt,
        seller=line.seller,
        persona_visible=line.persona is not None,
        rules=_rules(line.suite, sealed.persona),
    )


def _rules(suite_id: str, persona: str) -> SellerRules:
    # People and models play by the plain rules.
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


def _row(file: _File, scenario: Scenario, ended: Ended) -> dict[str, Any]:
    return {
        **end_of(ended),
        "kind": file.game.kind,
        "seat": Game.Seat.BUYER if file.game.kind == "buy" else Game.Seat.SELLER,
        "title": scenario.item.title,
        "category": scenario.item.category,
        "policy": file.versions.policy,
        "policy_version": file.versions.policy_version,
        "suite": scenario.suite,
        "persona": ended.opened.persona if file.game.kind != "sell" else "",
    }


def _event(line: _Line, before: Sequence[_Line], expected: Sequence[Event]) -> Event:
    if isinstance(line, _Spoken):
        price = (exact_paise(line.price),) if isinstance(line, _Priced) else ()
        event: Event = _MADE[type(line)](line.actor, line.round, *price, said(line.text))
        return event
    if isinstance(line, _Tells):
        return _tells(line, before)
    if isinstance(line, _Ended) and not (expected and isinstance(expected[0], Ended)):
        raise Doubtful(say("does_not_end_here"))
    return expected[0]


def _tells(line: _Tells, before: Sequence[_Line]) -> TellsShown:
    if line.of_seq > len(before):
        raise Doubtful(say("tells_before_their_words"))
    words = getattr(before[line.of_seq - 1], "text", "") if line.of_seq else ""
    for span in line.spans:
        _check_span(span, words)
    for name, value in msgspec.structs.asdict(line.signals).items():
        highest = 1 if isinstance(value, float) else 1000
        if isinstance(value, int | float) and not 0 <= value <= highest:
            raise Doubtful(say("signal_out_of_range", name=name))
    signals = msgspec.convert(line.signals, Tells, from_attributes=True)
    spans = msgspec.convert(line.spans, tuple[TellSpan, ...], from_attributes=True)
    return TellsShown(line.actor, line.round, signals, spans, line.of_seq)


def _check_span(span: TellSpan, words: str) -> None:
    if not 0 <= span.start < span.end <= len(words):
        raise Doubtful(say("tell_outside_its_words"))
    if not 0 <= span.score <= 1 or span.signal not in _SIGNALS:
        raise Doubtful(say("tell_without_signal"))
    if len(said(span.why)) > LONGEST_WHY:
        raise Doubtful(say("reason_too_long", most=LONGEST_WHY))


def _check_theory(file: _File, scenario: Scenario) -> None:
    lines = reference_lines(scenario)
    if sorted(file.theory) != sorted(lines) or not all(
        math.isclose(price, lines[name], rel_tol=_NEAR, abs_tol=0.01)
        for name, price in file.theory.items()
    ):
        raise WrongSummary("theory", len(file.events))


def _check_opinions(file: _File, lines: Sequence[_Line]) -> None:
    spoken = {
        line.seq
        for line in lines
        if isinstance(line, _Spoken)
        and is_spoken_by("message", line.actor, line.text, file.opponent)
    }
    rated = [one.seq for one in file.thumbs]
    if rated != sorted(set(rated) & spoken):
        raise WrongSummary("thumbs", len(file.events))
    told = file.answers or {}
    if any(value not in ((0, 1) if name == AGAIN else POINTS) for name, value in told.items()):
        raise WrongSummary("answers", len(file.events))
    if file.answers == {} or file.format != format_of(rated, told):
        raise WrongSummary("format", len(file.events))
