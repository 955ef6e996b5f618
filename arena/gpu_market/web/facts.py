"""What is fixed about a match, beside its log: the world, and who plays which lab."""

import msgspec

from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.judging import JudgedRound
from arena.gpu_market.twins.seats import ARCHETYPE, PERSON

__all__ = ["ARCHETYPE", "PERSON", "Facts"]


class Facts(msgspec.Struct, frozen=True):
    """A match before its first event.

    Attributes:
        scenario: the world, sealed values included.
        seats: who plays each lab: ``person``, ``archetype``, or the name of a policy.
        match_id: under which the match is stored ("" for one that is not).
        judge: who hears pitches: ``off``, ``rule`` or ``model``.
        hearings: its judged rounds so far. They hold what only the judge may know.
    """

    scenario: MarketScenario
    seats: tuple[str, ...]
    match_id: str = ""
    judge: str = "off"
    hearings: tuple[JudgedRound, ...] = ()

    @property
    def has_people(self) -> bool:
        """A person plays, so that a spectator's screen must tell nothing a lab may not know."""
        return PERSON in self.seats

    @property
    def people(self) -> tuple[int, ...]:
        """The labs that persons play."""
        return tuple(lab for lab, who in enumerate(self.seats) if who == PERSON)
