"""What theory would have said about a finished game."""

from collections.abc import Sequence
from typing import Any

from negotiation.engine.theory import reference_lines
from replays.scenario import scenario_of


def theory_lines(frames: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Name the prices in rupees that theory gives for a finished log; empty without a ZOPA."""
    return reference_lines(scenario_of(frames))
