"""The checks of a file, in the order in which they can be trusted: promise, events, summary."""

import hashlib
import math

import msgspec

from negotiation.engine.episode import State, follow, start
from negotiation.engine.errors import BrokenLog, GameError
from negotiation.engine.events import Ended, Event
from negotiation.engine.quantities import InvalidPrice, Side, to_rupees
from negotiation.engine.scenario import Item, Scenario, SealedValues, SellerRules
from negotiation.engine.sealed import committed_text
from negotiation.engine.sellers import SELLERS
from negotiation.engine.tasks import suite, suite_ids
from negotiation.engine.theory import reference_lines
from replays.transfer.errors import BrokenPromise, NoGame, UnreadableReplay, WrongSummary
from replays.transfer.export import WITH_THUMBS
from replays.transfer.sale_events import Doubtful, event_of, exact_paise, sealed_of
from replays.transfer.sale_format import (
    File,
    FileAccept,
    FileEnded,
    FileEvent,
    FileMessage,
    FileOffer,
    FileOpened,
    FileWalk,
    event_decoder,
)

MOST_EVENTS = 600
"""Far more than any game of this site has; a page shows them all."""
_NEAR = 1e-6
"""Theory is computed with square roots and powers: the last digits may differ."""


class Verified(msgspec.Struct, frozen=True):
    """A file that holds a whole game of this engine."""

    file: File
    scenario: Scenario
    told: tuple[FileEvent, ...]
    events: tuple[Event, ...]
    ended: Ended


def verify(file: File) -> Verified:
    """Check everything that can be checked.

    Raises:
        ImportRefused: the first thing that is wrong.
    """
    sealed = _promised(file)
    told, events, state = _played(file, sealed)
    ended = state.ended
    assert ended is not None
    _check_summary(file, state.scenario, ended)
    _check_thumbs(file, told)
    return Verified(file, state.scenario, told, events, ended)


def _promised(file: File) -> SealedValues:
    text = file.committed_text
    if hashlib.sha256(text.encode()).hexdigest() != file.commitment:
        raise BrokenPromise("The committed text does not have the promised SHA-256.")
    try:
        sealed = sealed_of(file.opened)
    except Doubtful as wrong:
        raise BrokenPromise(f"The opened values cannot be: {wrong}") from wrong
    if committed_text(sealed, file.salt) != text:
        raise BrokenPromise("The opened values are not those in the committed text.")
    return sealed


def _played(
    file: File, sealed: SealedValues
) -> tuple[tuple[FileEvent, ...], tuple[Event, ...], State]:
    if not 2 <= len(file.events) <= MOST_EVENTS:
        raise UnreadableReplay(
            f"A game has 2 to {MOST_EVENTS:,} events; the file has {len(file.events):,}."
        )
    told: list[FileEvent] = []
    events: list[Event] = []
    state: State | None = None
    expected: tuple[Event, ...] = ()
    for number, raw in enumerate(file.events, start=1):
        fine = number - 1
        try:
            one = event_decoder.decode(raw)
            _check_place(one, number, file)
            if state is not None and state.ended is not None and not expected:
                raise Doubtful("The game had ended before it.")
            event = event_of(one, told)
            if state is None:
                state, expected = start(_scenario(one, file, sealed))
            state, expected = follow(state, expected, event)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
            detail = f"Event {number} cannot be read: {_short(wrong)}."
            raise UnreadableReplay(detail, event=number, fine=fine) from wrong
        except (Doubtful, InvalidPrice, GameError, BrokenLog, ValueError) as wrong:
            detail = f"Event {number} is not what the rules lead to. {wrong}"
            raise NoGame(detail, event=number, fine=fine) from wrong
        told.append(one)
        events.append(event)
    if state is None or state.ended is None or expected:
        fine = len(events)
        raise NoGame("The game does not end: its last events are missing.", fine=fine)
    return tuple(told), tuple(events), state


def _check_place(one: FileEvent, number: int, file: File) -> None:
    if one.seq != number:
        raise Doubtful(f"Its number should be {number}, not {one.seq}.")
    if isinstance(one, FileOpened) != (number == 1):
        raise Doubtful("A game opens once, with its first event.")
    if isinstance(one, FileOpened) and one.commitment != file.commitment:
        raise Doubtful("It promised another SHA-256.")
    if isinstance(one, FileEnded):
        again = (one.commitment, one.committed_text, one.opened, one.salt)
        if again != (file.commitment, file.committed_text, file.opened, file.salt):
            raise Doubtful("It opens another envelope than the file.")


def _scenario(one: FileEvent, file: File, sealed: SealedValues) -> Scenario:
    assert isinstance(one, FileOpened)
    item = one.item
    return Scenario(
        suite=one.suite,
        item=Item(item.title, item.category, item.condition, item.condition_label, item.currency),
        max_rounds=one.max_rounds,
        anchor=exact_paise(one.price),
        sealed=sealed,
        salt=file.salt,
        seller=one.seller,
        persona_visible=one.persona is not None,
        rules=_rules(one.suite, sealed.persona),
    )


def _rules(suite_id: str, persona: str) -> SellerRules:
    """Give the rules of a suite's seller; people and models play by the plain ones."""
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


def _check_summary(file: File, scenario: Scenario, ended: Ended) -> None:
    game, item = file.game, scenario.item
    price = None if ended.price is None else to_rupees(ended.price)
    lines = reference_lines(scenario)
    for name, said, true in (
        ("game.item", msgspec.structs.asdict(game.item), msgspec.structs.asdict(item)),
        ("game.max_rounds", game.max_rounds, scenario.max_rounds),
        ("game.opening_ask", game.opening_ask, to_rupees(scenario.anchor)),
        ("game.outcome", game.outcome, ended.outcome),
        ("game.by", game.by, ended.by),
        ("game.price", game.price, price),
        ("game.rounds", game.rounds, ended.round),
        ("game.buyer_share", game.buyer_share, ended.buyer_share),
        ("game.seller_share", game.seller_share, ended.seller_share),
        ("versions.suite", file.versions.suite, scenario.suite),
        ("versions.seller", file.versions.seller, scenario.seller),
        ("theory", sorted(file.theory), sorted(lines)),
    ):
        if said != true:
            _refuse_summary(file, name)
    for name, said in file.theory.items():
        if not math.isclose(said, lines[name], rel_tol=_NEAR, abs_tol=0.01):
            _refuse_summary(file, f"theory, {name}")


def _check_thumbs(file: File, told: tuple[FileEvent, ...]) -> None:
    house: Side = "seller" if file.game.kind == "buy" else "buyer"
    lines = {
        event.seq
        for event in told
        if isinstance(event, FileOffer | FileAccept | FileWalk | FileMessage)
        and event.actor == house
        and event.text.strip()
    }
    rated = [one.seq for one in file.thumbs]
    announced = file.format == WITH_THUMBS
    if bool(rated) != announced or rated != sorted(set(rated) & lines):
        _refuse_summary(file, "thumbs")


def _refuse_summary(file: File, name: str) -> None:
    detail = f"The events are a game, but “{name}” says something else than they do."
    raise WrongSummary(detail, fine=len(file.events))


def _short(wrong: Exception) -> str:
    text = str(wrong)
    return text if len(text) < 160 else f"{text[:160]}…"
