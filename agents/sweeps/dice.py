"""The random buyer in sweeps: its own dice in every turn."""

import numpy as np

from agents.buyers import random_buyer
from agents.sweeps.guarding import guarded
from negotiation.environment.sweeps.arrays import Seeds, clamp_prices
from negotiation.environment.sweeps.play import Buyers, Play, Wish
from negotiation.environment.sweeps.twister import uniforms, words

SEEDS = 2**43
"""With so many seeds a turn's own seed has 64 bits."""
SEEDS_APART = 1_000_003
"""As in ``RuleBuyer.dice``: a turn's seed is the buyer's seed times this, plus the bids so far."""


def random_buyers(seeds: Seeds) -> Buyers:
    """Make buyers that throw dice.

    Args:
        seeds: the buyers' own, one per game, below 2**43.

    Raises:
        ValueError: a seed is too large.
    """
    if len(seeds) and int(seeds.max()) >= SEEDS:
        raise ValueError(f"Seeds of random buyers are 0 to {SEEDS - 1}.")

    def propose(play: Play) -> Wish:
        turn = seeds[play.games] * np.uint64(SEEDS_APART) + np.uint64(int(play.round) - 1)
        drawn = words(turn, range(4))
        chance, where = uniforms(drawn[0], drawn[1]), uniforms(drawn[2], drawn[3])
        accepts = chance < random_buyer.ACCEPT_P
        walks = ~accepts & (chance < random_buyer.ACCEPT_P + random_buyer.WALK_P)
        price = play.bid + (play.budget - play.bid) * where
        return Wish(clamp_prices(price), accepts, walks)

    return guarded(propose)
