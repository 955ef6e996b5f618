"""The score 0..1 of a game in a task suite, one rule per suite in one table."""

from collections.abc import Callable, Sequence

from negotiation.engine.log import Log
from negotiation.engine.rewards import normalised_surplus
from negotiation.engine.tasks import suite

PAST_DEADLINE = 0.5
ROUNDS_USED = 0.3
BELOW_MIDPOINT = 0.15

Rule = Callable[[Log], float]


def surplus(log: Log) -> float:
    """Score a game by the buyer's normalised surplus; 0 without a deal."""
    ended = log.ended
    if ended is None or ended.price is None:
        return 0.0
    sealed = log.scenario.sealed
    return normalised_surplus(sealed.budget, sealed.cost, ended.price)


def surplus_in_time(log: Log) -> float:
    """Halve the surplus of a deal after the buyer's hidden deadline."""
    deadline, ended = log.scenario.sealed.deadline, log.ended
    late = deadline is not None and ended is not None and ended.round > deadline
    return surplus(log) * (PAST_DEADLINE if late else 1.0)


def surplus_soon(log: Log) -> float:
    """Lower the surplus by up to 30 % for the rounds it took."""
    used = log.ended.round if log.ended else log.scenario.max_rounds
    return surplus(log) * (1 - ROUNDS_USED * used / log.scenario.max_rounds)


def surplus_below_midpoint(log: Log) -> float:
    """Add up to 0.15 for a deal below the middle of the zone of possible agreement.

    The whole bonus is for a deal at the seller's reservation price, none for one at the middle.
    """
    ended, scenario = log.ended, log.scenario
    if ended is None or ended.price is None or scenario.zopa <= 0:
        return surplus(log)
    below = max(ended.buyer_share - 0.5, 0.0) / 0.5
    return min(surplus(log) + BELOW_MIDPOINT * min(below, 1.0), 1.0)


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
}
"""By the name of the suite; those of the population have one rule, whoever sells."""


def grade(suite_id: str, logs: Sequence[Log]) -> float:
    """Score all episodes of one game of a suite, averaged.

    Args:
        suite_id: for example ``career_10@sampled-1``.
        logs: the game's episodes, at least one.

    Raises:
        UnknownSuite: no suite has that id.
        ValueError: there is nothing to score.
    """
    rule = RULES[suite(suite_id).name.partition("-")[0]]
    if not logs:
        raise ValueError("A game has at least one episode; none was given.")
    return sum(map(rule, logs)) / len(logs)


def is_solved(suite_id: str, score: float) -> bool:
    """Tell whether a score reaches the suite's success threshold.

    Raises:
        UnknownSuite: no suite has that id.
    """
    return score >= suite(suite_id).success
