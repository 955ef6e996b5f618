"""Sits through an episode turn by turn; each round with a pitch ends with a hearing."""

from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.state import State
from arena.gpu_market.judging.hearing import Review, Statement, as_it_is, statements_at
from arena.gpu_market.judging.rounds import JudgedRound, judge_round, new_docket, own_pitch


class Court:
    """The judge of one episode, with what it remembers.

    A hearing is called in the position of the round's first pitch. Labs that are played from
    outside speak for themselves, or are silent; the others pitch as their archetypes do.

    Attributes:
        rounds: the judged rounds so far.
    """

    def __init__(self, scenario: MarketScenario, review: Review = as_it_is) -> None:
        """Open a court.

        Args:
            scenario: the episode's.
            review: a second judge.
        """
        self.rounds: tuple[JudgedRound, ...] = ()
        self._review = review
        self._docket = new_docket(len(scenario.labs))
        self._first: State | None = None
        self._own: dict[int, Statement] = {}
        self._outside: set[int] = set()

    def follow(self, before: State, after: State, lab: int | None = None) -> None:
        """Be told how the episode went on; from its opening, and without a gap.

        Args:
            before: a position.
            after: a later one: at most the next in which a lab from outside is to act.
            lab: the number of the lab that was played from outside in ``before``; None: all that
                acted followed their archetypes.
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
        """Judge the round that is over, if anybody pitched in it."""
        if self._first is not None:
            silent = tuple(self._outside - set(self._own))
            said = statements_at(self._first, self._docket.known, self._own, silent)
            judged, self._docket = judge_round(self._first, said, self._docket, self._review)
            self.rounds = (*self.rounds, judged)
        self._first, self._own, self._outside = None, {}, set()
