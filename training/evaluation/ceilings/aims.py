"""What a bargain of the engine is worth to a buyer, by what it plays for."""

from negotiation.engine.graders import Closing, grade_one
from training.evaluation.bounds import Aim


def worth(aim: Aim, suite_id: str, game: Closing) -> float:
    """Say what a finished bargain is worth to a buyer that plays for something, 0..1.

    Args:
        aim: "share" of the zone of possible agreement, or the "grade" of the suite.
        suite_id: one of the engine's suites.
        game: how it ended.
    """
    if aim == "grade":
        return grade_one(suite_id, game)
    zone = game.budget - game.reservation
    return 0.0 if game.price is None or zone <= 0 else (game.budget - game.price) / zone
