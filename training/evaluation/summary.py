"""What may be said about an evaluation of buyers: cards, means over suites, paired differences."""

from functools import partial

import msgspec
import numpy as np

from bazaarbatna.bargain.graders import Closing, grade_one
from bazaarbatna.bargain.quantities import clamp_price
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.bargain.suites import Suite
from bazaarbatna.bargain.tasks import suite, suite_ids
from bazaarbatna.intervals import Interval
from training.evaluation.rows import EpisodeRow
from training.evaluation.summing import (
    MILLION,
    Counted,
    Counting,
    Counts,
    Intervals,
    Paired,
    ResultOf,
    SummaryOf,
    Summing,
)

_GRADED = frozenset(suite_ids())
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

COUNTS = (
    "n",
    "winnable",
    "hopeless",
    "deals",
    "share",
    "wins",
    "losses",
    "rational_walks",
    "rounds",
    "reward",
    "graded",
    "grade",
    "graded_games",
    "solved",
)
"""What is counted of a bargain, shares and grades in millionths; the last two of whole games."""


def is_graded(suite_id: str) -> bool:
    """Whether a suite has an official grade: the engine's have."""
    return suite_id in _GRADED


def grade_of(row: EpisodeRow) -> float:
    """Return the official grade of a bargain, 0..1."""
    rules = suite(row.suite)
    closing = Closing(
        price=row.price,
        round=row.rounds,
        rounds=rules.rounds,
        budget=row.budget,
        cost=_cost(rules, row.reservation),
        reservation=row.reservation,
        deadline=rules.deadline,
    )
    return grade_one(row.suite, closing)


def is_solved(suite_id: str, score: float) -> bool:
    """Whether the mean grade of a suite's game reaches its success threshold."""
    return score >= suite(suite_id).success


def _cost(rules: Suite, reservation: int) -> int:
    # The reservation price is a fixed multiple of the cost, rounded.
    factor = SELLERS[rules.persona].persona.reservation_factor
    guess = round(reservation / factor)
    # A multiple above 1 gives every cost a reservation price of its own.
    near = (guess, guess - 1, guess + 1)
    return next((cost for cost in near if clamp_price(factor * cost) == reservation), guess)


def _numbers_of(row: EpisodeRow) -> tuple[int, ...]:
    graded = is_graded(row.suite)
    return (
        1,
        row.winnable,
        not row.winnable,
        row.winnable and row.price is not None,
        round(MILLION * (row.surplus or 0.0)),
        row.winnable and row.label == "buyer win",
        row.label == "mutual loss",
        row.label == "rational walk",
        row.rounds,
        round(MILLION * row.reward),
        graded,
        round(MILLION * grade_of(row)) if graded else 0,
        0,
        0,
    )


def _solved_games(suite_id: str, counts: Counts) -> None:
    if not is_graded(suite_id):
        return
    place = COUNTS.index
    scores = counts[:, :, place("grade")] / (MILLION * counts[:, :, place("graded")])
    counts[:, :, place("graded_games")] = 1
    counts[:, :, place("solved")] = np.vectorize(partial(is_solved, suite_id))(scores)


BARGAINS = Counting(COUNTS, _numbers_of, _solved_games)


class Card(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A policy in one suite, or its mean over suites, from the buyer's side; None is not known.

    Attributes:
        games: games of suites that were drawn from; they are what the intervals rest on.
        winnable: bargains with a zone of possible agreement.
        share_of_winnable: mean buyer share over all winnable bargains, no deal counting 0.
        win_rate: bargains with a share above 0.6 per winnable bargain.
        mutual_loss_rate: winnable bargains without a deal, per winnable bargain.
        rational_walk_rate: bargains without a deal per bargain without a zone.
        grade: mean official grade of a bargain; without one the key is left out.
        solved_rate: games of the suite whose mean grade reaches its threshold; as ``grade``.
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
