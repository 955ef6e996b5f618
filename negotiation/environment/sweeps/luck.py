"""The sellers' luck, drawn only for the games in which it can matter."""

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


class Luck:
    """What each seller's ``Random(seed)`` gives in each round, found when somebody asks."""

    def __init__(self, seeds: Seeds, rounds: int, *, bluffs: bool) -> None:
        """Remember the seeds and draw nothing yet.

        Args:
            seeds: one per game.
            rounds: most rounds of any game.
            bluffs: the persona also draws for its bluffs, in every turn.
        """
        self._seeds = seeds
        self._kinds = DRAWS if bluffs else DRAWS[:2]
        self._rounds = rounds
        self._drawn = np.zeros(len(seeds), bool)
        self._table: Floats | None = None

    def draw(self, kind: str, round_: int, games: Ints, asked: Flags) -> Floats:
        """Give one draw of a round.

        Args:
            kind: one of ``DRAWS``.
            round_: from 1.
            games: indices of games.
            asked: which of them want to know.

        Returns:
            Shape (games,): numbers 0..1 without 1 where asked, else 1.
        """
        rows = games[asked]
        missing = rows[~self._drawn[rows]]
        if len(missing):
            self._fill(missing)
        drawn = np.ones(len(games))
        if self._table is not None:
            drawn[asked] = self._table[round_ - 1, self._kinds.index(kind)][rows]
        return drawn

    def _fill(self, games: Ints) -> None:
        kinds = len(self._kinds)
        if self._table is None:
            self._table = np.empty((self._rounds, kinds, len(self._seeds)))
        places = [
            turn * WORDS_PER_TURN + FIRST_DRAW + word
            for turn in range(self._rounds)
            for word in range(2 * kinds)
        ]
        made = words(self._seeds[games], places).reshape(self._rounds, kinds, 2, len(games))
        self._table[:, :, games] = uniforms(made[:, :, 0], made[:, :, 1])
        self._drawn[games] = True
