"""Play an episode in judge mode: what a pitch earns enters the reward of its step."""

from typing import Literal, get_args

import msgspec

from arena.gpu_market.engine.playing import Player
from arena.gpu_market.engine.rewards import Normaliser, value_of_all_jobs
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.scoring import Scored, play_scored
from arena.gpu_market.engine.state import State
from arena.gpu_market.judging.hearing import Review, as_it_is, statements_at
from arena.gpu_market.judging.rounds import JudgedRound, judge_round, new_docket, own_pitch

JudgeMode = Literal["off", "rule"]
JUDGE_MODES: tuple[JudgeMode, ...] = get_args(JudgeMode)


class Bench:
    """The judge of one episode, with what it remembers: one for each learner and episode.

    ``rounds`` are the judged rounds so far.

    Args:
        scenario: the episode's.
        lab: the number of the learner; all other labs follow their archetypes.
        mode: ``off`` never gives a bonus.
        review: a second judge.

    Raises:
        ValueError: there is no such mode, or the published mix is played, which has its own judge.
    """

    def __init__(
        self,
        scenario: MarketScenario,
        lab: int = 0,
        mode: JudgeMode = "rule",
        review: Review = as_it_is,
    ) -> None:
        if mode not in JUDGE_MODES:
            raise ValueError(f"A judge mode is one of {', '.join(JUDGE_MODES)}.")
        if mode != "off" and scenario.reward == "published":
            raise ValueError("The published mix keeps its own judge: use the default mix.")
        self.rounds: tuple[JudgedRound, ...] = ()
        self._lab = lab
        self._on = mode != "off"
        self._review = review
        self._docket = new_docket(len(scenario.labs))

    def __call__(self, before: State, after: State) -> float:
        """Give the bonus of the step between two positions; 0 where the learner did not pitch.

        Args:
            before: the position in which the learner was to act.
            after: the position in which it is to act again, or the end.
        """
        pitch = own_pitch(before, after, self._lab) if self._on else None
        if pitch is None:
            return 0.0
        statements = statements_at(before, self._docket.known, {self._lab: pitch})
        judged, self._docket = judge_round(before, statements, self._docket, self._review)
        self.rounds = (*self.rounds, judged)
        return judged.bonuses[self._lab]


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
    normaliser: Normaliser = value_of_all_jobs,
    review: Review = as_it_is,
) -> Judged:
    """Play an episode with one lab from outside, judge its pitches and score it.

    The market is the same with and without a judge; only ``judge_argument`` differs.

    Args:
        scenario: where it starts.
        player: plays ``lab``; all others follow their archetypes.
        judge_mode: ``off`` (``play_scored``) or ``rule``.
        lab: its number.
        normaliser: gives the value of the best plan.
        review: a second judge, for example a model.

    Raises:
        ValueError: as ``Bench``.
    """
    bench = Bench(scenario, lab, judge_mode, review)
    scored = play_scored(scenario, player, lab=lab, normaliser=normaliser, judge=bench)
    return Judged(scored, bench.rounds)
