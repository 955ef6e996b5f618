"""Events and scenarios of matches as they are kept: compact JSON, events tagged with their kind."""

import msgspec

from arena.engine.events import ArenaEvent
from arena.engine.scenario import ArenaScenario

_event_decoder: msgspec.json.Decoder[ArenaEvent] = msgspec.json.Decoder(ArenaEvent)
_scenario_decoder: msgspec.json.Decoder[ArenaScenario] = msgspec.json.Decoder(ArenaScenario)


def to_payload(event: ArenaEvent | ArenaScenario) -> bytes:
    """Write an event or a scenario for the database."""
    return msgspec.json.encode(event)


def event_from(payload: bytes | memoryview) -> ArenaEvent:
    """Read an event back (PostgreSQL gives a memoryview, SQLite bytes)."""
    return _event_decoder.decode(payload)


def scenario_from(payload: bytes | memoryview) -> ArenaScenario:
    """Read a scenario back, hidden values included."""
    return _scenario_decoder.decode(payload)


def kind_of(event: ArenaEvent) -> str:
    """Name the kind of an event as the log and the wire do."""
    return str(event.__struct_config__.tag)
