"""The only writer of what-ifs: a finished game, another move in it, and a child is stored.

A child's id follows from its parent and the move, so the same question asked twice, or by two
people at once, has one answer. Only where somebody keeps that answer private others get their own.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from bazaarbatna.intervals import paired_interval
from negotiation.errors import UnknownGame
from negotiation.games.event_log import as_recorded, row_of
from negotiation.games.game import Choice, Crossroads, Difference, Line, game_of
from negotiation.models import EventRow, Game, SealedRecord, id_from


def fork(
    game: Game, seq: int, choice: Any, owner: str, *, client: str = "", pairs: int | None = None
) -> Game:
    """Put another move into a finished game and return the child, new or as it was stored before.

    ``seq`` numbers the event that is replaced; the caller has checked that ``owner``, a session
    key, may open the game. A choice that is no ``Choice`` has no name: each asking makes a child of
    its own. ``pairs`` continuations are compared; None: as many as suit the game.

    Raises:
        UnknownGame: the game has not ended, or is of an unknown kind.
        NoMoveHere: that event is no move.
        IllegalMove, InvalidPrice: the mover could not have made that move.
    """
    at, rows = _position(game, seq)
    move = at.move_of(choice)
    at.check(move)
    child = _child(game, seq, owner, client)
    if isinstance(choice, Choice):
        child.pk, known = _place(game, seq, choice, owner)
        if known is not None:
            return known
    line = at.typical(move)
    for name, value in line.fields.items():
        setattr(child, name, value)
    child.difference = at.to_stored(difference(at, move, pairs), line)
    return _write(child, game, line, rows, at, owner)


def is_made(game: Game, seq: int, choice: Any) -> bool:
    """Whether a choice is what was done in a finished game; errors as for ``fork``."""
    at, _ = _position(game, seq)
    return at.is_made(at.move_of(choice))


def difference(at: Crossroads[Any], move: Any, pairs: int | None = None) -> Difference:
    """Compare a legal move with the one that was made; ``pairs`` None: as many as suit the game."""
    pairs = pairs or at.pairs
    if at.is_made(move):
        return Difference(at.side, 0.0, 0.0, 0.0, pairs)
    gains, own = at.gains(move, pairs)
    found = paired_interval(gains, at.seed)
    mean, low, high = (round(one, at.digits) for one in (found.mean, found.low, found.high))
    if not own:
        return Difference(at.side, mean, low, high, pairs)
    tried = paired_interval([was + more for was, more in zip(own, gains, strict=True)], at.seed)
    bounds = round(tried.low, 6), round(tried.high, 6)
    return Difference(at.side, mean, low, high, pairs, round(sum(own) / pairs, 6), bounds)


def _position(game: Game, seq: int) -> tuple[Crossroads[Any], list[EventRow]]:
    if game.status != Game.Status.ENDED:
        raise UnknownGame
    rows = list(EventRow.objects.filter(game=game.pk).order_by("seq"))
    return game_of(game.kind).crossroads(game, rows, seq), rows


def _place(game: Game, seq: int, choice: Choice, owner: str) -> tuple[str, Game | None]:
    name = f"{game.pk}/{seq}/{choice.name}"
    known = Game.objects.filter(pk=_id_of(name)).first()
    if known is None or known.share_replay or known.owner == owner:
        return _id_of(name), known
    # Asked before by somebody who keeps the answer private: a link to it would lead nowhere.
    own = _id_of(f"{name}/{owner}")
    return own, Game.objects.filter(pk=own).first()


def _id_of(name: str) -> str:
    return id_from(hashlib.sha256(name.encode()).digest()[:16])


def _child(game: Game, seq: int, owner: str, client: str) -> Game:
    return Game(
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
        source=Game.Source.WHAT_IF,
        suite=game.suite,
        persona=game.persona,
        terms=game.terms,
        words_by=game.words_by,
        parent=game,
        forked_at_seq=seq,
    )


def _write(
    child: Game,
    parent: Game,
    line: Line[Any],
    recorded: Sequence[EventRow],
    at: Crossroads[Any],
    owner: str,
) -> Game:
    """Store a child with its log in one transaction; whoever comes second gets the first one."""
    rows = _rows(child, line, recorded)
    child.last_seq, child.ended_at = len(rows), timezone.now()
    try:
        with transaction.atomic():
            # Holds the parent: it may have been made private while the child was played.
            held = Game.objects.select_for_update().only("share_replay").get(pk=parent.pk)
            child.share_replay = held.share_replay
            child.save(force_insert=True)
            at.store(child, owner)
            SealedRecord.objects.create(game=child, scenario=bytes(parent.sealed.scenario))
            EventRow.objects.bulk_create(rows)
    except IntegrityError:
        # Somebody else has just asked the same.
        return Game.objects.get(pk=child.pk)
    return child


def _rows(child: Game, line: Line[Any], recorded: Sequence[EventRow]) -> list[EventRow]:
    made = []
    for seq, (event, served) in enumerate(zip(line.events, line.served, strict=True), start=1):
        row = row_of(child, seq, event)
        if served.recorded is None:
            row.backend, row.policy_version = served.backend, served.version
        else:
            as_recorded(row, recorded[served.recorded - 1])
        made.append(row)
    return made
