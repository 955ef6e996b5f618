"""What a pitch claims, where it says so, and what came of checking it."""

from typing import Literal, get_args

import msgspec

ClaimKind = Literal["deadline", "hours", "reliability", "urgency", "offers", "reputation"]
CLAIM_KINDS: tuple[ClaimKind, ...] = get_args(ClaimKind)
JOB_KINDS: tuple[ClaimKind, ...] = ("deadline", "hours", "reliability", "urgency")
"""Claims about one job; the others are about the lab."""

Manner = Literal[
    "plain", "vague", "hedged", "conditional", "quoted", "negated", "past", "asked", "others"
]
"""How something was said. Only ``plain`` can be held against the state."""

Finding = Literal["true", "false", "repeated", "vague", "set_aside", "unverifiable"]
"""``set_aside``: hedged, conditional, quoted, negated, past or asked: nobody stands by it."""


class Claim(msgspec.Struct, frozen=True):
    """One claim in a pitch.

    Attributes:
        kind: what it is about.
        value: the number that was said: a round counted from 0, GPU-hours, a share 0..1, a factor,
            a count; None where it names none.
        start: place of its first character.
        end: place after its last character.
        manner: how it was said.
        group: claims with the same number were said of one job.
        job: the job that was named for it (empty: none).
        decimals: digits after the point, for claims that may be rounded.
        relative: ``value`` counts rounds from now.
        total: it is meant for all open jobs together.
    """

    kind: ClaimKind
    value: float | None
    start: int
    end: int
    manner: Manner = "plain"
    group: int = 0
    job: str = ""
    decimals: int = 0
    relative: bool = False
    total: bool = False


class Checked(msgspec.Struct, frozen=True):
    """A claim and what was found; ``fact`` names the fact behind a true one (empty: none)."""

    claim: Claim
    finding: Finding
    fact: str = ""
