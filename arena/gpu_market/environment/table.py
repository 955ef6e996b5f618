"""One episode with any labs played from outside, and what each of them earned since it last acted.

Every environment here stands on this: the seat of OpenEnv, Gymnasium and PettingZoo.
"""

from collections.abc import Collection, Mapping

from arena.gpu_market.engine import (
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
from arena.gpu_market.engine.events import Opened
from arena.gpu_market.environment.ceiling import NORMALISER


class Table:
    """A market in which some labs wait for somebody to act for them.

    Attributes:
        state: the position; the lab whose turn it is, is one of ``outside``, or it has ended.
        commitment: SHA-256 that binds the sealed values.
    """

    def __init__(
        self,
        scenario: MarketScenario,
        outside: Collection[int],
        *,
        players: Mapping[int, Player] | None = None,
        normaliser: Normaliser = NORMALISER,
    ) -> None:
        """Open a market.

        Args:
            scenario: where it starts.
            outside: the labs that ``act`` plays, by number.
            players: policies of further labs; all that remain follow their archetypes.
            normaliser: gives the value of the best plan.
        """
        opening, events = start(scenario)
        opened = events[0]
        assert isinstance(opened, Opened)
        self.commitment = opened.commitment
        self._outside = frozenset(outside)
        self._players = {
            lab: player for lab, player in (players or {}).items() if lab not in self._outside
        }
        self._best = {lab: normaliser(scenario, lab) for lab in self._outside}
        # What happens to a lab before its first turn belongs to its first step.
        self._before = dict.fromkeys(self._outside, opening)
        self.state: State = opening
        self._go_on()

    @property
    def is_done(self) -> bool:
        """The episode has ended."""
        return self.state.ended is not None

    def seen_by(self, lab: int) -> Observation:
        """Show the position to a lab."""
        return observe(self.state, lab)

    def act(self, action: MarketAction | Malformed) -> None:
        """Let the lab whose turn it is act, then others until one from outside is to act again.

        Raises:
            MarketClosed: the episode has ended.
        """
        self.state, _ = apply(self.state, self.state.turn, action)
        self._go_on()

    def pay(self, lab: int) -> Reward:
        """Tell what a lab has earned since it was paid last; that is its reward once."""
        before = self._before[lab]
        self._before[lab] = self.state
        return reward(before, self.state, lab, self._best[lab])

    def _go_on(self) -> None:
        decided = self._outside | self._players.keys()
        while self.state.ended is None and self.state.turn not in self._outside:
            player = self._players.get(self.state.turn)
            if player is None:
                self.state, _ = advance(self.state, decided)
            else:
                seen = observe(self.state, self.state.turn)
                self.state, _ = apply(self.state, self.state.turn, player(seen))
