"""What each player brings to the coalitions: the Shapley value and Banzhaf's two measures."""

from collections.abc import Sequence
from fractions import Fraction
from math import factorial

from arena.gpu_market.coalition_games.game import CoalitionGame
from arena.gpu_market.coalition_games.numbers import Number


def shapley_values(game: CoalitionGame) -> dict[str, Number]:
    """Give each player what it adds, on average over all orders in which players could come.

    Before player ``i`` the ``s`` members of a coalition come in ``s! (n - s - 1)!`` of the ``n!``
    orders: ``sum of s! (n - s - 1)! / n! * (v(S + i) - v(S))``.

    Returns:
        Shares by player; together they are the worth of everyone.

    Source: Shapley (1953), A value for n-person games.

    >>> from arena.gpu_market.coalition_games.textbook import weighted_majority
    >>> list(map(str, shapley_values(weighted_majority(51, {"a": 50, "b": 49, "c": 1})).values()))
    ['2/3', '1/6', '1/6']
    """
    n = len(game.players)
    weights = [
        Fraction(factorial(size) * factorial(n - size - 1), factorial(n)) for size in range(n)
    ]
    return game.split(_weighted_contributions(game, weights))


def banzhaf_values(game: CoalitionGame) -> dict[str, Number]:
    """Give each player what it adds, on average over all coalitions of the others.

    Returns:
        Shares by player. Their sum need not be the worth of everyone.

    Source: Banzhaf (1965), Weighted voting doesn't work; Dubey and Shapley (1979), Mathematical
    properties of the Banzhaf power index.

    >>> from arena.gpu_market.coalition_games.textbook import weighted_majority
    >>> list(map(str, banzhaf_values(weighted_majority(51, {"a": 50, "b": 49, "c": 1})).values()))
    ['3/4', '1/4', '1/4']
    """
    return game.split(_halved(game))


def banzhaf_index(game: CoalitionGame) -> dict[str, Number]:
    """Give each player's part of all that players add: Banzhaf's values, brought to the sum 1.

    Returns:
        Parts by player; all 0 where the values add up to 0, as in a game without any worth.

    >>> from arena.gpu_market.coalition_games.textbook import weighted_majority
    >>> list(map(str, banzhaf_index(weighted_majority(51, {"a": 50, "b": 49, "c": 1})).values()))
    ['3/5', '1/5', '1/5']
    """
    values = _halved(game)
    total = sum(values)
    return game.split(value / total if total else Fraction(0) for value in values)


def _halved(game: CoalitionGame) -> list[Fraction]:
    others = len(game.players) - 1
    return _weighted_contributions(game, [Fraction(1, 2**others)] * (others + 1))


def _weighted_contributions(game: CoalitionGame, weights: Sequence[Fraction]) -> list[Fraction]:
    """Add up what a player adds to coalitions of the others, weighted by their size."""
    n, worths = len(game.players), game.worths
    shares = []
    for place in range(n):
        by_size = [Fraction(0)] * n
        for mask in range(game.everyone + 1):
            if not mask >> place & 1:
                by_size[mask.bit_count()] += worths[mask | 1 << place] - worths[mask]
        shares.append(sum(map(Fraction.__mul__, weights, by_size), Fraction(0)))
    return shares
