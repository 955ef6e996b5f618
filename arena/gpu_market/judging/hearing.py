"""A hearing: somebody pitches, the other labs pitch too, and a frozen judge scores them all."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from arena.gpu_market.engine.errors import BrokenLog
from arena.gpu_market.engine.quantities import LAB_IDS, LabId
from arena.gpu_market.engine.state import State
from arena.gpu_market.judging.cards import Card, judge_words, margin
from arena.gpu_market.judging.checking import Facts, facts_of
from arena.gpu_market.judging.claims import CLAIM_KINDS, Checked
from arena.gpu_market.judging.pitching import scripted_pitch

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

    Attributes:
        round: the round in which it was called.
        labs: one entry per lab, in the order of their turns.
        winner: the lab with the highest score (empty: nobody stands out).
        reason: one sentence about what was said.
        judge: who scored: ``rule``, or a model's name.
        fallback: why the rule stood in for a model (empty: it did not).
        remark: a model's own line; kept for the record and shown to nobody while the game is on.
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
    """Collect what all labs say in a hearing that is called in a position.

    Args:
        state: the position in which the first pitch was made.
        known: what the labs proved in earlier hearings.
        own: the statements of the labs that pitched themselves, by their numbers.
        silent: the other labs that are played from outside and did not pitch.
    """
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
    """Judge a hearing.

    Args:
        state: the position in which it was called.
        statements: one per lab.
        known: what the labs proved in earlier hearings.
        review: may change the scores.

    Returns:
        The hearing, and what is known after it.
    """
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
    """Return a review that repeats recorded hearings, by their rounds.

    Args:
        hearings: as they were recorded, one per judged round.

    Returns:
        A review that raises ``BrokenLog`` for a round that was not recorded, or in which something
        else was said.
    """
    by_round = {hearing.round: hearing for hearing in hearings}

    def review(hearing: Hearing) -> Hearing:
        recorded = by_round.get(hearing.round)
        if recorded is None or [one.text for one in recorded.labs] != [
            one.text for one in hearing.labs
        ]:
            raise BrokenLog(f"There is no record of what was said in round {hearing.round}.")
        return recorded

    return review
