"""What a hearing shows to one lab, or to spectators: all words and scores, nobody else's checks.

Whether another lab's claim is true would tell of its jobs, and so would the parts of its score.
"""

import msgspec

from arena.gpu_market.engine.quantities import LabId
from arena.gpu_market.judging.cards import Card
from arena.gpu_market.judging.claims import Checked
from arena.gpu_market.judging.hearing import Heard, Hearing


class LabHeard(msgspec.Struct, frozen=True):
    """A lab in a hearing as somebody sees it; ``claims`` and ``card`` only of the own lab."""

    lab: LabId
    name: str
    text: str
    score: float
    claims: tuple[Checked, ...] = ()
    card: Card | None = None


class HearingSeen(msgspec.Struct, frozen=True):
    """A hearing as somebody sees it."""

    round: int
    labs: tuple[LabHeard, ...]
    winner: LabId
    reason: str
    judge: str


def seen(hearing: Hearing, by: LabId = "") -> HearingSeen:
    """Show a hearing while the episode goes on.

    Args:
        hearing: any.
        by: the lab that looks (empty: a spectator).
    """
    labs = tuple(_lab(one, is_own=one.lab == by) for one in hearing.labs)
    return HearingSeen(hearing.round, labs, hearing.winner, hearing.reason, hearing.judge)


def _lab(one: Heard, *, is_own: bool) -> LabHeard:
    if is_own:
        return LabHeard(one.lab, one.name, one.text, one.card.score, one.claims, one.card)
    return LabHeard(one.lab, one.name, one.text, one.card.score)
