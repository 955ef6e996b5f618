"""From checked claims to a lab's score, a table of parts, and from scores to its bonus."""

from collections.abc import Collection, Iterable

import msgspec

from bazaarbatna.market.archetypes import SOON
from bazaarbatna.market.blocks import Job
from bazaarbatna.market.judging.claims import JOB_KINDS, Checked, Claim, Finding, Speaker
from bazaarbatna.market.judging.reading import count_vague, read_claims
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


DEADLINE, REPUTATION, RELIABILITY = 0.30, 0.15, 0.15
"""The most that each standing can bring, where the pitch gives a true number for it."""
PER_CLAIM, EVIDENCE = 0.07, 0.35
"""A true claim, and all of them together."""
PER_LIE = 0.12
"""A false claim costs more than a true one brings."""
VAGUENESS = 0.08
LEAST_RELIABILITY, MOST_RELIABILITY = 0.70, 0.90
"""The least and the most that a job may ask for."""


class Card(msgspec.Struct, frozen=True):
    """A lab's score in one hearing, by its parts. ``PARTS`` add up to ``raw``.

    Attributes:
        lab: who spoke.
        deadline: 0..0.30, for the nearest deadline that it proved.
        reputation: 0..0.15, once anything it said is true.
        reliability: 0..0.15, for the highest reliability that it proved to need.
        evidence: 0..0.35.
        vagueness: -0.08..0, for big words without numbers.
        falsehood: 0 or less.
        opinion: what a model added or took; 0 where the rule alone judged.
        raw: the sum.
        score: the sum within 0..1.
        proved: how many claims were true and new.
        lies: how many were false.
    """

    lab: LabId
    deadline: float = 0.0
    reputation: float = 0.0
    reliability: float = 0.0
    evidence: float = 0.0
    vagueness: float = 0.0
    falsehood: float = 0.0
    opinion: float = 0.0
    raw: float = 0.0
    score: float = 0.0
    proved: int = 0
    lies: int = 0


PARTS = ("deadline", "reputation", "reliability", "evidence", "vagueness", "falsehood", "opinion")


def judge_words(
    text: str, facts: Facts, known: frozenset[str] = frozenset()
) -> tuple[tuple[Checked, ...], Card]:
    """Read a pitch, check it and score it; ``known`` are facts from the lab's earlier hearings."""
    claims = read_claims(text, facts.speaker)
    checked = check(claims, facts, known)
    return checked, score(text, checked, facts)


def score(text: str, checked: tuple[Checked, ...], facts: Facts) -> Card:
    """Add up the parts of a lab's score."""
    if not text.strip():
        return Card(facts.lab)
    true = [one for one in checked if one.finding == "true"]
    false = [one for one in checked if one.finding == "false"]
    forfeited = {one.claim.kind for one in false}
    vague = count_vague(text, tuple(one.claim for one in checked))
    vague += sum(one.finding in ("vague", "repeated") for one in checked)
    counted = len(true) + len(false)
    near = hard = 0.0
    for one in true:
        job = job_behind(one.fact, facts)
        if job is not None and one.claim.kind == "deadline":
            near = max(near, nearness(job.deadline - facts.round))
        elif job is not None and one.claim.kind == "reliability":
            hard = max(hard, hardness(job.min_reliability))
    parts = {
        "deadline": DEADLINE * near * ("deadline" not in forfeited),
        "reputation": REPUTATION * facts.reputation * bool(true) * ("reputation" not in forfeited),
        "reliability": RELIABILITY * hard * ("reliability" not in forfeited),
        "evidence": min(PER_CLAIM * len(true), EVIDENCE),
        "vagueness": -VAGUENESS * (vague / (vague + counted) if counted else 1.0),
        "falsehood": -PER_LIE * len(false),
    }
    # Rounded, so that parts add up as they are shown; adding 0.0 makes -0.0 a plain zero.
    parts = {name: round(part, 4) + 0.0 for name, part in parts.items()}
    raw = round(sum(parts.values()), 4)
    return Card(
        facts.lab,
        **parts,
        raw=raw,
        score=min(max(raw, 0.0), 1.0),
        proved=len(true),
        lies=len(false),
    )


def nearness(rounds_left: int) -> float:
    """Return how pressing a deadline is, 0..1; one that has been missed presses no more.

    >>> nearness(2), nearness(4), nearness(-1)
    (1.0, 0.5, 0.0)
    """
    return SOON / max(SOON, rounds_left) if rounds_left >= 0 else 0.0


def hardness(min_reliability: float) -> float:
    """Return how demanding a job is, 0..1.

    >>> round(hardness(0.8), 2)
    0.5
    """
    width = MOST_RELIABILITY - LEAST_RELIABILITY
    return min(max((min_reliability - LEAST_RELIABILITY) / width, 0.0), 1.0)


LEAST, MOST = -0.08, 0.18  # of one hearing
MOST_OF_EPISODE = 0.18
"""All hearings of an episode together bring a lab no more than the best single one could."""
MARGIN_SCALE = 5


def margin(cards: Iterable[Card], lab: LabId) -> float:
    """Return a lab's lead over the best of the others who said nothing false.

    A lab that said something false leads nobody: its margin is never above the price of its lies.
    """
    own = Card(lab)
    best = 0.0
    for card in cards:
        if card.lab == lab:
            own = card
        elif not card.lies:
            best = max(best, card.score)
    lead = own.raw - best
    return min(lead, -PER_LIE * own.lies) if own.lies else lead


def bonus(lead: float, so_far: float = 0.0) -> float:
    """Turn a margin into a bonus; ``so_far`` is what the lab's earlier hearings brought.

    >>> bonus(0.5), bonus(-1.0), round(bonus(0.5, so_far=0.15), 2)
    (0.1, -0.08, 0.03)
    """
    once = min(max(lead / MARGIN_SCALE, LEAST), MOST)
    return round(min(once, MOST_OF_EPISODE - so_far), 6)
