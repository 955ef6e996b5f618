"""Play an episode in judge mode: what a pitch earns enters the reward of its step."""

from typing import Literal, get_args

import msgspec

from arena.gpu_market.engine.playing import Player, Scored, play_scored
from arena.gpu_market.engine.rewards import Normaliser
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.state import State
from arena.gpu_market.judging.hearing import Review, as_it_is
from arena.gpu_market.judging.rounds import Court, JudgedRound
from arena.gpu_market.planner import measure

JudgeMode = Literal["off", "rule"]
JUDGE_MODES: tuple[JudgeMode, ...] = get_args(JudgeMode)


class Bench:
    """The judge of one episode with one learner, as ``play_scored`` asks it.

    Args:
        scenario: the episode's.
        lab: the number of the learner; all other labs follow their archetypes.
        mode: ``off`` never gives a bonus.
        review: a second judge.

    Raises:
        ValueError: there is no such mode.
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
        self._lab = lab
        self._court = None if mode == "off" else Court(scenario, review)

    @property
    def rounds(self) -> tuple[JudgedRound, ...]:
        """The judged rounds so far."""
        return () if self._court is None else self._court.rounds

    def __call__(self, before: State, after: State) -> float:
        """Return the bonus of the step between two positions; 0 where the learner did not pitch.

        Args:
            before: the position in which the learner was to act.
            after: the position in which it is to act again, or the end.
        """
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

    Args:
        scenario: where it starts.
        player: plays ``lab``; all others follow their archetypes.
        judge_mode: ``off`` (``play_scored``) or ``rule``.
        lab: its number.
        normaliser: gives the value of the best plan.
        review: a second judge, for example a model.
        judge_pays: the bonus is added in the default mix too (in the published mix it always is).

    Raises:
        ValueError: as ``Bench``.
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
