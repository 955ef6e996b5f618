"""Searching a seller against any buyer there is, in the engine, game by game."""

from collections.abc import Sequence

import numpy as np

from negotiation.engine.episode import State, advance, show_tells, start
from negotiation.engine.observe import observe_buyer, observe_seller
from negotiation.engine.people.manner import Manner
from negotiation.engine.people.seller import PersonSeller
from negotiation.engine.people.suites import people_suite
from negotiation.engine.proposals import repair
from negotiation.engine.scenario import Scenario
from negotiation.environment.people.sellers import Floats
from negotiation.policies import Entry
from training.evaluation.playing import ActMany

SUITE = "people@1"
"""Whose goods, budgets and rounds are played over."""
FIRST_SEED = 5_000_000
"""Far from the games of training, choice and evaluation."""


class Opponent:
    """Plays candidates against one buyer; each generation meets games of its own.

    Args:
        entry: the buyer.
        games: with each candidate.
    """

    def __init__(self, entry: Entry, games: int) -> None:
        self._entry, self._games = entry, games
        self._next = FIRST_SEED

    def takings(self, manners: Sequence[Manner]) -> Floats:
        """Return what each seller takes: its mean share of the zone, 0 without a deal."""
        seeds = range(self._next, self._next + self._games)
        self._next += self._games
        tables = [_Table(seed, manner) for manner in manners for seed in seeds]
        self._play([table for table in tables if table.is_winnable])
        taken = np.array([table.taken for table in tables]).reshape(len(manners), -1)
        winnable = np.array([table.is_winnable for table in tables]).reshape(len(manners), -1)
        found: Floats = taken.sum(axis=1) / np.maximum(winnable.sum(axis=1), 1)
        return found

    def _play(self, tables: list["_Table"]) -> None:
        player = self._entry.make(FIRST_SEED)
        if not isinstance(player, ActMany):
            for table in tables:
                buyer = self._entry.make(table.seed)
                decide = getattr(buyer, "decide", buyer.act)
                while table.is_live:
                    table.step(decide(observe_buyer(table.state)))
            return
        while live := [table for table in tables if table.is_live]:
            moves = player.act_many([observe_buyer(table.state) for table in live])
            for table, move in zip(live, moves, strict=True):
                table.step(move)


class _Table:
    def __init__(self, seed: int, manner: Manner) -> None:
        suite = people_suite(SUITE)
        assert suite is not None
        self.seed = seed
        self.scenario: Scenario = suite.deal(seed)
        self._seller = PersonSeller(self.scenario)
        self._seller.manners = (manner, manner)
        self.state: State = start(self.scenario)[0]

    @property
    def is_winnable(self) -> bool:
        return self.scenario.zopa > 0

    @property
    def is_live(self) -> bool:
        return self.state.ended is None

    @property
    def taken(self) -> float:
        """The seller's share; 0 without a deal, or where none was possible."""
        ended = self.state.ended
        is_deal = ended is not None and ended.price is not None
        return ended.seller_share if is_deal and ended is not None else 0.0

    def step(self, proposal: object) -> None:
        self.state = advance(self.state, repair(self.state, "buyer", proposal))[0]
        if self.state.ended is not None:
            return
        seen = observe_seller(self.state)
        self.state = show_tells(self.state, "seller", self._seller.tells(seen))[0]
        move = repair(self.state, "seller", self._seller.act(seen))
        self.state = advance(self.state, move)[0]
