"""Why the house said what it said: the plan of a turn, kept beside its event and told on demand.

A plan is made of what stands in the open (words, prices, promises), so whoever may read the words
may read the plan, too.
"""

from typing import Any, Literal

import msgspec

from bazaarbatna.bargain.quantities import Paise, to_rupees

MoveName = Literal["open", "concede", "hold", "accept", "leave", "talk"]
Because = Literal["", "promised", "you-moved", "you-stood", "far-apart", "last-round"]


class HeardAct(msgspec.Struct, frozen=True):
    """A dialogue act of the other side's line: code points ``start`` to ``end``, its ``words``."""

    act: str
    start: int
    end: int
    words: str


class Plan(msgspec.Struct, frozen=True):
    """The plan of one turn; ``heard`` is what the other side's line did.

    Attributes:
        speaks_to: which of these acts the words answer, at most two.
        step: by how many paise the own price gave way.
        because: what in the open led to the move; "" where nothing there explains it.
        promises: the words promise a step for a step.
    """

    move: MoveName
    heard: tuple[HeardAct, ...] = ()
    speaks_to: tuple[str, ...] = ()
    step: Paise = Paise(0)
    because: Because = ""
    promises: bool = False
    language: str = ""


def frame_of(stored: dict[str, Any] | None) -> dict[str, Any]:
    """Return a stored plan as the wire has it, prices in rupees; nothing where there is none."""
    if not stored:
        return {}
    plan = msgspec.convert(stored, Plan)
    return {"plan": {**msgspec.to_builtins(plan), "step": to_rupees(plan.step)}}


def stored_from(shown: msgspec.Struct | None) -> dict[str, Any] | None:
    """Return a plan as it is kept, of one as the wire and exported files have it."""
    if shown is None:
        return None
    told = msgspec.to_builtins(shown)
    return {**told, "step": round(100 * told["step"])}
