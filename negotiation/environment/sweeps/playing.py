"""Play many games to their ends, round by round, all of them together.

Most games never ask for luck. All are played without it first; those in which it can matter are
set aside and then played again from the start, with the very draws of their sellers.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from negotiation.engine.noise import BITS_PER_DRAW
from negotiation.engine.tells_emission import NOISY_SIGNALS
from negotiation.environment.sweeps.arrays import Flags, Floats, Ints, Seeds
from negotiation.environment.sweeps.play import Buyers, Play, answer, repaired
from negotiation.environment.sweeps.starts import BUYER, DEAL, SELLER, WALK, Bargains, SweepResult
from negotiation.environment.sweeps.twister import uniforms, words

DRAWS = ("walk", "late", "drop", "pull")
"""The numbers 0..1 of a seller's turn, in the order in which ``RuleSeller.act`` draws them."""
FIRST_DRAW = -(-BITS_PER_DRAW * NOISY_SIGNALS // 32)
"""So many words of 32 bits are the tells' noise, which comes first."""
WORDS_PER_TURN = FIRST_DRAW + 2 * len(DRAWS)


class Luck(Protocol):
    """Where draws come from."""

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Return one draw of a round.

        Args:
            kind: one of ``DRAWS``.
            round_: from 1.
            slots: of the games in play.
            asked: which of them want to know.

        Returns:
            Shape (games in play,): numbers 0..1 without 1 where asked, anything elsewhere.
        """
        ...


class Drawn:
    """Luck that is known: seeding a generator takes longer than a whole game without luck."""

    def __init__(self, seeds: Seeds, rounds: int, *, bluffs: bool) -> None:
        """Draw everything; with ``bluffs`` the persona also draws for its bluffs, in every turn."""
        self._kinds = DRAWS if bluffs else DRAWS[:2]
        kinds = len(self._kinds)
        places = [
            turn * WORDS_PER_TURN + FIRST_DRAW + word
            for turn in range(rounds)
            for word in range(2 * kinds)
        ]
        self._words = words(seeds, places).reshape(rounds, kinds, 2, len(seeds))

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Return one draw of a round, also for those who did not ask."""
        high, low = self._words[round_ - 1, self._kinds.index(kind)]
        return uniforms(high[slots], low[slots])


class Doubt:
    """Luck that nobody has drawn: it notes which games would have to know it."""

    def __init__(self, games: int) -> None:
        self.noted = np.zeros(games, bool)

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Note who asks."""
        self.noted[slots[asked]] = True
        return np.ones(len(slots))


CHUNK = 16384
"""Games played together: few enough that their arrays stay in a core's cache."""


def sweep(bargains: Bargains, buyers: Buyers, *, remembers: bool = False) -> SweepResult:
    """Play all games of a sweep.

    Args:
        bargains: where they start.
        buyers: what the buyers propose in a round; repaired where a rule forbids it. They are
            asked again for games that are played again.
        remembers: the buyers read ``Play.asks`` and ``Play.bids``.

    Returns:
        How each game ended: equal to what the engine plays from ``bargains.scenario(i)``.
    """
    result = SweepResult.empty(bargains)
    lucky: Ints = np.arange(len(bargains))
    bluffs = bargains.rule.bluff_raise > 0
    if not bluffs:
        aside = []
        for games in _chunks(lucky):
            doubt = Doubt(len(games))
            play = Play(bargains.take(games), games, remembers=remembers)
            _Together(result, play, doubt).play_on(buyers)
            aside.append(games[doubt.noted])
        lucky = np.concatenate(aside)
    rounds = int(np.max(bargains.rounds))
    for games in _chunks(lucky):
        part = bargains.take(games)
        drawn = Drawn(part.seeds, rounds, bluffs=bluffs)
        _Together(result, Play(part, games, remembers=remembers), drawn).play_on(buyers)
    return result


def _chunks(games: Ints) -> Iterator[Ints]:
    for first in range(0, len(games), CHUNK):
        yield games[first : first + CHUNK]


class _Together:
    """Games that began together and go through their rounds side by side."""

    def __init__(self, result: SweepResult, play: Play, luck: Luck) -> None:
        self.result, self.play, self.luck = result, play, luck
        self.rule = result.bargains.rule

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

        def draw(kind: str, asked: Flags) -> Floats:
            return self.luck.draw(kind, t, play.slots, asked)

        said = answer(self.rule, play, draw, live)
        if isinstance(self.luck, Doubt):
            live &= ~self.luck.noted[play.slots]
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
        games, result = self.play.games[rows], self.result
        result.outcome[games] = outcome
        result.by[games] = by
        result.rounds[games] = t
        if prices is not None:
            result.price[games] = prices[rows]
