"""The only writer of what-ifs: a finished game, another move in it, and a child is stored.

A child's id follows from its parent and the move, so the same question asked twice, or by two
people at once, has one answer. Only where somebody keeps that answer private others get their own.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from negotiation.endings import end_of
from negotiation.engine.events import Event
from negotiation.errors import UnknownGame
from negotiation.games.log_rows import as_recorded, row_of
from negotiation.models import EventRow, Game, SealedRecord, id_from
from replays.continuation import Crossroads, Line, Served
from replays.fork_choice import Choice
from replays.fork_difference import Difference, difference
from replays.recorded import record_of_rows

KINDS = ("sell", "buy", "sim")
"""Games of two sides."""


def fork(game: Game, seq: int, choice: Choice, owner: str, *, client: str = "") -> Game:
    """Put another move into a finished game of two sides and keep how it goes on.

    Args:
        game: the finished game; the caller has checked that ``owner`` may open it.
        seq: number of the event that is replaced: an offer, an acceptance or a walk.
        choice: what its mover does instead.
        owner: session key of whoever asks.
        client: key of the address that asks.

    Returns:
        The child, new or as it was stored before.

    Raises:
        UnknownGame: the game has not ended, or is of another kind.
        NoMoveHere: that event is no move.
        IllegalMove, InvalidPrice: the mover could not have made that move.
    """
    if game.status != Game.Status.ENDED or game.kind not in KINDS:
        raise UnknownGame
    rows = list(EventRow.objects.filter(game=game.pk).order_by("seq"))
    at = Crossroads(record_of_rows(game, rows), seq)
    move = choice.move()
    at.check(move)
    name, known = place_of(game, seq, choice, owner)
    if known is not None:
        return known
    line = at.play(move)
    child = new_child(name, game, seq, owner, client, end_of(line.ended))
    return write(child, game, difference(at, move), _rows(child, line, rows))


def place_of(game: Game, seq: int, choice: Choice, owner: str) -> tuple[str, Game | None]:
    """Give the id that a what-if has for a visitor, and what is stored there."""
    name = child_id(game, seq, choice)
    known = Game.objects.filter(pk=name).first()
    if known is None or known.share_replay or known.owner == owner:
        return name, known
    # Asked before by somebody who keeps the answer private: a link to it would lead nowhere.
    name = child_id(game, seq, choice, owner)
    return name, Game.objects.filter(pk=name).first()


def child_id(game: Game, seq: int, choice: Choice, owner: str = "") -> str:
    """Name the child that a move makes of a game: 12 characters, as every game has.

    With an ``owner`` it is one that this visitor alone asks for.
    """
    named = f"{game.pk}/{seq}/{choice.action}/{choice.price or ''}"
    if owner:
        named += f"/{owner}"
    return id_from(hashlib.sha256(named.encode()).digest()[:16])


def new_child(
    name: str, game: Game, seq: int, owner: str, client: str, end: Mapping[str, Any]
) -> Game:
    """Make the row of a child that ended as the fields ``end`` say."""
    return Game(
        **end,
        id=name,
        kind=game.kind,
        owner=owner,
        seat=game.seat,
        client=client,
        listing=game.listing,
        title=game.title,
        category=game.category,
        description=game.description,
        policy=game.policy,
        policy_version=game.policy_version,
        share_replay=game.share_replay,
        source=Game.Source.WHAT_IF,
        suite=game.suite,
        persona=game.persona,
        parent=game,
        forked_at_seq=seq,
        ended_at=timezone.now(),
    )


def write(child: Game, parent: Game, found: Difference, rows: Sequence[EventRow]) -> Game:
    """Store a child with its log in one transaction; whoever comes second gets the first one."""
    child.difference = msgspec.to_builtins(found)
    child.last_seq = len(rows)
    try:
        with transaction.atomic():
            # Holds the parent: it may have been made private while the child was played.
            held = Game.objects.select_for_update().only("share_replay").get(pk=parent.pk)
            child.share_replay = held.share_replay
            child.save(force_insert=True)
            sealed = bytes(parent.sealed.scenario)
            SealedRecord.objects.create(game=child, scenario=sealed)
            EventRow.objects.bulk_create(rows)
    except IntegrityError:
        # Somebody else has just asked the same.
        return Game.objects.get(pk=child.pk)
    return child


def _rows(child: Game, line: Line, recorded: Sequence[EventRow]) -> list[EventRow]:
    events = zip(line.events, line.served, strict=True)
    return [
        _row(child, seq, event, served, recorded)
        for seq, (event, served) in enumerate(events, start=1)
    ]


def _row(
    child: Game, seq: int, event: Event, served: Served, recorded: Sequence[EventRow]
) -> EventRow:
    row = row_of(child, seq, event)
    if served.recorded is not None:
        return as_recorded(row, recorded[served.recorded - 1])
    row.backend, row.policy_version = served.backend, served.version
    return row
