"""How the seller's turns moved the buyer's estimate of the seller."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Paise, to_paise
from bazaarbatna.bargain.tells import Tells
from negotiation.bargain.web.bubbles import Frame
from negotiation.readers import reader

SHORT = 64
"""Longest piece of a turn's words in characters that the table shows."""


class Moved(msgspec.Struct, frozen=True):
    """The estimate after one turn; values and changes 0..1 as whole percents in words."""

    seq: int
    words: str
    urgency: float
    flexibility: float
    urgency_change: str
    flexibility_change: str


def moved_by(frames: Sequence[Frame]) -> tuple[Moved, ...]:
    """List the buyer's estimate after each turn of the seller that was read, from a whole log."""
    asks: list[Paise] = [to_paise(frames[0]["event"]["price"])]
    found: list[Moved] = []
    for frame in frames[1:]:
        event = frame["event"]
        if event.get("actor") != "seller":
            continue
        if event["kind"] == "offer":
            asks.append(to_paise(event["price"]))
        if event["kind"] == "tells":
            words = _words(frames, event["of_seq"])
            tells = msgspec.convert(event["signals"], Tells)
            belief = reader().belief(tells, tuple(asks), None)
            before = found[-1] if found else None
            found.append(
                Moved(
                    seq=event["of_seq"],
                    words=words,
                    urgency=belief.urgency,
                    flexibility=belief.flexibility,
                    urgency_change=_change(before.urgency if before else None, belief.urgency),
                    flexibility_change=_change(
                        before.flexibility if before else None, belief.flexibility
                    ),
                )
            )
    return tuple(found)


def _words(frames: Sequence[Frame], seq: int) -> str:
    event: dict[str, Any] = frames[seq - 1]["event"] if 0 < seq <= len(frames) else {}
    text = str(event.get("text", "")).strip()
    if not text:
        return gettext("Only a price")
    return text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"


def _change(before: float | None, after: float) -> str:
    if before is None:
        return ""
    points = round(after * 100) - round(before * 100)
    return "" if points == 0 else f"{'+' if points > 0 else '−'}{abs(points)}"
