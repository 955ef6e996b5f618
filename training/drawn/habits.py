"""How a drawn seller bargains: a few numbers, different in every game."""

from random import Random

import msgspec

STEADY = 0.5
"""How many sellers follow a schedule only; the others answer concessions, too."""

YIELDING = 0.4
"""How many come down to their reservation price in the end."""

EASY = 0.3
"""How many take any bid that reaches the reservation price."""

LAST_CHANCE = 0.6
"""How many take such a bid at least in the last round."""


class Habits(msgspec.Struct, frozen=True):
    """The numbers of one seller. Shares are 0..1 of the way from anchor to reservation price.

    Attributes:
        shape: beta of a time-dependent tactic; below 1 it holds out, above 1 it yields early.
        reach: how far the schedule has come in the last round.
        mirror: which part of the buyer's last step up is answered by a step down; 0 for none.
        greed: which part of what the ask leaves above the reservation price a bid has to bring.
        last_greed: the same in the last round.
        blind: the buyer may notice nothing.
    """

    shape: float
    reach: float
    mirror: float
    greed: float
    last_greed: float
    blind: bool


def draw(dice: Random) -> Habits:
    """Draw a seller.

    Source of the schedule: Faratin, Sierra and Jennings (1998), time-dependent tactics.
    """
    greed = 0.0 if dice.random() < EASY else dice.random()
    return Habits(
        shape=10 ** dice.uniform(-0.6, 0.6),
        reach=1.0 if dice.random() < YIELDING else dice.uniform(0.3, 1.0),
        mirror=0.0 if dice.random() < STEADY else dice.uniform(0.3, 1.0),
        greed=greed,
        last_greed=0.0 if dice.random() < LAST_CHANCE else greed,
        blind=dice.random() < STEADY,
    )
