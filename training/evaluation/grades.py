"""The official grade of a bargain, from its row alone."""

from negotiation.engine.graders import Closing, grade_one
from negotiation.engine.quantities import clamp_price
from negotiation.engine.sellers import SELLERS
from negotiation.engine.suites import Suite
from negotiation.engine.tasks import suite, suite_ids
from training.evaluation.rows import EpisodeRow

_GRADED = frozenset(suite_ids())


def is_graded(suite_id: str) -> bool:
    """Tell whether a suite has an official grade: the engine's have."""
    return suite_id in _GRADED


def grade_of(row: EpisodeRow) -> float:
    """Give the official grade of a bargain, 0..1.

    Raises:
        UnknownSuite: the suite has none.
    """
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
    """Tell whether the mean grade of a suite's game reaches its success threshold."""
    return score >= suite(suite_id).success


def _cost(rules: Suite, reservation: int) -> int:
    """Reckon the cost back from the reservation price, which is a fixed multiple of it, rounded."""
    factor = SELLERS[rules.persona].persona.reservation_factor
    guess = round(reservation / factor)
    # A multiple above 1 gives every cost a reservation price of its own.
    near = (guess, guess - 1, guess + 1)
    return next((cost for cost in near if clamp_price(factor * cost) == reservation), guess)
