"""The only writer: opens games and appends to their logs, each change in one transaction.

A writer works on the position it has read and then claims the next sequence numbers with a
conditional update. Whoever comes second reads again, so a log never forks and never skips.
"""

import functools
import secrets
import threading
from collections.abc import Callable
from typing import Literal

import msgspec
from django.db import transaction
from django.utils import timezone

from negotiation import bell, buyer, positions
from negotiation.buyer import Served
from negotiation.commands import Command, Note, Say, carry_out
from negotiation.engine.episode import State, start
from negotiation.engine.errors import NotYourTurn
from negotiation.engine.events import Event, OfferMade
from negotiation.engine.quantities import Side
from negotiation.errors import Busy, UnknownGame
from negotiation.models import EventRow, Game, SealedRecord
from negotiation.policies import policy
from negotiation.positions import Position, position_of
from negotiation.scenarios import NewSale, scenario_of
from negotiation.stored_events import kind_of, to_payload

ATTEMPTS = 5
"""How often a writer reads again after another one was faster."""


_one_writer = threading.Lock()
"""Writers of one process queue here: SQLite itself would let them sleep and try again."""


class Receipt(msgspec.Struct, frozen=True):
    """What a command did: the log ends at ``seq``; ``note`` is for the sender alone."""

    seq: int
    note: Note | None = None


class _ClaimLost(Exception):
    """Somebody else has written the next event."""


def open_sale(owner: str, sale: NewSale, below: Callable[[int], int] = secrets.randbelow) -> Game:
    """Open a game: draw and seal the budget, write the first event.

    Args:
        owner: session key of the seller.
        sale: what is sold.
        below: gives the sealed seed, a whole number of 0 up to its argument.

    Raises:
        BadSale: the item cannot be sold as described.
        InvalidPrice: a price is out of range or the asking price below the reservation price.
        UnknownPolicy: no buyer has that name.
    """
    entry = policy(sale.policy)
    scenario = scenario_of(sale, below)
    state, events = start(scenario)
    game = Game(
        owner=owner,
        listing=sale.listing,
        title=scenario.item.title,
        category=scenario.item.category,
        description=scenario.item.condition,
        policy=sale.policy,
        policy_version=entry.version,
        share_replay=sale.share_replay,
        last_seq=len(events),
    )
    with transaction.atomic():
        game.save(force_insert=True)
        SealedRecord.objects.create(game=game, scenario=msgspec.json.encode(scenario))
        EventRow.objects.bulk_create(_rows(game, 1, events, None))
        position = Position(len(events), events, state)
        transaction.on_commit(functools.partial(positions.remember, game.pk, position))
    return game


def owned_game(game_id: str, owner: str) -> Game:
    """Give a visitor's own game.

    Raises:
        UnknownGame: there is none with that id, or it belongs to somebody else.
    """
    game = Game.objects.filter(pk=game_id, owner=owner).first() if owner else None
    if game is None:
        raise UnknownGame
    return game


def play(
    game_id: str,
    owner: str,
    command: Command,
    typing_s: float | None = None,
    seen: int | None = None,
) -> Receipt:
    """Carry out what the seller asks for.

    Args:
        game_id: the game.
        owner: session key of whoever asks.
        command: words or a move; prices in paise.
        typing_s: seconds the seller took to write, None if unknown.
        seen: number of the last event the seller knew of; a command that was given before the
            buyer's last move is a second click or comes from an old page. None: not checked.

    Raises:
        UnknownGame: not the owner's game.
        GameOver, NotYourTurn, IllegalMove, TwoPrices, NoPrice: refused; nothing was recorded.
        Busy: other writers were faster too often.
    """
    for _ in range(ATTEMPTS):
        game = owned_game(game_id, owner)
        position = position_of(game)
        _check_seen(position, seen)
        answer = carry_out(position.state, position.seq, command, typing_s)
        try:
            grown = _append(game, position, answer.state, answer.events, None)
        except _ClaimLost:
            continue
        return Receipt(grown.seq, answer.note)
    raise Busy


def buyer_turn(game_id: str) -> bool:
    """Let the buyer move or answer if that is due.

    Safe to call from any process, any number of times: one call writes, the others find the turn
    taken.

    Returns:
        False when there was nothing to do.

    Raises:
        UnknownGame: there is no such game.
        Busy: other writers were faster too often.
    """
    for _ in range(ATTEMPTS):
        game = Game.objects.filter(pk=game_id).first()
        if game is None:
            raise UnknownGame
        position = position_of(game)
        turn = _turn(position.state, game.policy)
        if turn is None:
            return False
        try:
            _append(game, position, turn.state, turn.events, turn.served)
        except _ClaimLost:
            continue
        return True
    raise Busy


def awaits_buyer(game: Game) -> bool:
    """Tell whether ``buyer_turn`` has something to do."""
    return buyer.is_due(position_of(game).state, game.policy)


def turn_of(game: Game) -> Side | Literal["over"]:
    """Tell who is to move."""
    return position_of(game).state.to_move or "over"


def log(game_id: str, after: int = 0) -> list[EventRow]:
    """Give the events of a game after a sequence number, in order."""
    return list(EventRow.objects.filter(game=game_id, seq__gt=after).order_by("seq"))


def _check_seen(position: Position, seen: int | None) -> None:
    if seen is None or position.state.ended is not None:
        return
    if any(
        isinstance(news, OfferMade) and news.actor == "buyer" for news in position.events[seen:]
    ):
        raise NotYourTurn("Sauda has moved since you sent that; look at her bid first.")


def _turn(state: State, name: str) -> buyer.Turn | None:
    return buyer.take(state, name) if buyer.is_due(state, name) else None


def _append(
    game: Game,
    position: Position,
    state: State,
    events: tuple[Event, ...],
    served: Served | None,
) -> Position:
    grown = position.after(state, events)
    with _one_writer, transaction.atomic():
        claim = Game.objects.filter(pk=game.pk, last_seq=position.seq)
        if not claim.update(last_seq=grown.seq, **_outcome(state)):
            # Nothing got updated: another writer got there first.
            raise _ClaimLost
        EventRow.objects.bulk_create(_rows(game, position.seq + 1, events, served))
        transaction.on_commit(functools.partial(positions.remember, game.pk, grown))
        # The events are safe by then: a silent bell must not look like a failed move.
        # (Django 5.2 names the failed function by its __qualname__, which a partial has not.)
        transaction.on_commit(lambda: bell.ring(game.pk, grown.seq), robust=True)
    return grown


def _outcome(state: State) -> dict[str, object]:
    ended = state.ended
    if ended is None:
        return {}
    deal = ended.price is not None
    return {
        "status": Game.Status.ENDED,
        "outcome": ended.outcome,
        "deal_price": ended.price,
        "seller_share": ended.seller_share if deal else None,
        "buyer_share": ended.buyer_share if deal else None,
        "rounds_used": ended.round,
        "ended_at": timezone.now(),
    }


def _rows(
    game: Game, first: int, events: tuple[Event, ...], served: Served | None
) -> list[EventRow]:
    return [
        EventRow(
            game=game,
            seq=seq,
            kind=kind_of(event),
            payload=to_payload(event),
            backend=served.backend if served else "",
            policy_version=served.policy_version if served else "",
            latency_ms=served.latency_ms if served else None,
        )
        for seq, event in enumerate(events, start=first)
    ]


__all__ = [
    "NewSale",
    "Note",
    "Receipt",
    "Say",
    "awaits_buyer",
    "buyer_turn",
    "log",
    "open_sale",
    "owned_game",
    "play",
    "turn_of",
]
