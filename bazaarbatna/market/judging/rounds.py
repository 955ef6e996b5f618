"""A judged round: its hearing, what it pays, what a judge remembers of it, and who is shown what.

A ``Court`` sits through an episode turn by turn; ``judged_rounds`` reads the same from a log alone.
To others go public words and all scores, but no checks and no parts of a score: whether a lab's
claim is true would tell of its jobs.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import msgspec

from bazaarbatna.market.episode import repeat, start
from bazaarbatna.market.errors import BrokenLog
from bazaarbatna.market.events import MarketEvent, TurnTaken
from bazaarbatna.market.judging.cards import Card, bonus, facts_of
from bazaarbatna.market.judging.claims import Checked
from bazaarbatna.market.judging.hearing import (
    Heard,
    Hearing,
    Known,
    Review,
    Statement,
    as_it_is,
    hear,
    nothing_known,
    statements_at,
)
from bazaarbatna.market.planner import measure
from bazaarbatna.market.playing import Player, Scored, play_scored
from bazaarbatna.market.quantities import LAB_IDS, LAB_NUMBERS, LabId
from bazaarbatna.market.rewards import Normaliser
from bazaarbatna.market.scenario import MarketScenario
from bazaarbatna.market.state import State


class JudgedRound(msgspec.Struct, frozen=True):
    """A round in which somebody pitched. One number per lab.

    ``bonuses`` are what this round adds to each lab's reward: 0 for who did not pitch itself.
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
    """Return what a judge remembers at the start."""
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
    """Return the pitch that a lab made from outside between two positions; None: it made none."""
    for said in after.said[len(before.said) :]:
        if said.lab == LAB_IDS[lab] and said.speech != "message":
            return Statement(said.text, facts_of(before, lab), own=True, to=said.to)
    return None


def _added(old: Iterable[float], more: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(one + other, 6) for one, other in zip(old, more, strict=True))


class Court:
    """The judge of one episode, with what it remembers.

    A hearing is called in the position of the round's first pitch. Labs that are played from
    outside speak for themselves, or are silent; the others pitch as their archetypes do.
    """

    def __init__(self, scenario: MarketScenario, review: Review = as_it_is) -> None:
        """Open the court of an episode; ``review`` is a second judge."""
        self.rounds: tuple[JudgedRound, ...] = ()
        self._review = review
        self._docket = new_docket(len(scenario.labs))
        self._first: State | None = None
        self._own: dict[int, Statement] = {}
        self._outside: set[int] = set()

    def follow(self, before: State, after: State, lab: int | None = None) -> None:
        """Be told how the episode went on, from its opening and without a gap, until ``after``.

        That is at most the next position in which a lab from outside is to act; ``lab`` is the one
        that acted in ``before`` (None: all that acted followed their archetypes).
        """
        if lab is not None:
            self._outside.add(lab)
            pitch = own_pitch(before, after, lab)
            if pitch is not None:
                self._first = before if self._first is None else self._first
                self._own.setdefault(lab, pitch)
        if after.ended is not None or after.round > before.round:
            self._close()

    def _close(self) -> None:
        if self._first is not None:
            silent = tuple(self._outside - set(self._own))
            said = statements_at(self._first, self._docket.known, self._own, silent)
            judged, self._docket = judge_round(self._first, said, self._docket, self._review)
            self.rounds = (*self.rounds, judged)
        self._first, self._own, self._outside = None, {}, set()


def judged_rounds(
    scenario: MarketScenario, events: Sequence[MarketEvent], review: Review = as_it_is
) -> tuple[JudgedRound, ...]:
    """Judge all rounds of a log in which somebody pitched; a round that goes on is left out."""
    court = Court(scenario, review)
    state, happened = start(scenario)
    place = _checked(events, 0, happened)
    while place < len(events):
        before = state
        state, happened = repeat(state, events[place])
        place = _checked(events, place, happened)
        turn = happened[0]
        assert isinstance(turn, TurnTaken)
        court.follow(before, state, None if turn.scripted else LAB_NUMBERS[turn.lab])
    return court.rounds


def _checked(events: Sequence[MarketEvent], place: int, happened: Sequence[MarketEvent]) -> int:
    end = place + len(happened)
    if tuple(events[place:end]) != tuple(happened):
        raise BrokenLog("The log tells something else than its own turns.")
    return end


JudgeMode = Literal["off", "rule"]
JUDGE_MODES: tuple[JudgeMode, ...] = get_args(JudgeMode)


class Bench:
    """The judge of one episode with one learner, as ``play_scored`` asks it."""

    def __init__(
        self,
        scenario: MarketScenario,
        lab: int = 0,
        mode: JudgeMode = "rule",
        review: Review = as_it_is,
    ) -> None:
        if mode not in JUDGE_MODES:
            raise ValueError(f"A judge mode is one of {', '.join(JUDGE_MODES)}.")
        self._lab = lab
        self._court = None if mode == "off" else Court(scenario, review)

    @property
    def rounds(self) -> tuple[JudgedRound, ...]:
        """The judged rounds so far."""
        return () if self._court is None else self._court.rounds

    def __call__(self, before: State, after: State) -> float:
        """Return the bonus of the step between two positions; 0 where the learner did not pitch."""
        if self._court is None:
            return 0.0
        heard = len(self._court.rounds)
        self._court.follow(before, after, self._lab)
        return sum(one.bonuses[self._lab] for one in self._court.rounds[heard:])


