"""Whether a bot that is dealt games a second time plays as it did: counted and judged."""

import math
from collections.abc import Sequence

import msgspec

from training.bots.moves import KeptMove, same_decision

SAME_ENOUGH = 0.9
"""A bot that decides alike this often plays alike."""

NEAR_ENOUGH = 0.1
"""So does one whose mean share of the winnable bargains moves by no more than this,"""

ERRORS_APART = 2.0
"""or by no more than so many standard errors: chance in a bot is no fault of it."""

FEWEST_GAMES = 10
"""With fewer games than this a standard error says little, and the fixed margin stands alone."""

ALIKE = (
    f"the bot decides alike in {100 * SAME_ENOUGH:.0f} % of its turns, or its mean share moves by "
    f"at most {NEAR_ENOUGH:.2f} or two standard errors"
)


class Pair(msgspec.Struct, frozen=True):
    """A game and its repeat.

    Attributes:
        bargains: of the repeat.
        turns: turns with the same history in both, ``same`` those decided alike.
        first: shares of the winnable bargains the first time, no deal counting 0.
        again: the same for the repeat.
    """

    bargains: int
    turns: int
    same: int
    first: tuple[float, ...]
    again: tuple[float, ...]


class Agreement(msgspec.Struct, frozen=True):
    """How a bot played the games that it was dealt a second time.

    Attributes:
        replayed: bargains whose kept moves were played again.
        different: those among them that did not give the same log.
        bargains: bargains that the bot was dealt twice.
        turns: turns with the same history in both, ``same`` those decided alike.
        first: mean share of the winnable bargains the first time, ``again`` the second time.
        error: standard error of the difference of the two, over whole games.
        passed: what the rule says.
    """

    replayed: int
    different: int
    bargains: int
    turns: int
    same: int
    first: float
    again: float
    error: float
    passed: bool


def agreement_of(replayed: int, different: int, pairs: Sequence[Pair]) -> Agreement:
    """Judge.

    Args:
        replayed: bargains whose kept moves were played again.
        different: those that did not give the same log; one is too many.
        pairs: games that were dealt twice.

    >>> alike = Pair(1, 5, 2, (0.5,), (0.55,))
    >>> agreement_of(40, 0, [alike] * 3).passed, agreement_of(40, 1, [alike] * 3).passed
    (True, False)
    """
    turns, same = sum(pair.turns for pair in pairs), sum(pair.same for pair in pairs)
    count = sum(len(pair.first) for pair in pairs) or 1
    first = sum(sum(pair.first) for pair in pairs) / count
    again = sum(sum(pair.again) for pair in pairs) / count
    error = standard_error([sum(pair.first) - sum(pair.again) for pair in pairs]) / count
    apart = abs(first - again)
    margin = max(NEAR_ENOUGH, ERRORS_APART * error if len(pairs) >= FEWEST_GAMES else 0.0)
    alike = same >= SAME_ENOUGH * turns or apart <= margin
    return Agreement(
        replayed=replayed,
        different=different,
        bargains=sum(pair.bargains for pair in pairs),
        turns=turns,
        same=same,
        first=round(first, 4),
        again=round(again, 4),
        error=round(error, 4),
        passed=different == 0 and alike,
    )


def standard_error(differences: Sequence[float]) -> float:
    """Give the standard error of a sum of independent differences; 0 for fewer than two.

    >>> standard_error([1.0, -1.0])
    2.0
    """
    n = len(differences)
    if n < 2:
        return 0.0
    mean = sum(differences) / n
    return math.sqrt(n * sum((one - mean) ** 2 for one in differences) / (n - 1))


def turns_alike(one: Sequence[KeptMove], another: Sequence[KeptMove]) -> tuple[int, int]:
    """Count the turns that had the same history, and those decided alike.

    After the first different decision the two games are different games.
    """
    turns = same = 0
    for first, second in zip(one, another, strict=False):
        turns += 1
        if not same_decision(first, second):
            break
        same += 1
    return turns, same
