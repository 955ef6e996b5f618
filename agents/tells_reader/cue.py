"""One row of the reader's tables: words, what they give away, how strongly, and why."""

from collections.abc import Iterable
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


def quiet(signal: SignalName, patterns: str) -> Iterable[tuple[str, Cue]]:
    """Make rows of phrases that only sound like a signal."""
    return rows(signal, QUIET, "", patterns, firm=True)


def rows(
    signal: SignalName,
    strength: float,
    why: str,
    patterns: str,
    *,
    firm: bool = False,
    by_number: bool = False,
) -> Iterable[tuple[str, Cue]]:
    """Make one row for each line of ``patterns``; a backslash joins a line to the next."""
    cue = Cue(signal, strength, why, firm, by_number)
    return [(line.strip(), cue) for line in patterns.strip().splitlines() if line.strip()]
