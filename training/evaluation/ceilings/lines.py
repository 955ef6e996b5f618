"""The best blind line of a suite: of all straight climbs on a grid, the one that keeps most.

It is chosen on games of its own, so that what it keeps elsewhere is no luck of the choice.
"""

import functools
from itertools import product

from agents.buyers.simple import Climber
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation
from training.evaluation.recording import Recording
from training.evaluation.sources import source_of

FIRSTS = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
LASTS = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9)
"""Shares of the opening ask; a line never falls."""

FIRST_SEED = 700_000
FEW, FINALISTS, BARGAINS = 20, 6, 200
"""Every line plays a few bargains, from the first seed on; the best of them play all."""

PARAMETERS = {
    "firsts": FIRSTS,
    "lasts": LASTS,
    "seed": FIRST_SEED,
    "bargains": (FEW, FINALISTS, BARGAINS),
}

Line = tuple[float, float]


class BestLine:
    """Climbs as the chosen line of the suite does."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def act(self, seen: BuyerObservation) -> Move:
        """Bid what the line says."""
        return climber(chosen(seen.suite))(self._seed).act(seen)


@functools.cache
def climber(line: Line) -> type[Climber]:
    """Make the buyer of a line."""
    first, last = line
    return type("Line", (Climber,), {"first": first, "last": last, "parameters": line})


@functools.cache
def chosen(suite_id: str) -> Line:
    """Choose the line of a suite; of those that keep the same, the first."""
    lines = [(first, last) for first, last in product(FIRSTS, LASTS) if first <= last]
    lines.sort(key=lambda line: -kept(suite_id, line, FEW))
    return max(lines[:FINALISTS], key=lambda line: kept(suite_id, line, BARGAINS))


def kept(suite_id: str, line: Line, bargains: int) -> float:
    """Sum up the shares that a line keeps of the first games that lines are chosen on."""
    total = 0.0
    for seed in range(FIRST_SEED, FIRST_SEED + bargains // source_of(suite_id).episodes):
        buyer, table = climber(line)(seed), Recording(suite_id, seed)
        while (seen := table.game.observation) is not None:
            table.move(buyer.act(seen))
        total += sum(row.surplus or 0.0 for row in table.rows("", ""))
    return total
