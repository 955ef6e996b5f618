"""Events and scenarios of matches as they are kept: compact JSON, events tagged with their kind."""

import msgspec

from arena.auction.engine.events import ArenaEvent
from arena.auction.engine.scenario import ArenaScenario
from negotiation.games.stored_events import kind_of as kind_of
from negotiation.games.stored_events import to_payload as to_payload

_event_decoder: msgspec.json.Decoder[ArenaEvent] = msgspec.json.Decoder(ArenaEvent)
_scenario_decoder: msgspec.json.Decoder[ArenaScenario] = msgspec.json.Decoder(ArenaScenario)


def event_from(payload: bytes | memoryview) -> ArenaEvent:
    """Read an event back (PostgreSQL gives a memoryview, SQLite bytes)."""
    return _event_decoder.decode(payload)


def scenario_from(payload: bytes | memoryview) -> ArenaScenario:
    """Read a scenario back, hidden values included."""
    return _scenario_decoder.decode(payload)
