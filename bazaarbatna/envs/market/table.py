"""One episode with any labs played from outside, and what each of them earned since it last acted.

Every environment here stands on this: the seat of OpenEnv, Gymnasium and PettingZoo.
"""

from collections.abc import Collection, Mapping

from bazaarbatna.market import (
    Malformed,
    MarketAction,
    MarketScenario,
    Normaliser,
    Observation,
    Player,
    Reward,
    State,
    advance,
    apply,
    observe,
    reward,
    start,
)
from bazaarbatna.market.events import Opened
from bazaarbatna.market.judging import Court, HearingSeen, JudgeMode, round_seen
from bazaarbatna.market.planner import measure
from bazaarbatna.market.quantities import LAB_IDS


class Table:
    """A market in which some labs wait for somebody to act for them."""

    def __init__(
        self,
        scenario: MarketScenario,
        outside: Collection[int],
        *,
        players: Mapping[int, Player] | None = None,
        normaliser: Normaliser = measure,
        judge_mode: JudgeMode = "off",
        judge_pays: bool = False,
    ) -> None:
        """Open a market; ``normaliser`` is asked for the ceiling of a lab when it is first paid."""
        opening, events = start(scenario)
        opened = events[0]
        assert isinstance(opened, Opened)
        self.commitment = opened.commitment
        self._outside = frozenset(outside)
        self._players = {
            lab: player for lab, player in (players or {}).items() if lab not in self._outside
        }
        self._normaliser = normaliser
        self._best: dict[int, float] = {}
        # What happens to a lab before its first turn belongs to its first step.
        self._before = dict.fromkeys(self._outside, opening)
        self._court = None if judge_mode == "off" else Court(scenario)
        self._judge_pays = judge_pays
        self._paid_rounds = dict.fromkeys(self._outside, 0)
        self.state: State = opening
        self._go_on()

    @property
    def is_done(self) -> bool:
        """The episode has ended."""
        return self.state.ended is not None

    def seen_by(self, lab: int) -> Observation:
        """Return what a lab sees of the position."""
        return observe(self.state, lab)

    def act(self, action: MarketAction | Malformed) -> None:
        """Let the lab whose turn it is act, then others until one from outside is to act again."""
        before = self.state
        self.state, _ = apply(before, before.turn, action)
        self._follow(before, before.turn)
        self._go_on()

    def pay(self, lab: int) -> Reward:
        """Return what a lab has earned since it was paid last; that is its reward once."""
        if lab not in self._best:
            self._best[lab] = self._normaliser(self.state.scenario, lab)
        before = self._before[lab]
        self._before[lab] = self.state
        return reward(
            before,
            self.state,
            lab,
            self._best[lab],
            self._judged(lab),
            judge_pays=self._judge_pays,
        )

    def heard_by(self, lab: int) -> HearingSeen | None:
        """Return a lab's view of the last round's hearing; None: nobody pitched in it."""
        judged = self._court.rounds[-1:] if self._court else ()
        if not judged or judged[0].hearing.round != self.state.round - 1:
            return None
        return round_seen(judged[0], LAB_IDS[lab])

    def _judged(self, lab: int) -> float | None:
        if self._court is None:
            return None
        new = self._court.rounds[self._paid_rounds[lab] :]
        self._paid_rounds[lab] = len(self._court.rounds)
        return sum(one.bonuses[lab] for one in new)

    def _follow(self, before: State, lab: int | None) -> None:
        if self._court is not None:
            self._court.follow(before, self.state, lab)

    def _go_on(self) -> None:
        decided = self._outside | self._players.keys()
        while self.state.ended is None and self.state.turn not in self._outside:
            before, lab = self.state, self.state.turn
            player = self._players.get(lab)
            if player is None:
                self.state, _ = advance(before, decided)
                self._follow(before, None)
            else:
                self.state, _ = apply(before, lab, player(observe(before, lab)))
                self._follow(before, lab)
