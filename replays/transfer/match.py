"""The file of a match, ``bazaarbatna.arena/1``, read and played again.

A match follows from its hidden values and the buyers' envelopes alone: only these are read.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from arena.auction.engine.events import (
    Action,
    ArenaEvent,
    ArenaMove,
    Bid,
    Ended,
    Hold,
    Leave,
    Signal,
    Take,
)
from arena.auction.engine.making import RULES
from arena.auction.engine.match import place, start
from arena.auction.engine.scenario import ArenaScenario, ArenaSealed, Seat
from arena.auction.web.records import end_of
from negotiation.engine.sellers import SELLERS
from negotiation.models import Game
from replays.finished import ARENA
from replays.transfer.errors import Doubtful, NoGame, UnreadableReplay
from replays.transfer.reading import (
    MOST_EVENTS,
    Backend,
    Count,
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
    exact_paise,
    play,
    said,
    unfinished,
)

_Actor = Annotated[str, Meta(pattern=r"^buyer-[1-4]$")]


class _Buyer(Strict, frozen=True, forbid_unknown_fields=True):
    actor: _Actor
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    policy: Label
    version: Name
    person: bool


class _Sealed(Strict, frozen=True, forbid_unknown_fields=True):
    reservation: float
    cost: float
    persona: Persona
    seed: Seed
    budgets: dict[_Actor, float]


class _Head(FileHead, frozen=True, kw_only=True):
    kind: Literal["arena"]
    item: FileItem
    max_rounds: Round
    opening_ask: float
    buyers: Annotated[list[_Buyer], Meta(min_length=2, max_length=4)]


class _Versions(msgspec.Struct, frozen=True):
    suite: Label
    seller: Name


class _File(SealedFile, frozen=True, forbid_unknown_fields=True, kw_only=True):
    game: _Head
    versions: _Versions
    opened: _Sealed
    remarks: list[Any]


class _Placed(Strict, frozen=True, forbid_unknown_fields=True):
    seq: Count
    kind: Literal["placed"]
    actor: _Actor
    round: Round
    action: Action
    price: float | None
    text: Words
    signal: Signal | None
    backend: Backend = ""
    policy_version: Name = ""
    latency_ms: Milliseconds | None = None


class _Opening(msgspec.Struct, frozen=True):
    persona: str | None = None


_file_decoder: msgspec.json.Decoder[_File] = msgspec.json.Decoder(_File)
_placed_decoder: msgspec.json.Decoder[_Placed] = msgspec.json.Decoder(_Placed)
_opening_decoder: msgspec.json.Decoder[_Opening] = msgspec.json.Decoder(_Opening)


def read_match(body: bytes) -> Played:
    """Read a file and play its envelopes again.

    Raises:
        ImportRefused: with the first check that failed.
    """
    file = _file_decoder.decode(body)
    scenario = _scenario(file)
    try:
        state, coming = start(scenario)
    except ValueError as wrong:
        raise NoGame(f"This match cannot begin: {wrong}", event=1) from wrong
    events: list[ArenaEvent] = []
    lines: list[_Placed | None] = []

    def take(raw: msgspec.Raw, number: int) -> None:
        nonlocal state, coming
        line = None
        if not coming:
            line = _placed_decoder.decode(raw)
            seat = int(line.actor.removeprefix("buyer-")) - 1
            state, coming = place(state, seat, _move(line))
        events.append(coming[0])
        lines.append(line)
        coming = coming[1:]

    play(file.events, take, MOST_EVENTS)
    ended = events[-1]
    if not isinstance(ended, Ended):
        raise unfinished(len(events))
    row = {
        **end_of(ended),
        "kind": ARENA,
        "seat": Game.Seat.BUYER,
        "title": scenario.item.title,
        "category": scenario.item.category,
        "policy": ", ".join(seat.policy for seat in scenario.seats)[:60],
        "suite": scenario.suite,
        "persona": ended.opened.persona,
    }
    content = msgspec.json.encode(msgspec.json.decode(body), order="sorted")
    return Played(scenario, tuple(events), tuple(lines), file.game, row, content)


def _scenario(file: _File) -> ArenaScenario:
    opened, buyers = file.opened, file.game.buyers
    actors = [f"buyer-{number}" for number in range(1, len(buyers) + 1)]
    if [buyer.actor for buyer in buyers] != actors or sorted(opened.budgets) != actors:
        raise UnreadableReplay("The buyers are not numbered as they sit, with a budget each.")
    if opened.persona not in SELLERS:
        raise UnreadableReplay("The seller has a persona that is not known here.")
    try:
        for buyer in buyers:
            said(buyer.name)
        item, anchor = file.game.item.item(), exact_paise(file.game.opening_ask)
        sealed = ArenaSealed(
            exact_paise(opened.reservation),
            exact_paise(opened.cost),
            opened.seed,
            opened.persona,
            tuple(exact_paise(opened.budgets[actor]) for actor in actors),
        )
    except Doubtful as wrong:
        raise UnreadableReplay(f"The start of the match cannot be: {wrong}") from wrong
    file.check_promise(sealed)
    return ArenaScenario(
        suite=file.versions.suite,
        item=item,
        max_rounds=file.game.max_rounds,
        anchor=anchor,
        sealed=sealed,
        salt=file.salt,
        seats=tuple(Seat(b.name, b.policy, b.version, b.person) for b in buyers),
        seller=file.versions.seller,
        persona_visible=bool(file.events)
        and _opening_decoder.decode(file.events[0]).persona is not None,
        rules=RULES,
    )


def _move(line: _Placed) -> ArenaMove:
    text = said(line.text)
    if line.action == "offer":
        if line.price is None:
            raise Doubtful("An offer names a price.")
        return Bid(exact_paise(line.price), text, line.signal)
    if line.price is not None:
        raise Doubtful("Only an offer names a price.")
    if line.action == "accept":
        return Take(text, line.signal)
    return Hold(text, line.signal) if line.action == "hold" else Leave(text, line.signal)
