"""Stand-in until the own one arrives."""

from negotiation.engine.quantities import Side
from negotiation.models import Game


def hand_over(game: Game, side: Side) -> bool:
    """Let a policy take the seat of one of two people."""
    return False


def close(game_id: str, why: str, seq: int | None = None) -> bool:
    """End a game without a deal."""
    return False
