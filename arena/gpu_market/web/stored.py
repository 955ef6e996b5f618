"""Events and scenarios of markets as they are kept, and where each match stands."""

from typing import Any

import msgspec

from arena.gpu_market.engine import MarketEvent, MarketScenario, State, fold
from negotiation.games import position_cache
from negotiation.models import SealedRecord

KEPT = 300
"""Positions kept in one process."""

Position = position_cache.Position[State, MarketEvent]

_events: msgspec.json.Decoder[Any] = msgspec.json.Decoder(MarketEvent)
_scenarios: msgspec.json.Decoder[MarketScenario] = msgspec.json.Decoder(MarketScenario)


def event_from(payload: bytes | memoryview) -> MarketEvent:
    """Read an event back (PostgreSQL gives a memoryview, SQLite bytes)."""
    event: MarketEvent = _events.decode(payload)
    return event


def stored_scenario(game_id: str) -> MarketScenario:
    """Read the scenario of a match, hidden values included."""
    return _scenarios.decode(SealedRecord.objects.get(game=game_id).scenario)


def _restore(game_id: str, known: State | None, events: tuple[MarketEvent, ...]) -> State:
    return fold(known.scenario if known else stored_scenario(game_id), events)


keeper = position_cache.Keeper(KEPT, event_from, _restore)
position_of = keeper.position_of
remember = keeper.remember
