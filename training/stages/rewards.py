"""What a game is worth in GRPO: named terms, each a plain function of the game.

Shares are 0..1. Words move no pinned seller, so nothing here looks at them: the KL term keeps them.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from training.stages.config import GrpoConfig
from training.stages.games import Game

EPSILON = 1e-4
"""Keeps groups without any difference from being divided by nothing."""

LEAST_SPREAD = 0.05
"""Shares that differ by less than this are noise: their advantages are not blown up to 1."""


def share(game: Game) -> float:
    """Give the buyer's share of the zone; 0 without a deal, or where none was possible."""
    return game.share if game.winnable else 0.0


def missed(game: Game) -> float:
    """Tell whether a deal was possible and was not made: 1 or 0."""
    return float(game.winnable and not game.is_deal)


def format_fault(game: Game) -> float:
    """Give the part of the answers that were not exactly the protocol's JSON, 0..1."""
    return game.invalid / max(1, len(game.turns))


def illegality(game: Game) -> float:
    """Give the part of the answers that guards had to change, 0..1."""
    return sum(not turn.legal for turn in game.turns) / max(1, len(game.turns))


TERMS: Mapping[str, Callable[[Game], float]] = {
    "share": share,
    "missed": lambda game: -missed(game),
    "format": lambda game: -format_fault(game),
    "legality": lambda game: -illegality(game),
}
"""Every term by the name it has in the metrics."""


def weights(config: GrpoConfig) -> dict[str, float]:
    """Say how much each term counts."""
    return {
        "share": 1.0,
        "missed": config.missed_weight,
        "format": config.format_weight,
        "legality": config.legality_weight,
    }


def reward(game: Game, config: GrpoConfig) -> float:
    """Add the weighted terms up."""
    return sum(weight * TERMS[name](game) for name, weight in weights(config).items())


def advantages(rewards: Sequence[float], group: int) -> npt.NDArray[np.float64]:
    """Compare every game with the others of its group.

    Args:
        rewards: of whole groups, one after the other.
        group: games of a group.

    Returns:
        (reward - mean) / max(standard deviation, ``LEAST_SPREAD``) within each group.

    Source: Shao et al. (2024), DeepSeekMath, section 4.1.
    """
    grouped = np.asarray(rewards, dtype=np.float64).reshape(-1, group)
    spread = np.maximum(grouped.std(axis=1, ddof=1, keepdims=True), LEAST_SPREAD)
    better: npt.NDArray[np.float64] = (grouped - grouped.mean(axis=1, keepdims=True)) / (
        spread + EPSILON
    )
    return better.ravel()
