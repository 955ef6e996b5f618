"""What a lab's claims are held against: its own part of the position, and nothing of the others."""

import msgspec

from arena.gpu_market.engine.jobs import Job
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.quantities import LAB_IDS, LabId
from arena.gpu_market.engine.state import State
from arena.gpu_market.judging.clauses import Speaker


class Facts(msgspec.Struct, frozen=True):
    """A lab as its judge may know it.

    Attributes:
        lab: whose facts they are.
        round: the current round, from 0.
        jobs: its open jobs, in order.
        reputation: 0..1.
        offers: how many it has made so far, answered or not.
        speaker: the names by which it and others are meant in its pitch.
    """

    lab: LabId
    round: int
    jobs: tuple[Job, ...]
    reputation: float
    offers: int
    speaker: Speaker


def facts_of(state: State, lab: int) -> Facts:
    """Take a lab's facts out of a position."""
    me = LAB_IDS[lab]
    names = tuple((card.id, card.name) for card in state.scenario.labs)
    return Facts(
        me,
        state.round,
        tuple(job for job in state.jobs[lab] if not job.done),
        state.reputations[lab],
        sum(offer.sender == me for offer in state.offers),
        _speaker(me, names),
    )


def facts_seen(seen: Observation) -> Facts:
    """Take the same facts out of the lab's own view, for those who write its pitches."""
    names = tuple((lab.id, lab.name) for lab in seen.labs)
    return Facts(
        seen.lab,
        seen.round,
        tuple(job for job in seen.jobs if not job.done),
        next(lab.reputation for lab in seen.labs if lab.id == seen.lab),
        sum(offer.sender == seen.lab for offer in seen.offers),
        _speaker(seen.lab, names),
    )


def _speaker(me: LabId, labs: tuple[tuple[LabId, str], ...]) -> Speaker:
    own = next(lab for lab in labs if lab[0] == me)
    return Speaker(own, tuple(name for lab in labs if lab[0] != me for name in lab))
