"""The sellers' luck: what each seller's ``Random(seed)`` draws in each round."""

from typing import Protocol

import numpy as np

from negotiation.engine.noise import BITS_PER_DRAW
from negotiation.engine.tells_emission import NOISY_SIGNALS
from negotiation.environment.sweeps.arrays import Flags, Floats, Ints, Seeds
from negotiation.environment.sweeps.twister import uniforms, words

DRAWS = ("walk", "late", "drop", "pull")
"""The numbers 0..1 of a seller's turn, in the order in which ``RuleSeller.act`` draws them."""
FIRST_DRAW = -(-BITS_PER_DRAW * NOISY_SIGNALS // 32)
"""So many words of 32 bits are the tells' noise, which comes first."""
WORDS_PER_TURN = FIRST_DRAW + 2 * len(DRAWS)


class Luck(Protocol):
    """Where draws come from."""

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Give one draw of a round.

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
        """Draw everything.

        Args:
            seeds: one per game.
            rounds: most rounds of any game.
            bluffs: the persona also draws for its bluffs, in every turn.
        """
        self._kinds = DRAWS if bluffs else DRAWS[:2]
        kinds = len(self._kinds)
        places = [
            turn * WORDS_PER_TURN + FIRST_DRAW + word
            for turn in range(rounds)
            for word in range(2 * kinds)
        ]
        self._words = words(seeds, places).reshape(rounds, kinds, 2, len(seeds))

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Give one draw of a round, also to those who did not ask."""
        high, low = self._words[round_ - 1, self._kinds.index(kind)]
        return uniforms(high[slots], low[slots])


class Doubt:
    """Luck that nobody has drawn: it notes which games would have to know it."""

    def __init__(self, games: int) -> None:
        self.noted = np.zeros(games, bool)

    def draw(self, kind: str, round_: int, slots: Ints, asked: Flags) -> Floats:
        """Note who asks, and give nobody anything."""
        self.noted[slots[asked]] = True
        return np.ones(len(slots))
