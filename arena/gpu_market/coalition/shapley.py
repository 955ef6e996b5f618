"""The Shapley value: what each player brings to the coalitions."""

from fractions import Fraction
from math import factorial

from arena.gpu_market.coalition.game import CoalitionGame


def shapley_values(game: CoalitionGame) -> dict[str, Fraction]:
    """Return what each player adds, on average over all orders in which players could come.

    Before player ``i`` the ``s`` members of a coalition come in ``s! (n - s - 1)!`` of the ``n!``
    orders: ``sum of s! (n - s - 1)! / n! * (v(S + i) - v(S))``.

    Returns:
        Shares by player; together they are the worth of everyone.

    Source: Shapley (1953), A value for n-person games.

    >>> game = CoalitionGame.from_function("abc", lambda group: int({"a"} < group))
    >>> list(map(str, shapley_values(game).values()))
    ['2/3', '1/6', '1/6']
    """
    n, worths = len(game.players), game.worths
    shares = []
    for place in range(n):
        by_size = [Fraction(0)] * n
        for mask in range(game.everyone + 1):
            if not mask >> place & 1:
                by_size[mask.bit_count()] += worths[mask | 1 << place] - worths[mask]
        orders = (
            factorial(size) * factorial(n - size - 1) * added for size, added in enumerate(by_size)
        )
        shares.append(sum(orders, Fraction(0)) / factorial(n))
    return game.split(shares)
