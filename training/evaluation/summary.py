"""What may be said about an evaluation: cards, means over suites, paired differences."""

import msgspec

from negotiation.statistics import Interval
from training.evaluation.summing import (
    Counted,
    Intervals,
    Paired,
    ResultOf,
    SummaryOf,
    Summing,
)
from training.evaluation.tally import BARGAINS, MILLION

FORMAT = "evaluation-summary@1"
RATES: dict[str, tuple[str, str, int]] = {
    "share_of_winnable": ("share", "winnable", MILLION),
    "share_of_deals": ("share", "deals", MILLION),
    "deal_rate": ("deals", "winnable", 1),
    "win_rate": ("wins", "winnable", 1),
    "mutual_loss_rate": ("losses", "winnable", 1),
    "rational_walk_rate": ("rational_walks", "hopeless", 1),
    "rounds": ("rounds", "n", 1),
    "reward": ("reward", "n", MILLION),
    "grade": ("grade", "graded", MILLION),
    "solved_rate": ("solved", "graded_games", 1),
}
"""Every number of a card: what is summed, over what, in which unit."""


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A policy in one suite, or its mean over suites, from the buyer's side.

    Attributes:
        n: bargains.
        games: games of suites that were drawn from; they are what the intervals rest on.
        winnable: bargains with a zone of possible agreement.
        deals: deals among the winnable.
        share_of_winnable: mean buyer share over all winnable bargains, no deal counting 0.
        share_of_deals: mean buyer share over closed deals.
        deal_rate: deals per winnable bargain.
        win_rate: bargains with a share above 0.6 per winnable bargain.
        mutual_loss_rate: winnable bargains without a deal, per winnable bargain.
        rational_walk_rate: bargains without a deal per bargain without a zone.
        rounds: mean rounds of all bargains.
        reward: mean reward of a bargain.
        grade: mean official grade of a bargain; without one the key is left out.
        solved_rate: games of the suite whose mean grade reaches its threshold; as ``grade``.

    What no bargain speaks of is None.
    """

    n: int
    games: int
    winnable: int
    deals: int
    share_of_winnable: Interval | None
    share_of_deals: Interval | None
    deal_rate: Interval | None
    win_rate: Interval | None
    mutual_loss_rate: Interval | None
    rational_walk_rate: Interval | None
    rounds: Interval | None
    reward: Interval | None
    grade: Interval | None = None
    solved_rate: Interval | None = None


PolicyResult = ResultOf[Card]


class Difference(Paired, frozen=True, kw_only=True):
    """One buyer minus another."""

    share_of_winnable: Interval | None
    deal_rate: Interval | None


Summary = SummaryOf[Card, Difference]


def _card(counted: Counted, games: int, rates: Intervals) -> Card:
    return Card(
        n=int(counted["n"]),
        games=games,
        winnable=int(counted["winnable"]),
        deals=int(counted["deals"]),
        **rates,
    )


SUMMING = Summing(format=FORMAT, counting=BARGAINS, rates=RATES, card=_card, difference=Difference)
"""How bargains are summed up."""
