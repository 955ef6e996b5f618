"""What of a refused file is in order, in plain words: the good beginning of a broken game."""

from typing import Any

import msgspec

from negotiation.errors import SessionError
from replays.player.narration import in_words
from replays.transfer.errors import ImportRefused
from replays.transfer.export import FORMATS

SHOWN = 6
"""Events at the end of the good beginning that are told one by one."""


class Prefix(msgspec.Struct, frozen=True):
    """How far a file is fine: ``fine`` of ``total`` events.

    ``last`` tells the last of them, ``skipped`` counts those that could be told before.
    """

    fine: int
    total: int
    event: int | None
    last: tuple[tuple[int, str], ...]
    skipped: int


class _Events(msgspec.Struct):
    format: str
    events: list[msgspec.Raw]


def good_prefix(body: bytes, wrong: SessionError) -> Prefix | None:
    """Tell how far a refused file is fine; None where it did not come to its events."""
    if not isinstance(wrong, ImportRefused) or not (wrong.fine or wrong.event):
        return None
    # It was read as far as its events, else there were none to count.
    file = msgspec.json.decode(body, type=_Events)
    told = _in_words(file.events[: wrong.fine]) if file.format in FORMATS else []
    last = tuple(told[-SHOWN:])
    skipped = len(told) - len(last)
    return Prefix(wrong.fine, len(file.events), wrong.event, last, skipped)


def _in_words(events: list[msgspec.Raw]) -> list[tuple[int, str]]:
    fine: list[dict[str, Any]] = [msgspec.json.decode(raw) for raw in events]
    currency = fine[0]["item"]["currency"] if fine else "INR"
    return [(event["seq"], in_words(event, currency)) for event in fine if event["kind"] != "tells"]
