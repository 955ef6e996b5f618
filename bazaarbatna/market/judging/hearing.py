"""A hearing: labs pitch, honestly or as their archetype does, and a frozen judge scores them all.

A scripted lab speaks of one open job in each hearing, the one due first that it has not spoken of;
who has nothing new to say says so. Same facts, same words.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from bazaarbatna.market.actions import WAIT, MarketAction
from bazaarbatna.market.blocks import Job
from bazaarbatna.market.errors import BrokenLog
from bazaarbatna.market.judging.cards import (
    Card,
    Facts,
    check,
    facts_of,
    facts_seen,
    judge_words,
    margin,
)
from bazaarbatna.market.judging.claims import CLAIM_KINDS, Checked, Speaker
from bazaarbatna.market.judging.reading import read_claims
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.quantities import LAB_IDS, LabId
from bazaarbatna.market.scenario import Archetype
from bazaarbatna.market.state import State

NOTHING_NEW = "We stand by what we have said."
MOST_CLAIMED_HOURS = 12
"""A deceptive lab adds to its hours up to here."""


def next_job(facts: Facts, known: Collection[str]) -> Job | None:
    """Find the open job due first, in their order, of which a lab has proved nothing yet."""
    spoken = {fact.partition(":")[2] for fact in known}
    fresh = [job for job in facts.jobs if job.id not in spoken]
    return min(fresh, key=lambda job: job.deadline, default=None)


def honest_pitch(facts: Facts, known: Collection[str] = ()) -> str:
    """Say everything about the next job that can be checked."""
    job = next_job(facts, known)
    if job is None:
        return NOTHING_NEW
    parts = [
        f"We need {job.hours} GPU-hours, due in round {job.deadline}, "
        f"at a reliability of at least {job.min_reliability:.2f}.",
        f"Its urgency is {job.urgency:.2f}.",
    ]
    if "reputation" not in known:
        parts.append(f"Our reputation is {facts.reputation:.2f}.")
    return " ".join(parts)


def scripted_pitch(archetype: Archetype, facts: Facts, known: Collection[str] = ()) -> str:
    """Write the pitch of a lab's archetype; only ``deceptive`` says what is not so."""
    if archetype == "cooperative":
        return honest_pitch(facts, known)
    job = next_job(facts, known)
    if archetype == "deceptive":
        return _overclaim(facts, job)
    if job is None:
        return NOTHING_NEW
    if archetype == "selfish":
        return f"We need {job.hours} GPU-hours. Our work is the most important."
    if archetype == "deadline_panicked":
        return (
            f"Please, this is urgent! Our deadline is round {job.deadline}, "
            f"urgency {job.urgency:.2f}! We are desperate!"
        )
    return (
        f"We need {job.hours} GPU-hours at a reliability of at least {job.min_reliability:.2f}. "
        "We remember who does not share."
    )


def _overclaim(facts: Facts, job: Job | None) -> str:
    hours = min(2 * (job.hours if job else 2), MOST_CLAIMED_HOURS)
    while any(one.hours == hours for one in facts.jobs):
        hours += 1
    due = facts.round + 1
    while any(one.deadline == due for one in facts.jobs):
        due += 1
    return (
        f"We need {hours} GPU-hours, due in round {due}, at a reliability of at least 0.97. "
        f"Our reputation is {facts.reputation:.2f}."
    )


NOBODY_NAMED = Speaker((), ())


def pitch_every_round(seen: Observation) -> MarketAction:
    """Pitch the truth in every turn and do no work; repeat oneself when all has been said."""
    return MarketAction("make_pitch", message=_next_pitch(seen))


def pitch_when_idle(seen: Observation) -> MarketAction:
    """Pitch what has not been said yet, and wait when all has."""
    text = _next_pitch(seen)
    return WAIT if text == NOTHING_NEW else MarketAction("make_pitch", message=text)


def _next_pitch(seen: Observation) -> str:
    facts = facts_seen(seen)
    return honest_pitch(facts, _spoken_of(seen, facts))


def _spoken_of(seen: Observation, facts: Facts) -> frozenset[str]:
    """Find what this lab has brought up, by its own words that it still remembers.

    They name nobody: were they read with the labs' ids, one called "need" would change them.
    """
    own = [said.text for said in seen.messages if said.lab == seen.lab and said.speech != "message"]
    found = {"reputation"} if own else set()
    for text in own:
        found |= {one.fact for one in check(read_claims(text, NOBODY_NAMED), facts) if one.fact}
    return frozenset(found)


RULE = "rule"


