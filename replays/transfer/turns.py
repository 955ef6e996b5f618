"""The file of a game of turns, ``bazaarbatna.turns/1``, read and played again."""

from typing import Any

import msgspec
from django.utils.translation import gettext

from negotiation.errors import UnknownGame
from negotiation.games.turn_game import turn_game
from replays.transfer import reading
from replays.transfer.reading import Doubtful, Played, UnknownFormat, UnreadableReplay

MOST_EVENTS = 5000


class _Head(msgspec.Struct):
    kind: str
    seat: str
    started_at: str | None = None
    ended_at: str | None = None


class _Line(msgspec.Struct):
    event: msgspec.Raw
    backend: str = ""
    policy_version: str = ""


class _File(msgspec.Struct):
    game: _Head
    scenario: msgspec.Raw
    events: list[msgspec.Raw]


def read_turns(body: bytes) -> Played:
    """Read a file and play its game again, move by move; raises ``ImportRefused``."""
    file = msgspec.json.decode(body, type=_File)
    head = file.game
    try:
        rules = turn_game(head.kind)
    except UnknownGame:
        raise UnknownFormat(
            gettext("Games of %(kind)s are not known here.") % {"kind": repr(head.kind[:40])}
        ) from None
    if head.seat not in rules.seats:
        raise UnreadableReplay(
            gettext("It has one of the seats %(seats)s.") % {"seats": rules.seats}
        )
    scenario = msgspec.json.decode(file.scenario, type=rules.scenario_type)
    state, coming = rules.start(scenario)

    def take(raw: msgspec.Raw, number: int) -> tuple[Any, _Line]:
        nonlocal state, coming
        line = msgspec.json.decode(raw, type=_Line)
        event = rules.event_from(bytes(line.event))
        if not coming:
            move = rules.move_of(event)
            if move is None:
                raise Doubtful(gettext("It does not follow from the moves before it."))
            state, coming = rules.apply(state, *move)
        if event != coming[0]:
            raise Doubtful(gettext("The moves before it lead to another one."))
        coming = coming[1:]
        return event, line

    events, lines = reading.play(file.events, take, MOST_EVENTS)
    ending = rules.ending(state)
    if coming or not ending:
        raise reading.unfinished(len(events))
    row = {
        **ending,
        "kind": head.kind,
        "seat": head.seat,
        "title": rules.title,
        "policy": head.kind,
    }
    content = msgspec.json.encode([head.seat, scenario, events])
    times = reading.FileHead("", head.started_at, head.ended_at)
    return Played(scenario, events, lines, times, row, content)
