"""The core of a game: who would leave a split, one that nobody would leave, or why there is none.

A core is found by one linear programme, answered by HiGHS in floats: it counts as empty where some
coalition misses more than ``TOLERANCE`` under every split.

Source of the terms: Peleg and Sudhölter (2007), Introduction to the theory of cooperative games.
"""

from fractions import Fraction
from math import factorial

import highspy
import numpy as np
from msgspec import Struct

from bazaarbatna.market.coalition.game import TOLERANCE, Coalition, CoalitionGame, Split


class Excess(Struct, frozen=True):
    """A coalition under a split: above 0, the ``gain`` is a reason to leave."""

    coalition: Coalition
    worth: Fraction
    gets: Fraction

    @property
    def gain(self) -> Fraction:
        """Worth less what the split gives the members together."""
        return self.worth - self.gets


def excesses(game: CoalitionGame, split: Split) -> tuple[Excess, ...]:
    """List every coalition under a split: the most reason to leave first, then the smaller.

    >>> pair = CoalitionGame.from_function("ab", lambda group: 4 if len(group) > 1 else 1)
    >>> [(each.coalition, int(each.gain)) for each in excesses(pair, {"a": 4, "b": 0})]
    [(('b',), 1), (('a', 'b'), 0), (('a',), -3)]
    """
    got = [Fraction(0)]
    for share in game.shares(split):
        got += [total + share for total in got]
    found = [
        (mask, Excess(game.members(mask), game.worths[mask], got[mask]))
        for mask in range(1, game.everyone + 1)
    ]
    found.sort(key=lambda one: (-one[1].gain, len(one[1].coalition), one[0]))
    return tuple(each for _, each in found)


def who_gains_by_defecting(game: CoalitionGame, split: Split) -> tuple[Excess, ...]:
    """List the coalitions that block a split: on their own they would have more.

    That of everyone is among them where the split hands out less than there is.
    Gains of at most ``TOLERANCE`` are left out as rounding.
    """
    return tuple(each for each in excesses(game, split) if each.gain > TOLERANCE)


def is_in_core(game: CoalitionGame, split: Split) -> bool:
    """Whether a split hands out just what everyone is worth, and no coalition blocks it.

    Source: Gillies (1959), Solutions to general non-zero-sum games.

    >>> pair = CoalitionGame.from_function("ab", lambda group: 4 if len(group) > 1 else 1)
    >>> is_in_core(pair, {"a": 2, "b": 2}), is_in_core(pair, {"a": 4, "b": 0})
    (True, False)
    """
    over = sum(game.shares(split)) - game.worths[-1]
    return over <= TOLERANCE and not who_gains_by_defecting(game, split)


class Core(Struct, frozen=True):
    """How close a game comes to holding together.

    Attributes:
        misses: what the worst-off coalition of some players misses at least, whatever the split;
            below 0, what it has to spare.
        split: shares by player with which it misses no more: one of several, where they are many.
        proof: coalitions with weights that count each player once and are worth more than
            everyone: what a split pays them by weight is the worth of everyone, so that one of
            them gets less than its worth (Bondareva 1963, Shapley 1967). None of them where
            the core is not empty.
    """

    misses: float
    split: dict[str, float]
    proof: tuple[tuple[Coalition, float], ...]

    @property
    def is_empty(self) -> bool:
        """Whether some coalition gains by leaving, whatever the split."""
        return self.misses > TOLERANCE


def find_core(game: CoalitionGame) -> Core:
    """Find the split under which the worst-off coalition misses least.

    >>> majority = CoalitionGame.from_function("abc", lambda group: int(len(group) > 1))
    >>> find_core(majority).is_empty, round(find_core(majority).misses, 3)
    (True, 0.333)
    """
    if len(game.players) == 1:
        return Core(0.0, game.split([float(game.worths[-1])]), ())
    solver = highspy.Highs()
    for name, value in _OPTIONS:
        solver.setOptionValue(name, value)
    solver.passModel(_programme(game))
    solver.run()
    status = solver.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise RuntimeError(f"HiGHS says {status}.")
    solution = solver.getSolution()
    *shares, misses = solution.col_value
    core = Core(misses, game.split(shares), ())
    if not core.is_empty:
        return core
    pressing = {
        mask: weight
        for mask, weight in enumerate(solution.row_dual[:-1], start=1)
        if weight > _NO_WEIGHT
    }
    # Every player is covered alike, so the first one shows how often.
    cover = sum(weight for mask, weight in pressing.items() if mask & 1)
    proof = tuple((game.members(mask), weight / cover) for mask, weight in pressing.items())
    return Core(misses, core.split, proof)


def _programme(game: CoalitionGame) -> highspy.HighsLp:
    players, rows = len(game.players), game.everyone
    worths = np.array(game.worths[1:], dtype=np.double)
    members = np.arange(1, rows + 1)[:, None] >> np.arange(players) & 1
    matrix = np.hstack([members, np.ones((rows, 1), dtype=int)])
    matrix[-1, -1] = 0
    at_row, at_column = np.nonzero(matrix)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = players + 1, rows
    model.col_cost_ = np.array([0.0] * players + [1.0])
    model.col_lower_ = np.full(players + 1, -highspy.kHighsInf)
    model.col_upper_ = np.full(players + 1, highspy.kHighsInf)
    model.row_lower_ = worths
    model.row_upper_ = np.array([highspy.kHighsInf] * (rows - 1) + [worths[-1]])
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(at_row, np.arange(rows + 1)).astype(np.int32)
    model.a_matrix_.index_ = at_column.astype(np.int32)
    model.a_matrix_.value_ = np.ones(len(at_row))
    return model


_NO_WEIGHT = 1e-9  # dual weights up to this are rounding

_OPTIONS: tuple[tuple[str, bool | int | str], ...] = (
    ("output_flag", False),
    ("solver", "simplex"),
    ("threads", 1),
    ("parallel", "off"),
    ("random_seed", 0),
)
"""One thread and a fixed seed: the same game has the same answer everywhere."""


def shapley_values(game: CoalitionGame) -> dict[str, Fraction]:
    """Return what each player adds, on average over all orders in which players could come.

    Before player ``i`` the ``s`` members of a coalition come in ``s! (n - s - 1)!`` of the ``n!``
    orders: ``sum of s! (n - s - 1)! / n! * (v(S + i) - v(S))``.

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
