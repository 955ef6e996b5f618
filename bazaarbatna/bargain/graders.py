"""The score 0..1 of a game in a task suite, one rule per suite in one table."""

from collections.abc import Callable, Sequence

import msgspec

from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.rewards import normalised_surplus
from bazaarbatna.bargain.tasks import suite

PAST_DEADLINE = 0.5
ROUNDS_USED = 0.3
BELOW_MIDPOINT = 0.15


class Closing(msgspec.Struct, frozen=True):
    """All that a score depends on; prices in paise, ``price`` None without a deal.

    ``rounds`` is the limit, ``deadline`` the buyer's hidden one if any.
    """

    price: int | None
    round: int
    rounds: int
    budget: int
    cost: int
    reservation: int
    deadline: int | None = None


Rule = Callable[[Closing], float]


def surplus(game: Closing) -> float:
    """Score a game by the buyer's normalised surplus; 0 without a deal."""
    if game.price is None:
        return 0.0
    return normalised_surplus(game.budget, game.cost, game.price)


def surplus_in_time(game: Closing) -> float:
    """Halve the surplus of a deal after the buyer's hidden deadline."""
    late = game.deadline is not None and game.round > game.deadline
    return surplus(game) * (PAST_DEADLINE if late else 1.0)


def surplus_soon(game: Closing) -> float:
    """Lower the surplus by up to 30 % for the rounds it took."""
    return surplus(game) * (1 - ROUNDS_USED * game.round / game.rounds)


def surplus_below_midpoint(game: Closing) -> float:
    """Add 0 to 0.15 for a deal from the middle of the zone down to the reservation price."""
    zone = game.budget - game.reservation
    if game.price is None or zone <= 0:
        return surplus(game)
    below = max((game.budget - game.price) / zone - 0.5, 0.0) / 0.5
    return min(surplus(game) + BELOW_MIDPOINT * min(below, 1.0), 1.0)


RULES: dict[str, Rule] = {
    "single_deal": surplus,
    "asymmetric_pressure": surplus_in_time,
    "career_10": surplus_soon,
    "deceptive_seller": surplus,
    "impatient_seller": surplus,
    "collaborative_seller": surplus,
    "read_the_tells": surplus_below_midpoint,
    "amazon_realistic": surplus,
    "people": surplus_in_time,
    "paths": surplus_in_time,
}
"""By the suite's name; those of the population have one rule, whoever sells."""


def grade(suite_id: str, logs: Sequence[Log]) -> float:
    """Average the scores of all episodes, at least one, of a game; raises ``UnknownSuite``."""
    rule = RULES[suite(suite_id).name.partition("-")[0]]
    if not logs:
        raise ValueError("A game has at least one episode; none was given.")
    return sum(rule(_closing(log)) for log in logs) / len(logs)


def grade_one(suite_id: str, game: Closing) -> float:
    """Score one episode of a suite's game, 0..1; raises ``UnknownSuite``."""
    return RULES[suite(suite_id).name](game)


def is_solved(suite_id: str, score: float) -> bool:
    """Whether a score reaches the suite's success threshold."""
    return score >= suite(suite_id).success


def _closing(log: Log) -> Closing:
    scenario, ended = log.scenario, log.ended
    sealed = scenario.sealed
    return Closing(
        price=ended.price if ended else None,
        round=ended.round if ended else scenario.max_rounds,
        rounds=scenario.max_rounds,
        budget=sealed.budget,
        cost=sealed.cost,
        reservation=sealed.reservation,
        deadline=sealed.deadline,
    )
