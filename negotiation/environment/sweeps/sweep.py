"""Play many games to their ends, round by round, all of them together."""

import numpy as np

from negotiation.environment.sweeps.answer import answer
from negotiation.environment.sweeps.arrays import Flags, Floats
from negotiation.environment.sweeps.bargains import Bargains
from negotiation.environment.sweeps.luck import Luck
from negotiation.environment.sweeps.play import Buyers, Play, repaired
from negotiation.environment.sweeps.result import BUYER, DEAL, SELLER, WALK, SweepResult

CHUNK = 16384
"""Games played together: few enough that their arrays stay in a core's cache."""


def sweep(bargains: Bargains, buyers: Buyers, *, remembers: bool = False) -> SweepResult:
    """Play all games of a sweep.

    Args:
        bargains: where they start.
        buyers: what the buyers propose in a round; repaired where a rule forbids it.
        remembers: the buyers read ``Play.asks`` and ``Play.bids``.

    Returns:
        How each game ended: equal to what the engine plays from ``bargains.scenario(i)``.
    """
    result = SweepResult.empty(bargains)
    for first in range(0, len(bargains), CHUNK):
        part = result.part(first, first + CHUNK)
        _Chunk(part, Play(part.bargains, first, remembers=remembers), first).play_on(buyers)
    return result


class _Chunk:
    def __init__(self, result: SweepResult, play: Play, first: int) -> None:
        bargains = result.bargains
        self.result, self.play, self.first = result, play, first
        self.rule = bargains.rule
        most_rounds = int(np.max(bargains.rounds))
        self.luck = Luck(bargains.seeds, most_rounds, bluffs=self.rule.bluff_raise > 0)

    def play_on(self, buyers: Buyers) -> None:
        t = 1
        while len(self.play.games):
            self.play.round = t
            self.play_round(buyers, t)
            t += 1

    def play_round(self, buyers: Buyers, t: int) -> None:
        play = self.play
        move = repaired(play, buyers(play))
        bought = move.accept
        assert bought is not None
        live = ~bought if move.walk is None else ~(bought | move.walk)
        self.note(bought, DEAL, BUYER, t, play.ask)
        if move.walk is not None:
            self.note(move.walk, WALK, BUYER, t)
        play.bid = move.price
        games = play.games - self.first

        def draw(kind: str, asked: Flags) -> Floats:
            return self.luck.draw(kind, t, games, asked)

        said = answer(self.rule, play, draw, live)
        sold = said.accept & live
        self.note(sold, DEAL, SELLER, t, play.bid)
        walked = said.walk & live
        self.note(walked, WALK, SELLER, t)
        goes_on = live & ~sold & ~walked & np.less(t, play.rounds)
        play.ask = said.ask
        play.remember()
        play.keep(np.flatnonzero(goes_on))

    def note(
        self, ended: Flags, outcome: int, by: int, t: int, prices: Floats | None = None
    ) -> None:
        rows = np.flatnonzero(ended)
        if not len(rows):
            return
        games = self.play.games[rows] - self.first
        self.result.outcome[games] = outcome
        self.result.by[games] = by
        self.result.rounds[games] = t
        if prices is not None:
            self.result.price[games] = prices[rows]
