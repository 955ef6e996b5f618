"""Coalition games of the textbooks, for the tests of values and cores."""

from collections.abc import Mapping

from bazaarbatna.market.coalition import CoalitionGame
from bazaarbatna.market.coalition.core import Number


def a_game(worths: Mapping[str, Number]) -> CoalitionGame:
    """Make a game of a table: players are letters, ``ab`` is the coalition of two."""
    letters = sorted(set("".join(worths)))
    return CoalitionGame.from_function(letters, lambda group: worths["".join(sorted(group))])


def voting(quota: int, votes: Mapping[str, int]) -> CoalitionGame:
    """Let a coalition win, which is worth 1, when its votes reach the quota."""
    return CoalitionGame.from_function(
        list(votes), lambda group: int(sum(votes[name] for name in group) >= quota)
    )


def gloves(left: str, right: str) -> CoalitionGame:
    """Count pairs: each player has one glove, and only a left with a right one is worth 1."""
    return CoalitionGame.from_function(
        left + right, lambda group: min(len(group & set(left)), len(group & set(right)))
    )


MAJORITY = voting(2, {"a": 1, "b": 1, "c": 1})
GLOVES = gloves("a", "bc")
