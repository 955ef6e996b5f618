"""Hold the claims of a pitch against the state: true, false, said before, or not to be counted.

``Facts`` are a lab's own part of the position, and nothing of the others.
"""

from collections.abc import Collection

import msgspec

from bazaarbatna.market.blocks import Job
from bazaarbatna.market.judging.claims import JOB_KINDS, Checked, Claim, Finding, Speaker
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.quantities import LAB_IDS, LabId
from bazaarbatna.market.state import State


class Facts(msgspec.Struct, frozen=True):
    """A lab as its judge may know it.

    ``round`` counts from 0, ``jobs`` are the open ones, ``reputation`` is 0..1, ``offers`` counts
    those made so far, answered or not.
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


SHARE_TOLERANCE = 0.005
"""Reliability and reputation are said to the hundredth."""

_NOT_COUNTED: dict[str, Finding] = {
    "vague": "vague",
    "others": "unverifiable",
    "hedged": "set_aside",
    "conditional": "set_aside",
    "quoted": "set_aside",
    "negated": "set_aside",
    "past": "set_aside",
    "asked": "set_aside",
}


def check(
    claims: tuple[Claim, ...], facts: Facts, known: Collection[str] = ()
) -> tuple[Checked, ...]:
    """Check the claims of one pitch in their order; ``known`` facts count once."""
    plain = [claim for claim in claims if claim.manner == "plain"]
    meant = {group: _job_meant(plain, group, facts, known) for group in {c.group for c in plain}}
    told, lies = set(known), set[tuple[str, float | None, str]]()
    found = []
    for claim in claims:
        if claim.manner != "plain":
            found.append(Checked(claim, _NOT_COUNTED[claim.manner]))
            continue
        if claim.job and claim.kind in JOB_KINDS and not _is_own(claim.job, facts):
            found.append(Checked(claim, "unverifiable"))
            continue
        fact = _fact(claim, meant[claim.group], facts)
        lie = (claim.kind, claim.value, claim.job)
        finding: Finding = "true" if fact else "false"
        if fact in told or (not fact and lie in lies):
            finding = "repeated"
        found.append(Checked(claim, finding, fact))
        if fact:
            told.add(fact)
        else:
            lies.add(lie)
    return tuple(found)


def job_behind(fact: str, facts: Facts) -> Job | None:
    """Find the open job that a fact is about; None for facts about the lab."""
    name = fact.partition(":")[2]
    return next((job for job in facts.jobs if job.id == name), None)


def _is_sum(claim: Claim, facts: Facts) -> bool:
    """A total of one job is that job's claim, not a second one."""
    return claim.total and not claim.job and len(facts.jobs) > 1


def _is_own(job: str, facts: Facts) -> bool:
    return job.startswith(f"job_{facts.lab.removeprefix('lab_')}_")


def _job_meant(claims: list[Claim], group: int, facts: Facts, known: Collection[str]) -> Job | None:
    of_group = [
        one
        for one in claims
        if one.group == group and one.kind in JOB_KINDS and not _is_sum(one, facts)
    ]
    if not of_group:
        return None
    if named := of_group[0].job:
        return next((job for job in facts.jobs if job.id == named), None)

    def fits(job: Job) -> tuple[int, int]:
        true = [one for one in of_group if _is_true_of(one, job, facts.round)]
        fresh = [one for one in true if f"{one.kind}:{job.id}" not in known]
        return len(true), len(fresh)

    return max(facts.jobs, key=fits, default=None)


def _fact(claim: Claim, job: Job | None, facts: Facts) -> str:
    if claim.value is None:
        return ""
    if claim.kind == "offers":
        return "offers" if claim.value == facts.offers > 0 else ""
    if claim.kind == "reputation":
        near = abs(claim.value - facts.reputation) <= SHARE_TOLERANCE + 1e-9
        return "reputation" if near else ""
    if _is_sum(claim, facts) and claim.value == sum(one.hours for one in facts.jobs):
        return "hours:all"
    if job is None or not _is_true_of(claim, job, facts.round):
        return ""
    return f"{claim.kind}:{job.id}"


def _is_true_of(claim: Claim, job: Job, round_: int) -> bool:
    value = claim.value if claim.value is not None else -1.0
    if claim.kind == "deadline":
        return value + (round_ if claim.relative else 0) == job.deadline
    if claim.kind == "hours":
        return value == job.hours
    if claim.kind == "reliability":
        return abs(value - job.min_reliability) <= SHARE_TOLERANCE + 1e-9
    # One digit after the point is the least that says something about a factor of 1.0 to 1.9.
    return claim.decimals > 0 and abs(value - job.urgency) <= 0.5 * 10**-claim.decimals + 1e-9
