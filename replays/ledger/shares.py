"""How much each of a turn's words did to an estimate: Shapley values, exact.

Leaving one out does not add up here: reasons for one signal join like doubts (two of 0.8 make 0.96,
not 1.6), firm and doubtful words are averaged, and the estimate is held in 0..1. The Shapley value
averages what a span adds over every order in which the spans could have been said; it is the only
split that adds up, treats equals alike and gives nothing to words that did nothing.

Source: L. S. Shapley, "A value for n-person games", 1953.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import TypeVar

import msgspec

MOST = 7
"""Reasons of one turn that are told apart (128 estimates, a millisecond); few lines hold more."""


class Amount(msgspec.Struct, frozen=True):
    """A movement of the estimate, each part -1..1."""

    urgency: float = 0.0
    flexibility: float = 0.0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.urgency + other.urgency, self.flexibility + other.flexibility)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.urgency - other.urgency, self.flexibility - other.flexibility)

    def times(self, factor: float) -> "Amount":
        """Scale both parts."""
        return Amount(self.urgency * factor, self.flexibility * factor)


Player = TypeVar("Player")
Key = TypeVar("Key", bound=Hashable)


def grouped(players: Sequence[Player], key: Callable[[Player], Key]) -> list[list[Player]]:
    """Return players that count as one together; beyond ``MOST`` groups the last are one group.

    >>> grouped(["a", "b", "A"], str.lower)
    [['a', 'A'], ['b']]
    """
    groups: dict[Key, list[Player]] = {}
    for player in players:
        groups.setdefault(key(player), []).append(player)
    found = list(groups.values())
    if len(found) <= MOST:
        return found
    return [*found[: MOST - 1], list(chain.from_iterable(found[MOST - 1 :]))]


def shares(
    players: Sequence[Player], worth: Callable[[Sequence[Player]], Amount]
) -> tuple[Amount, ...]:
    """Return each player's part of what they achieve together.

    Args:
        players: at most some ten: every further one doubles the work.
        worth: what a part of them achieves, given in the order of ``players``.

    Returns:
        One share each; they add up to ``worth(all) - worth(none)``.

    >>> shares(["a", "b"], lambda some: Amount(min(len(some), 1)))
    (Amount(urgency=0.5, flexibility=0.0), Amount(urgency=0.5, flexibility=0.0))
    """
    count = len(players)
    worths = [
        worth([one for place, one in enumerate(players) if mask >> place & 1])
        for mask in range(1 << count)
    ]
    weights = [1 / (count * math.comb(count - 1, size)) for size in range(count)]
    found = [Amount()] * count
    for mask, before in enumerate(worths):
        for place in range(count):
            if not mask >> place & 1:
                step = worths[mask | 1 << place] - before
                found[place] += step.times(weights[mask.bit_count()])
    return tuple(found)
