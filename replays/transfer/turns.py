"""Games of turns as files: written, and read back by playing them again."""

from importlib.metadata import version
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from negotiation.engine.errors import BrokenLog
from negotiation.errors import UnknownGame
from negotiation.games.log_rows import as_recorded, row_of
from negotiation.games.stored_events import to_payload
from negotiation.games.turn_game import turn_game
from negotiation.models import EventRow, Game, SealedRecord
from replays.transfer.errors import NoGame, UnknownFormat, UnreadableReplay
from replays.transfer.keeping import id_of, time_of

FORMAT = "bazaarbatna.turns/1"
MOST_EVENTS = 5000


class TurnHead(msgspec.Struct, frozen=True):
    """What is known of a game besides its events."""

    kind: str
    seat: str
    started_at: str | None = None
    ended_at: str | None = None


class TurnEvent(msgspec.Struct, frozen=True):
    """One event, and who served it."""

    event: msgspec.Raw
    backend: str = ""
    policy_version: str = ""


class TurnFile(msgspec.Struct, frozen=True):
    """A whole game: the scenario and every event of its log."""

    game: TurnHead
    scenario: msgspec.Raw
    events: list[TurnEvent]


def turn_document(game: Game) -> dict[str, Any]:
    """Return a finished game of turns as builtins in a fixed order; never its owner."""
    rules = turn_game(game.kind)
    rows = EventRow.objects.filter(game=game.pk).order_by("seq")
    return {
        "format": FORMAT,
        "game": {
            "kind": game.kind,
            "seat": game.seat,
            "outcome": game.outcome,
            "started_at": game.created_at.isoformat(),
            "ended_at": game.ended_at.isoformat() if game.ended_at else None,
        },
        "versions": {"site": version("bazaarbatna")},
        "scenario": msgspec.to_builtins(rules.scenario_of(game.pk)),
        "events": [
            {
                "event": msgspec.json.decode(bytes(row.payload)),
                "backend": row.backend,
                "policy_version": row.policy_version,
            }
            for row in rows
        ],
    }


def import_turns(owner: str, body: bytes) -> tuple[Game, bool]:
    """Keep an exported game of turns as a private replay of a visitor.

    Returns:
        The replay, and whether it is new.

    Raises:
        ImportRefused: with what is wrong; nothing was stored.
    """
    file = msgspec.json.decode(body, type=TurnFile)
    try:
        rules = turn_game(file.game.kind)
    except UnknownGame:
        raise UnknownFormat(f"Games of {file.game.kind[:40]!r} are not known here.") from None
    if file.game.seat not in rules.seats or len(file.events) > MOST_EVENTS:
        raise UnreadableReplay(f"It has one of the seats {rules.seats}, and few enough events.")
    scenario = msgspec.json.decode(file.scenario, type=rules.scenario_type)
    events = tuple(rules.event_from(bytes(one.event)) for one in file.events)
    try:
        state = rules.fold(scenario, events)
    except BrokenLog as wrong:
        raise NoGame(str(wrong)) from wrong
    ending = rules.ending(state)
    if not ending:
        raise NoGame("The game does not end: its last events are missing.", fine=len(events))
    pk = id_of(owner, msgspec.json.encode([file.game.seat, scenario, events]))
    if (known := Game.objects.filter(pk=pk).first()) is not None:
        return known, False
    game = Game(
        **ending,
        id=pk,
        kind=file.game.kind,
        owner=owner,
        seat=file.game.seat,
        title=rules.title,
        policy=file.game.kind,
        source=Game.Source.IMPORT,
        last_seq=len(events),
        ended_at=time_of(file.game.ended_at) or timezone.now(),
    )
    try:
        with transaction.atomic():
            game.save(force_insert=True)
            started = time_of(file.game.started_at) or game.ended_at
            Game.objects.filter(pk=pk).update(created_at=started)
            SealedRecord.objects.create(game=game, scenario=to_payload(scenario))
            EventRow.objects.bulk_create(
                as_recorded(row_of(game, seq, event), told)
                for seq, (event, told) in enumerate(zip(events, file.events, strict=True), start=1)
            )
    except IntegrityError:
        return Game.objects.get(pk=pk), False
    return game, True
