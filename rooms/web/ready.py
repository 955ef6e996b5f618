"""Ready-made rooms: a plan and a page for whoever leads it, one table of a file for each."""

import functools
import tomllib
from pathlib import Path

import msgspec

from rooms.plan import Plan


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room to open with one press; ``minutes`` with its debrief."""

    key: str
    name: str
    about: str
    teaches: str
    minutes: int
    lead: tuple[str, ...]
    questions: tuple[str, str, str, str]
    plan: Plan


@functools.cache
def ready_rooms() -> dict[str, Ready]:
    """Return them by key, in the order of the file."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {key: msgspec.convert({"key": key, **table}, Ready) for key, table in tables.items()}
