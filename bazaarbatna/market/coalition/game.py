"""A coalition game: what every group of players is worth together."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from numbers import Rational, Real
from typing import TypeVar

import msgspec


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
