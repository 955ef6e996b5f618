"""The best response to some families that policy search finds: it trains on those very families.

A bound for tables, never a buyer: it knows what kind of seller it will meet, which nobody does. It
is approximate, a lower bound of what the true best response keeps.
"""

import msgspec
import numpy as np
import torch

from agents.buyers.network.features import Floats
from negotiation.engine.people.families import Family
from negotiation.environment.people.games import deal_many
from negotiation.environment.people.sellers import Sellers, draw_sellers
from training.stages.league.learning import (
    Played,
    Towers,
    falling,
    learn,
    measure,
    play,
    turns_of,
)
from training.stages.league_config import LeagueConfig

SELLERS = 20_000
CHECKED = 16_384
"""Games of each check, with sellers that were not learned from."""
CHECKS = 5


class Found(msgspec.Struct, frozen=True):
    """What the search came to; shares are 0..1 of winnable games, in games of its own."""

    weights: dict[str, Floats]
    before: float
    share: float
    deals: float


def respond_to(
    families: tuple[Family, ...], begin: dict[str, Floats], config: LeagueConfig
) -> Found:
    """Search on from known weights, for the share alone.

    Args:
        families: who may sell.
        begin: weights to begin with; they are the answer where nothing better is found.
        config: ``steps`` and what a step is; the worth of a deal and exploiters do not count.
    """
    torch.manual_seed(config.seed)
    config = config.model_copy(update={"deal": 0.0, "hurry": 0.0, "blind": 0.0})
    dice = np.random.default_rng([config.seed, 7])
    pool = draw_sellers(families, SELLERS, 1_000 + config.seed)
    unseen = draw_sellers(families, SELLERS, 2_000 + config.seed)
    towers = Towers(begin["choose.0.weight"].shape[1], len(begin["choose.0.bias"]))
    towers.load_arrays(begin)
    optimizer = torch.optim.Adam(towers.parameters(), lr=config.learning_rate)
    best = first = _checked(towers, unseen)
    kept = begin
    for step in range(config.steps):
        rate, entropy = falling(config, step / config.steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        games, rounds = play(towers, deal_many(pool, config.games, dice), dice)
        learn(towers, turns_of(games, rounds, config), optimizer, config, entropy, dice)
        if (step + 1) % max(1, config.steps // CHECKS) == 0:
            found = _checked(towers, unseen)
            if found.share > best.share:
                best, kept = found, towers.arrays()
    return Found(kept, first.share, best.share, best.deals)


def _checked(towers: Towers, unseen: Sellers) -> Played:
    dice = np.random.default_rng(5)
    return measure(towers, deal_many(unseen, CHECKED, dice), dice)
