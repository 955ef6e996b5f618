"""Events as they are kept: compact JSON, tagged with their kind."""

import msgspec

from negotiation.engine.events import Event

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
