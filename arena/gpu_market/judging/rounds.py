"""A judged round: its hearing, what it pays, and what a judge remembers of it."""

from collections.abc import Iterable, Sequence

import msgspec

from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.engine.state import State
from arena.gpu_market.judging.facts import facts_of
from arena.gpu_market.judging.hearing import (
    Hearing,
    Known,
    Review,
    Statement,
    as_it_is,
    hear,
    nothing_known,
)
from arena.gpu_market.judging.margins import bonus


class JudgedRound(msgspec.Struct, frozen=True):
    """A round in which somebody pitched. One number per lab.

    Attributes:
        hearing: what was said and found.
        bonuses: what this round adds to each lab's reward; 0 for who did not pitch itself.
        scores_so_far: the sum of the scores up to this round.
        bonuses_so_far: the sum of the bonuses up to this round.
    """

    hearing: Hearing
    bonuses: tuple[float, ...]
    scores_so_far: tuple[float, ...]
    bonuses_so_far: tuple[float, ...]


class Docket(msgspec.Struct, frozen=True):
    """What a judge remembers between the hearings of an episode."""

    known: Known
    scores: tuple[float, ...]
    bonuses: tuple[float, ...]


def new_docket(labs: int) -> Docket:
    """Give what a judge remembers at the start."""
    return Docket(nothing_known(labs), (0.0,) * labs, (0.0,) * labs)


def judge_round(
    state: State, statements: Sequence[Statement], docket: Docket, review: Review = as_it_is
) -> tuple[JudgedRound, Docket]:
    """Hold one hearing, and add it to what the judge remembers."""
    hearing, known = hear(state, statements, docket.known, review)
    bonuses = tuple(
        bonus(hearing.margin(one.lab), so_far) if one.own else 0.0
        for one, so_far in zip(hearing.labs, docket.bonuses, strict=True)
    )
    docket = Docket(
        known,
        _added(docket.scores, (one.card.score for one in hearing.labs)),
        _added(docket.bonuses, bonuses),
    )
    return JudgedRound(hearing, bonuses, docket.scores, docket.bonuses), docket


def own_pitch(before: State, after: State, lab: int) -> Statement | None:
    """Give the pitch that a lab made from outside between two positions; None: it made none."""
    for said in after.said[len(before.said) :]:
        if said.lab == LAB_IDS[lab] and said.speech != "message":
            return Statement(said.text, facts_of(before, lab), own=True, to=said.to)
    return None


def _added(old: Iterable[float], more: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(one + other, 6) for one, other in zip(old, more, strict=True))
