"""Games of turns as they are played: opened, moved in, watched; the log is the truth.

A computer player moves whenever somebody looks and it is awaited, so nothing needs to be woken up
after a crash: the next look goes on from the log.
"""

import functools
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from bazaarbatna.bargain.errors import GameOver, NotYourTurn
from negotiation.errors import BadFrame, ReadOnly, UnknownGame
from negotiation.games.event_log import (
    Served,
    append_rows,
    game_row,
    row_of,
    to_payload,
    until_claimed,
)
from negotiation.games.position_cache import Position
from negotiation.games.turn_game import SPECTATOR, TurnGame, turn_game
from negotiation.models import EventRow, Game, SealedRecord
from negotiation.sentences import sentences

say = sentences(__file__)

SEEDS = 2**53
"""Seeds lie below this, so that a browser can say them exactly."""

AnyTurnGame = TurnGame[Any, Any, Any, Any]


def open_game(
    kind: str,
    owner: str,
    seat: str = "",
    *,
    is_public: bool = True,
    client: str = "",
    below: Callable[[int], int] = secrets.randbelow,
    deal: Callable[[int], Any] | None = None,
    **fields: Any,
) -> Game:
    """Open a game: draw and seal its seed, write the first events.

    ``owner`` is the session key of the person, who takes ``seat``, by default the first; ``client``
    the key of the address that asks; ``below`` gives an unguessable whole number of 0 up to its
    argument; ``deal`` makes the scenario of a seed, the game's own way without it; ``fields`` are
    more of the row, or other ones.

    Raises:
        UnknownGame: there is no such kind of game.
        BadFrame: it has no such seat.
    """
    rules = turn_game(kind)
    if seat and seat not in rules.seats:
        raise BadFrame(f"The seats are {', '.join(rules.seats)}.")
    scenario = (deal or rules.draw)(below(SEEDS))
    state, events = rules.start(scenario)
    row = {"title": rules.title, "policy": kind, "share_replay": is_public, **fields}
    game = Game(
        kind=kind,
        owner=owner,
        seat=seat or rules.seats[0],
        client=client,
        last_seq=len(events),
        **row,
    )
    with transaction.atomic():
        game.save(force_insert=True)
        SealedRecord.objects.create(game=game, scenario=to_payload(scenario))
        EventRow.objects.bulk_create(
            row_of(game, seq, event) for seq, event in enumerate(events, start=1)
        )
        position = Position(len(events), events, state)
        transaction.on_commit(functools.partial(rules.positions.remember, game.pk, position))
    return game


def play(game_id: str, visitor: str, told: object, seen: int | None = None) -> int:
    """Carry out a person's move, as JSON gives it; return the number of the log's last event.

    ``seen`` is the number of the last event the person knew of; None: not checked.

    Raises:
        UnknownGame, ReadOnly, BadFrame: no such game, no seat in it, no move of it.
        GameOver, NotYourTurn, IllegalMove: refused; nothing was recorded.
        Busy: other writers were faster too often.
    """

    def attempt() -> int:
        game, rules, position = current(game_id)
        seat = rules.seat_of(game, visitor)
        if seat == SPECTATOR:
            raise ReadOnly(say("you_look_on_at_this_game"))
        try:
            move = rules.read_move(told)
        except msgspec.ValidationError as wrong:
            raise BadFrame(say("that_is_no_move_of_this", why=wrong)) from wrong
        rules.check_table(game, move, visitor)
        awaited = rules.awaited(position.state)
        if not awaited:
            raise GameOver(say("the_game_is_over"))
        if rules.needs_turn(position.state, move):
            if seat not in awaited:
                raise NotYourTurn(say("it_is_not_your_turn"))
            if seen is not None:
                _check_seen(rules, position, seat, seen)
        return append(game, rules, position, seat, move)

    return until_claimed(attempt)


def opponents_move(game_id: str) -> bool:
    """Let awaited computer players move, from anywhere; return whether anything was written."""

    def attempt() -> bool:
        game, rules, position = current(game_id)
        people = rules.people(game)
        seats = [seat for seat in rules.awaited(position.state) if seat not in people]
        if not seats:
            return False
        dice = rules.dice(rules.scenario_of(game.pk), seats[0], position.seq)
        move = rules.act(position.state, seats[0], dice)
        append(game, rules, position, seats[0], move, Served("rules", "", 0))
        return True

    written = False
    while until_claimed(attempt):
        written = True
    return written


def current(game_id: str) -> tuple[Game, AnyTurnGame, Position[Any, Any]]:
    """Return a game, its rules and where it stands, or raise UnknownGame."""
    game = game_row(game_id)
    if game is None:
        raise UnknownGame
    rules = turn_game(game.kind)
    return game, rules, rules.position_of(game)


def _check_seen(rules: AnyTurnGame, position: Position[Any, Any], seat: str, seen: int) -> None:
    """Refuse a second click: what the seat itself did since is not news to it."""
    for event in position.events[seen:]:
        told = rules.move_of(event)
        if told and told[0] == seat and rules.needs_turn(position.state, told[1]):
            raise NotYourTurn(say("you_have_moved_since_you_sent"))


def append(
    game: Game,
    rules: AnyTurnGame,
    position: Position[Any, Any],
    seat: str,
    move: Any,
    served: Served | None = None,
) -> int:
    """Write a move with what follows from it; return the number of the log's last event.

    ``served``: who made it, where no person did. ClaimLost: somebody else was faster.
    """
    state, events = rules.apply(position.state, seat, move)
    grown = position.after(state, events)
    first = position.seq + 1
    rows = [row_of(game, first, events[0], served)]
    rows += [row_of(game, seq, one) for seq, one in enumerate(events[1:], start=first + 1)]
    fields = rules.ending(state)
    append_rows(
        game.pk,
        rows,
        {**fields, "ended_at": timezone.now()} if fields else {},
        ended=bool(fields),
        remember=functools.partial(rules.positions.remember, game.pk, grown),
    )
    return grown.seq
