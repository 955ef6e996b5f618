"""One row of the reader's tables: words, what they give away, how strongly, and why."""

from typing import Literal

import msgspec

SignalName = Literal["urgency", "deception", "confidence", "condition", "escalation"]


QUIET = -1.0
"""The strength of words that only sound like a signal: "jaldi ki koi baat nahi"."""


class Cue(msgspec.Struct, frozen=True):
    """What a phrase gives away.

    ``strength`` is 0..1: how much of the signal it shows. For *confidence* it is the confidence
    that speaks from it (0.9 firm, 0.2 unsure), for *condition* the state of the goods (1 mint, 0
    junk). A strength of ``QUIET`` shows nothing and keeps shorter phrases inside from speaking.
    ``why`` is one line for the player. ``firm`` phrases hold their own denial ("never opened"), so
    a "no" near them changes nothing; ``by_number`` takes the strength from the percent that the
    phrase holds.
    """

    signal: SignalName
    strength: float
    why: str
    firm: bool = False
    by_number: bool = False
