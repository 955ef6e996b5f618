"""What a judge says of two games on one scenario."""

from collections.abc import Callable
from typing import Literal

import msgspec

from training.judging.transcript import Transcript

Winner = Literal["a", "b", "tie"]

DecidedBy = Literal["deal", "surplus", "ask", "failures", "rounds", "words", "model", "nothing"]
"""What told the games apart; "model" where a language model decided, "nothing" in a tie."""

HEURISTIC = "heuristic"


class Verdict(msgspec.Struct, frozen=True):
    """Which of two games the buyer played better.

    Attributes:
        winner: "a", "b" or "tie".
        reason: one line for people.
        decided_by: the first thing that told the games apart.
        judge: who decided: "heuristic", or the name of a model.
        fallback: why the heuristic stood in for a model; "" where it did not.
    """

    winner: Winner
    reason: str
    decided_by: DecidedBy
    judge: str = HEURISTIC
    fallback: str = ""


Judge = Callable[[Transcript, Transcript], Verdict]
"""Compares two games on one scenario; who is "a" and who "b" must not matter."""
