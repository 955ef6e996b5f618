"""The core of a game: who would leave a split, one that nobody would leave, or why there is none.

A core is found by one linear programme, answered by HiGHS in floats: it counts as empty where some
coalition misses more than ``TOLERANCE`` under every split.

Source of the terms: Peleg and Sudhölter (2007), Introduction to the theory of cooperative games.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import factorial
from numbers import Rational, Real
from typing import TypeVar

import highspy
import msgspec
import numpy as np
from msgspec import Struct


class CoalitionGameError(ValueError):
    """The game or the split was refused."""

    code = "coalition-game-refused"


class BadPlayers(CoalitionGameError):
    """A game has one to ten players, each with a name of its own."""

    code = "bad-players"


class BadCoalition(CoalitionGameError):
    """A coalition is a group of the game's players."""

    code = "bad-coalition"


class BadWorth(CoalitionGameError):
    """A worth or a share is a finite number, at most 1e9 in size."""

    code = "bad-worth"


class BadSplit(CoalitionGameError):
    """A split gives each player of the game one share, and nobody else any."""

    code = "bad-split"


Number = Fraction | float
AnyNumber = TypeVar("AnyNumber", Fraction, float)

MOST_PLAYERS = 10
"""A game of ten has 1,023 coalitions; each further player doubles them."""

TOLERANCE = Fraction(1, 10_000)
"""Credits by which a group may miss its worth and still be held to have it: rounding.

The smallest amount of the market is 0.01.
"""

LARGEST = 10**9
"""No worth or share may be further from 0: floats beyond are less fine than the tolerance."""

Coalition = tuple[str, ...]

Split = Mapping[str, Number]

_LISTED = 3  # strangers that a message names


class CoalitionGame(msgspec.Struct, frozen=True):
    """Players by name, and the worth of each of their coalitions.

    Made by :meth:`from_function`, which checks everything. A coalition is also a bit mask inside:
    bit ``i`` stands for ``players[i]``.
    """

    players: tuple[str, ...]
    worths: tuple[Fraction, ...]
    """Worth by bit mask, ``2 ** len(players)`` of them; that of nobody, the first, is 0.

    A float is the fraction it stands for, so that what is not solved for is reckoned exactly.
    """

    @classmethod
    def from_function(
        cls, players: Sequence[str], worth: Callable[[frozenset[str]], float | Fraction]
    ) -> "CoalitionGame":
        """Ask a function for every worth; ``BadPlayers`` or ``BadWorth`` where it is none.

        >>> CoalitionGame.from_function(["a", "b"], len).worth(["a", "b"])
        Fraction(2, 1)
        """
        names = _checked_players(players)
        worths = [Fraction(0)]
        for mask in range(1, 1 << len(names)):
            group = tuple(_members(names, mask))
            what = f"The worth of ({', '.join(group)})"
            worths.append(to_fraction(worth(frozenset(group)), what))
        return cls(names, tuple(worths))

    @property
    def everyone(self) -> int:
        """The mask of the coalition of all players."""
        return len(self.worths) - 1

    def worth(self, coalition: Iterable[str]) -> Fraction:
        """Return what a coalition is worth."""
        return self.worths[_mask(self.players, coalition)]

    def members(self, mask: int) -> Coalition:
        """Return the names of the players of a mask."""
        return tuple(_members(self.players, mask))

    def split(self, shares: Iterable[AnyNumber]) -> dict[str, AnyNumber]:
        """Put names to shares, which are in the order of the players."""
        return dict(zip(self.players, shares, strict=True))

    def shares(self, split: Split) -> tuple[Fraction, ...]:
        """Read a split: shares in the order of the players."""
        if missing := [name for name in self.players if name not in split]:
            raise BadSplit(f"The split must name every player; it lacks {missing}.")
        if strangers := [name for name in split if name not in self.players]:
            raise BadSplit(f"The split names {strangers[:_LISTED]}; the players: {self.players}.")
        return tuple(to_fraction(split[name], f"The share of {name}") for name in self.players)


def to_fraction(value: object, what: str) -> Fraction:
    """Read an integer, fraction or float; ``BadWorth`` unless finite and within ``LARGEST``.

    >>> to_fraction(0.5, "a share")
    Fraction(1, 2)
    """
    if isinstance(value, Rational):
        # NumPy's integers would carry their overflow into the fraction.
        number = Fraction(int(value.numerator), int(value.denominator))
    elif isinstance(value, Real) and math.isfinite(value):
        number = Fraction(float(value))
    else:
        raise BadWorth(f"{what} must be a finite number, not {repr(value)[:40]}.")
    if abs(number) > LARGEST:
        raise BadWorth(f"{what} must be at most 1e9 in size, not {repr(value)[:40]}.")
    return number


def _checked_players(players: Sequence[object]) -> tuple[str, ...]:
    if not 1 <= len(players) <= MOST_PLAYERS:
        raise BadPlayers(f"A game has 1 to {MOST_PLAYERS} players, not {len(players)}.")
    names: list[str] = []
    for name in players:
        if not isinstance(name, str) or not name.strip():
            raise BadPlayers(f"A player needs a name, not {name!r}.")
        if name in names:
            raise BadPlayers(f"Two players are called {name!r}; every name must be its own.")
        names.append(name)
    return tuple(names)


def _mask(names: tuple[str, ...], coalition: Iterable[str]) -> int:
    members = [coalition] if isinstance(coalition, str) else list(coalition)
    if strangers := [name for name in members if name not in names]:
        raise BadCoalition(f"{strangers[:_LISTED]} do not play; the players: {list(names)}.")
    return sum(1 << names.index(name) for name in set(members))


def _members(names: tuple[str, ...], mask: int) -> Iterator[str]:
    return (name for place, name in enumerate(names) if mask >> place & 1)


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