class Judged(msgspec.Struct, frozen=True):
    """An episode in judge mode: how it was scored, and its judged rounds."""

    scored: Scored
    rounds: tuple[JudgedRound, ...]


def play_judged(
    scenario: MarketScenario,
    player: Player,
    *,
    judge_mode: JudgeMode = "off",
    lab: int = 0,
    normaliser: Normaliser = measure,
    review: Review = as_it_is,
    judge_pays: bool = False,
) -> Judged:
    """Play an episode with one lab from outside, judge its pitches and score it.

    The market is the same with and without a judge; only ``judge_argument`` differs, and what it
    adds to the reward where it pays.
    """
    bench = Bench(scenario, lab, judge_mode, review)
    scored = play_scored(
        scenario,
        player,
        lab=lab,
        normaliser=normaliser,
        judge=None if judge_mode == "off" else bench,
        judge_pays=judge_pays,
    )
    return Judged(scored, bench.rounds)


class LabHeard(msgspec.Struct, frozen=True):
    """A lab in a hearing as somebody sees it; ``claims`` and ``card`` only of the own lab.

    ``to`` names the lab that its words answer; then ``text`` is shown to these two alone.
    ``so_far`` is the sum of its scores.
    """

    lab: LabId
    name: str
    text: str
    score: float
    to: LabId = ""
    so_far: float = 0.0
    claims: tuple[Checked, ...] = ()
    card: Card | None = None


class HearingSeen(msgspec.Struct, frozen=True):
    """A hearing as somebody sees it; ``bonus`` is what it brings the own lab."""

    round: int
    labs: tuple[LabHeard, ...]
    winner: LabId
    reason: str
    judge: str
    bonus: float = 0.0


def seen(hearing: Hearing, by: LabId = "") -> HearingSeen:
    """Show a hearing to a lab, or to a spectator (""), while the episode goes on."""
    labs = tuple(
        _lab(one, is_own=one.lab == by, may_hear=not one.to or by in (one.lab, one.to))
        for one in hearing.labs
    )
    return HearingSeen(hearing.round, labs, hearing.winner, hearing.reason, hearing.judge)


def round_seen(judged: JudgedRound, by: LabId = "") -> HearingSeen:
    """Show a judged round: its hearing with the running scores, and the own lab's bonus."""
    shown = seen(judged.hearing, by)
    labs = tuple(
        msgspec.structs.replace(one, so_far=total)
        for one, total in zip(shown.labs, judged.scores_so_far, strict=True)
    )
    bonus = judged.bonuses[LAB_NUMBERS[by]] if by else 0.0
    return msgspec.structs.replace(shown, labs=labs, bonus=bonus)


def _lab(one: Heard, *, is_own: bool, may_hear: bool) -> LabHeard:
    text = one.text if may_hear else ""
    if is_own:
        return LabHeard(one.lab, one.name, text, one.card.score, one.to, 0.0, one.claims, one.card)
    return LabHeard(one.lab, one.name, text, one.card.score, one.to)


def transcript(rounds: Sequence[JudgedRound], *, checks: bool = False) -> str:
    """Write judged rounds down; ``checks`` only after the end, or for the lab's own eyes."""
    return "\n\n".join(_round(judged, checks=checks) for judged in rounds) + "\n"


def _round(judged: JudgedRound, *, checks: bool) -> str:
    hearing = judged.hearing
    lines = [f"round {hearing.round}, judged by {hearing.judge}"]
    if hearing.fallback:
        lines.append(f"  (the rule stood in: {hearing.fallback})")
    for one in hearing.labs:
        lines.append(f"  {one.lab} {one.name}: {one.text or '(silent)'}")
        if checks and one.claims:
            lines.append(f"    {_findings(one)}")
        total = judged.scores_so_far[LAB_NUMBERS[one.lab]]
        lines.append(f"    score {one.card.score:.3f}, so far {total:.3f}")
    lines.append(f"  winner: {hearing.winner or 'nobody'}. {hearing.reason}")
    for number, paid in enumerate(judged.bonuses):
        if hearing.labs[number].own:
            so_far = judged.bonuses_so_far[number]
            lines.append(f"  bonus of {LAB_IDS[number]}: {paid:+.3f}, so far {so_far:+.3f}")
    return "\n".join(lines)


def _findings(one: Heard) -> str:
    found = []
    for checked in one.claims:
        claim = checked.claim
        found.append(f"{claim.kind} {one.text[claim.start : claim.end]!r}: {checked.finding}")
    return "; ".join(found)
