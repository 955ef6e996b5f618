"""Time-dependent bidders in sweeps, with one exponent or one per game."""

import numpy as np

from agents.buyers.timed import LOW_OF_ASK
from agents.sweeps.guarding import guarded
from negotiation.engine import bidding
from negotiation.environment.sweeps.arrays import Floats, Ints, Number, clamp_prices
from negotiation.environment.sweeps.play import Buyers, Play, Wish


def timed(exponent: Number) -> Buyers:
    """Make buyers that climb from half the opening ask to the budget along ``1 - t**e``.

    Args:
        exponent: e, above 0; one number or one per game of the sweep.

    Raises:
        ValueError: an exponent is not above 0.
    """
    if not np.all(np.greater(exponent, 0)):
        raise ValueError("An exponent is above 0: 4 waits, 1 is linear, 0.25 gives in early.")
    # Powers come from the same function as the engine's: numpy's differ in the last bit. They are
    # few, one for each pair of a moment and an exponent.
    exponents, which = np.unique(np.asarray(exponent, float), return_inverse=True)
    which = which.ravel()

    def propose(play: Play) -> Wish:
        own = which[play.games] if len(which) > 1 else which
        claims = _claims(play.round, play.rounds, exponents, own)
        low = np.minimum(LOW_OF_ASK * play.anchor, play.budget)
        return Wish(clamp_prices(play.budget - (play.budget - low) * claims))

    return guarded(propose)


def _claims(round_: Number, rounds: Number, exponents: Floats, which: Ints) -> Number:
    """Give ``bidding.aspiration`` of each game in play."""
    limits, place = np.unique(np.asarray(rounds), return_inverse=True)
    table = np.array(
        [
            [
                bidding.aspiration(bidding.elapsed(int(round_) - 1, int(limit)), e)
                for limit in limits.tolist()
            ]
            for e in exponents.tolist()
        ]
    )
    return float(table[0, 0]) if table.size == 1 else table[which, place.ravel()]
