"""The file of a match, ``bazaarbatna.arena/1``, read and played again.

A match follows from its hidden values and the buyers' envelopes alone: only these are read.
"""

from typing import Annotated, Any, Literal

import msgspec
from django.utils.translation import gettext
from msgspec import Meta

from arena.auction.web.game import AUCTION
from arena.auction.web.records import end_of
from bazaarbatna.auction.events import (
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
from bazaarbatna.auction.making import RULES
from bazaarbatna.auction.match import place, start
from bazaarbatna.auction.scenario import ArenaScenario, ArenaSealed, Seat
from bazaarbatna.bargain.sellers import SELLERS
from negotiation.models import Game
from replays.transfer import reading
from replays.transfer.reading import Doubtful, NoGame, Played, Strict, UnreadableReplay, exact_paise

_Actor = Annotated[str, Meta(pattern=r"^buyer-[1-4]$")]


class _Buyer(Strict):
    actor: _Actor
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    policy: reading.Label
    version: reading.Name
    person: bool


class _Sealed(Strict):
    reservation: float
    cost: float
    persona: reading.Persona
    seed: reading.Seed
    budgets: dict[_Actor, float]


class _Head(reading.FileHead):
    kind: Literal["arena"]
    item: reading.FileItem
    max_rounds: reading.Round
    opening_ask: float
    buyers: Annotated[list[_Buyer], Meta(min_length=2, max_length=4)]


class _Versions(msgspec.Struct):
    suite: reading.Label
    seller: reading.Name


class _File(reading.SealedFile):
    game: _Head
    versions: _Versions
    opened: _Sealed
    remarks: list[Any]


class _Placed(reading.FileLine, tag="placed", kw_only=True):
    actor: _Actor
    action: Action
    price: float | None
    signal: Signal | None


class _Opening(msgspec.Struct):
    persona: str | None = None


def read_match(body: bytes) -> Played:
    """Read a file and play its envelopes again; raises ``ImportRefused``."""
    file = msgspec.json.decode(body, type=_File)
    scenario = _scenario(file)
    try:
        state, coming = start(scenario)
    except ValueError as wrong:
        raise NoGame(
            gettext("This match cannot begin: %(why)s") % {"why": wrong}, event=1
        ) from wrong

    def take(raw: msgspec.Raw, number: int) -> tuple[ArenaEvent, _Placed | None]:
        nonlocal state, coming
        line = None
        if not coming:
            line = msgspec.json.decode(raw, type=_Placed)
            seat = int(line.actor.removeprefix("buyer-")) - 1
            state, coming = place(state, seat, _move(line))
        event, *rest = coming
        coming = tuple(rest)
        return event, line

    events, lines = reading.play(file.events, take, reading.MOST_EVENTS)
    ended = events[-1]
    if not isinstance(ended, Ended):
        raise reading.unfinished(len(events))
    row = {
        **end_of(ended),
        "kind": AUCTION.kinds[0],
        "seat": Game.Seat.BUYER,
        "title": scenario.item.title,
        "category": scenario.item.category,
        "policy": ", ".join(seat.policy for seat in scenario.seats)[:60],
        "suite": scenario.suite,
        "persona": ended.opened.persona,
    }
    content = msgspec.json.encode(msgspec.json.decode(body), order="sorted")
    return Played(scenario, events, lines, file.game, row, content)


def _scenario(file: _File) -> ArenaScenario:
    opened, buyers = file.opened, file.game.buyers
    actors = [f"buyer-{number}" for number in range(1, len(buyers) + 1)]
    if [buyer.actor for buyer in buyers] != actors or sorted(opened.budgets) != actors:
        raise UnreadableReplay(
            gettext("The buyers are not numbered as they sit, with a budget each.")
        )
    if opened.persona not in SELLERS:
        raise UnreadableReplay(gettext("The seller has a persona that is not known here."))
    sealed = ArenaSealed(
        exact_paise(opened.reservation),
        exact_paise(opened.cost),
        opened.seed,
        opened.persona,
        tuple(exact_paise(opened.budgets[actor]) for actor in actors),
    )
    file.check_promise(sealed)
    first = msgspec.json.decode(file.events[0], type=_Opening) if file.events else _Opening()
    return ArenaScenario(
        suite=file.versions.suite,
        item=file.game.item.item(),
        max_rounds=file.game.max_rounds,
        anchor=exact_paise(file.game.opening_ask),
        sealed=sealed,
        salt=file.salt,
        seats=tuple(Seat(reading.said(b.name), b.policy, b.version, b.person) for b in buyers),
        seller=file.versions.seller,
        persona_visible=first.persona is not None,
        rules=RULES,
    )


_SILENT: dict[Action, type[Take | Hold | Leave]] = {"accept": Take, "hold": Hold, "walk": Leave}


def _move(line: _Placed) -> ArenaMove:
    text = reading.said(line.text)
    if (line.action == "offer") != (line.price is not None):
        raise Doubtful(gettext("An offer names a price, and nothing else does."))
    if line.price is not None:
        return Bid(exact_paise(line.price), text, line.signal)
    return _SILENT[line.action](text, line.signal)