class Statement(msgspec.Struct, frozen=True):
    """What a lab said in a hearing, with its facts at that moment.

    ``own`` words came from outside, others from the lab's archetype; empty ``text`` is silence.
    ``to`` names the lab that they answer (empty: all are spoken to).
    """

    text: str
    facts: Facts
    own: bool
    to: LabId = ""


class Heard(msgspec.Struct, frozen=True):
    """A lab in a hearing: its words, what was found in them, and its score."""

    lab: LabId
    name: str
    text: str
    own: bool
    claims: tuple[Checked, ...]
    card: Card
    to: LabId = ""


class Hearing(msgspec.Struct, frozen=True):
    """What came of a hearing. Holds what only the judge may know; ``seen`` gives the public view.

    ``round`` is that in which it was called, ``winner`` "" where nobody stands out, ``judge`` is
    ``rule`` or a model's name, ``fallback`` says why the rule stood in for a model, and ``remark``
    is a model's own line: kept for the record and shown to nobody while the game is on.
    """

    round: int
    labs: tuple[Heard, ...]
    winner: LabId
    reason: str
    judge: str = RULE
    fallback: str = ""
    remark: str = ""

    def margin(self, lab: LabId) -> float:
        """Return a lab's lead over the best honest other, -1..1."""
        return margin([one.card for one in self.labs], lab)


Known = tuple[frozenset[str], ...]
"""The facts that each lab has proved so far, by its number."""
Review = Callable[[Hearing], Hearing]
"""A second judge that may change the scores of a hearing."""


def as_it_is(hearing: Hearing) -> Hearing:
    """Leave a hearing to the rule."""
    return hearing


def nothing_known(labs: int) -> Known:
    """Return what is known before the first hearing."""
    return (frozenset(),) * labs


def statements_at(
    state: State, known: Known, own: Mapping[int, Statement], silent: Sequence[int] = ()
) -> tuple[Statement, ...]:
    """Collect what all labs say; ``silent`` are those from outside that did not pitch."""
    said = []
    for lab in range(len(state.budgets)):
        if lab in own:
            said.append(own[lab])
            continue
        facts = facts_of(state, lab)
        archetype = state.scenario.sealed.archetypes[lab]
        quiet = lab in silent or state.left[lab]
        text = "" if quiet else scripted_pitch(archetype, facts, known[lab])
        said.append(Statement(text, facts, own=False))
    return tuple(said)


def hear(
    state: State, statements: Sequence[Statement], known: Known, review: Review = as_it_is
) -> tuple[Hearing, Known]:
    """Judge a hearing; return it, and what is known after it."""
    labs, after = [], []
    for number, said in enumerate(statements):
        claims, card = judge_words(said.text, said.facts, known[number])
        name = state.scenario.labs[number].name
        labs.append(Heard(LAB_IDS[number], name, said.text, said.own, claims, card, said.to))
        after.append(known[number] | {one.fact for one in claims if one.fact})
    hearing = decided(Hearing(state.round, tuple(labs), "", ""))
    return review(hearing), tuple(after)


def decided(hearing: Hearing) -> Hearing:
    """Name the winner by the scores, and say why in words that tell nothing that was not said."""
    honest = [one for one in hearing.labs if not one.card.lies]
    best = max((one.card.score for one in honest), default=0.0)
    first = [one for one in honest if one.card.score == best]
    if best <= 0.0:
        why = "Nobody gave the judge anything new that could be checked."
        return msgspec.structs.replace(hearing, winner="", reason=why)
    if len(first) > 1:
        return msgspec.structs.replace(
            hearing, winner="", reason="The best pitches weigh the same."
        )
    return msgspec.structs.replace(hearing, winner=first[0].lab, reason=_reason(first[0]))


def _reason(winner: Heard) -> str:
    proved = {one.claim.kind for one in winner.claims if one.finding == "true"}
    kinds = [kind for kind in CLAIM_KINDS if kind in proved]
    listed = " and ".join([", ".join(kinds[:-1]), kinds[-1]] if len(kinds) > 1 else kinds)
    return f"{winner.name} made the case that weighs most, with what it said of its {listed}."


def as_recorded(hearings: Sequence[Hearing]) -> Review:
    """Return a review that repeats recorded hearings; ``BrokenLog`` where they differ."""
    by_round = {hearing.round: hearing for hearing in hearings}

    def review(hearing: Hearing) -> Hearing:
        recorded = by_round.get(hearing.round)
        if recorded is None or [one.text for one in recorded.labs] != [
            one.text for one in hearing.labs
        ]:
            raise BrokenLog(f"There is no record of what was said in round {hearing.round}.")
        return recorded

    return review
