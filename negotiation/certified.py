"""The honesty certificate of the house as a page shows it."""

from typing import Any

import msgspec

from negotiation.seats import Seat


class Checked(msgspec.Struct, frozen=True):
    """One promise: how often it was broken among how many things that were looked at."""

    words: str
    kept: bool


def checked(certificate: dict[str, Any] | None, seat: Seat) -> tuple[Checked, ...]:
    """List the promises of a stored certificate in words; empty without one."""
    return ()
