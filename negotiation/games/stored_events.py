"""Events and scenarios as they are kept: compact JSON, events tagged with their kind."""

from typing import TypeVar

import msgspec

from negotiation.engine.events import Event
from negotiation.models import SealedRecord

Scenario = TypeVar("Scenario", bound=msgspec.Struct)

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def to_payload(event: msgspec.Struct) -> bytes:
    """Write an event, or a scenario, of a game of any kind for the database."""
    return msgspec.json.encode(event)


def from_payload(payload: bytes | memoryview) -> Event:
    """Read an event back (PostgreSQL gives a memoryview, SQLite bytes)."""
    return _decoder.decode(payload)


def kind_of(event: msgspec.Struct) -> str:
    """Name the kind of an event as the log and the wire do."""
    return str(event.__struct_config__.tag)


def stored_scenario(game_id: str, of: type[Scenario]) -> Scenario:
    """Read the scenario that was sealed when a game began, hidden values included."""
    return msgspec.json.decode(bytes(SealedRecord.objects.get(game=game_id).scenario), type=of)
