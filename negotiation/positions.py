"""Where each game of two sides stands."""

import msgspec

from negotiation.engine.episode import State, fold
from negotiation.engine.events import Event
from negotiation.engine.scenario import Scenario
from negotiation.games import position_cache
from negotiation.games.stored_events import from_payload
from negotiation.models import SealedRecord

KEPT = 2000
"""Positions kept in one process; a live game takes some 20 kB."""

Position = position_cache.Position[State, Event]


def _restore(game_id: str, known: State | None, events: tuple[Event, ...]) -> State:
    return fold(known.scenario if known else _scenario(game_id), events)


def _scenario(game_id: str) -> Scenario:
    record = SealedRecord.objects.get(game=game_id)
    return msgspec.json.decode(bytes(record.scenario), type=Scenario)


keeper = position_cache.Keeper(KEPT, from_payload, _restore)
position_of = keeper.position_of
remember = keeper.remember
