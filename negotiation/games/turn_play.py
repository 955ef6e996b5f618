"""Games of turns as they are played: opened, moved in, watched; the log is the truth.

A computer player moves whenever somebody looks and it is awaited, so nothing needs to be woken up
after a crash: the next look goes on from the log.
"""

import functools
import secrets
from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from negotiation.engine.errors import GameOver, NotYourTurn
from negotiation.errors import BadFrame, Busy, ReadOnly, UnknownGame
from negotiation.games.frame_socket import encoded
from negotiation.games.log_rows import row_of
from negotiation.games.log_writing import ClaimLost, append_rows
from negotiation.games.position_cache import Position
from negotiation.games.stored_events import to_payload
from negotiation.games.turn_game import SPECTATOR, TurnGame, turn_game
from negotiation.games.viewer_hub import Batch, Key, Want
from negotiation.models import EventRow, Game, SealedRecord

ATTEMPTS = 5
"""How often a writer reads again after another one was faster."""

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
) -> Game:
    """Open a game: draw and seal its seed, write the first events.

    Args:
        kind: which game.
        owner: session key of the person who plays.
        seat: which one that person takes; the first one where it is left out.
        is_public: the replay may be opened by everybody.
        client: key of the address that asks.
        below: gives an unguessable whole number of 0 up to its argument.

    Raises:
        UnknownGame: there is no such kind of game.
        BadFrame: it has no such seat.
    """
    rules = turn_game(kind)
    if seat and seat not in rules.seats:
        raise BadFrame(f"The seats are {', '.join(rules.seats)}.")
    scenario = rules.draw(below(SEEDS))
    state, events = rules.start(scenario)
    game = Game(
        kind=kind,
        owner=owner,
        seat=seat or rules.seats[0],
        client=client,
        title=rules.title,
        policy=kind,
        share_replay=is_public,
        last_seq=len(events),
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
    """Carry out a person's move.

    Args:
        game_id: the game.
        visitor: session key of whoever asks.
        told: the move, as JSON gives it.
        seen: number of the last event the person knew of; None: not checked.

    Returns:
        The number of the log's last event.

    Raises:
        UnknownGame: there is no such game.
        ReadOnly: the visitor only looks on.
        BadFrame: that is no move of this game.
        GameOver, NotYourTurn, IllegalMove: refused; nothing was recorded.
        Busy: other writers were faster too often.
    """
    for _ in range(ATTEMPTS):
        game, rules, position = _current(game_id)
        seat = rules.seat_of(game, visitor)
        if seat == SPECTATOR:
            raise ReadOnly("You look on at this game; only those who sit at the table move.")
        try:
            move = rules.read_move(told)
        except msgspec.ValidationError as wrong:
            raise BadFrame(f"That is no move of this game: {wrong}.") from wrong
        awaited = rules.awaited(position.state)
        if not awaited:
            raise GameOver("The game is over.")
        if seat not in awaited:
            raise NotYourTurn("It is not your turn.")
        if seen is not None and any(rules.move_of(one) for one in position.events[seen:]):
            _check_seen(rules, position, seat, seen)
        try:
            return _append(game, rules, position, seat, move, "")
        except ClaimLost:
            continue
    raise Busy


def opponents_move(game_id: str) -> bool:
    """Let the computer players move that are awaited; safe to call at any time, from anywhere.

    Returns:
        Whether anything was written.
    """
    written = False
    for _ in range(ATTEMPTS):
        game, rules, position = _current(game_id)
        seats = [seat for seat in rules.awaited(position.state) if seat != game.seat]
        if not seats:
            return written
        scenario = rules.scenario_of(game.pk)
        dice = rules.dice(scenario, seats[0], position.seq)
        move = rules.act(position.state, seats[0], dice)
        try:
            _append(game, rules, position, seats[0], move, "rules")
        except ClaimLost:
            continue
        written = True
    return written


class Scene(msgspec.Struct, frozen=True):
    """How a game stands, for all sockets of a process."""

    seq: int
    owner: str
    seat: int
    awaited: tuple[str, ...]
    opponent_is_awaited: bool
    viewers: Mapping[Want, str]
    is_waiting: bool = False

    def seat_of(self, visitor: str) -> int | None:
        """Return the number of a visitor's seat; None for a spectator."""
        return self.seat if visitor and visitor == self.owner else None


def look(
    game_id: str, wants: Collection[Want], known: Mapping[Key, int]
) -> tuple[Scene, dict[Key, Batch]]:
    """Read how a game stands and what its viewers have not been sent; as ``viewer_hub.Look``."""
    game, rules, position = _current(game_id)
    viewers = {want: SPECTATOR if want[0] is None else rules.seats[want[0]] for want in wants}
    batches: dict[Key, Batch] = {}
    for want, seat in viewers.items():
        key = (seat, want[1])
        # As it was seen live, to the last frame: what is opened at the end is for the replay.
        new = rules.visible(position.events, seat, is_over=False, after=known.get(key, 0))
        frames = [{**one, "html": rules.words(one["event"])} if want[1] else one for one in new]
        batches[key] = Batch(tuple((one["seq"], encoded(one)) for one in frames), {})
    awaited = rules.awaited(position.state)
    waits = any(seat != game.seat for seat in awaited)
    place = rules.seats.index(game.seat)
    return Scene(position.seq, game.owner, place, awaited, waits, viewers), batches


def _current(game_id: str) -> tuple[Game, AnyTurnGame, Position[Any, Any]]:
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise UnknownGame
    rules = turn_game(game.kind)
    return game, rules, rules.position_of(game)


def _check_seen(rules: AnyTurnGame, position: Position[Any, Any], seat: str, seen: int) -> None:
    """Refuse a second click: what the seat itself did since is not news to it."""
    for event in position.events[seen:]:
        if (told := rules.move_of(event)) and told[0] == seat:
            raise NotYourTurn("You have moved since you sent that.")


def _append(
    game: Game,
    rules: AnyTurnGame,
    position: Position[Any, Any],
    seat: str,
    move: Any,
    backend: str,
) -> int:
    state, events = rules.apply(position.state, seat, move)
    grown = position.after(state, events)
    rows = [row_of(game, seq, one) for seq, one in enumerate(events, start=position.seq + 1)]
    rows[0].backend = backend
    fields = rules.ending(state)
    append_rows(
        game.pk,
        rows,
        {**fields, "ended_at": timezone.now()} if fields else {},
        ended=bool(fields),
        remember=functools.partial(rules.positions.remember, game.pk, grown),
    )
    return grown.seq
