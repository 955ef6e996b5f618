"""A coalition game: what every group of players is worth together."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

import msgspec

from arena.gpu_market.coalition_games.errors import (
    BadCoalition,
    BadPlayers,
    BadSplit,
    BadWorth,
    WorthMissing,
)
from arena.gpu_market.coalition_games.numbers import (
    SLACK,
    Number,
    is_exact,
    to_fraction,
    to_number,
)

AnyNumber = TypeVar("AnyNumber", int, Fraction)

MOST_PLAYERS = 10
"""A game of ten has 1,023 coalitions; each further player doubles them."""

Coalition = tuple[str, ...]
"""Names in the order of the game's players."""

Split = Mapping[str, Number]
"""What each player gets."""

_LISTED = 3
"""Missing coalitions that a message names."""


class CoalitionGame(msgspec.Struct, frozen=True):
    """Players by name, and the worth of each of their coalitions.

    Made by :meth:`from_worths` or :meth:`from_function`, which check everything. A coalition is
    also a bit mask inside: bit ``i`` stands for ``players[i]``.
    """

    players: tuple[str, ...]
    worths: tuple[Fraction, ...]
    """Worth by bit mask, ``2 ** len(players)`` of them; that of nobody, the first, is 0."""
    exact: bool
    """All worths were given as integers or fractions."""

    @classmethod
    def from_worths(
        cls, players: Sequence[str], worths: Mapping[Collection[str] | str, float | Fraction]
    ) -> "CoalitionGame":
        """Make a game of a table.

        Args:
            players: one to ten names.
            worths: worth by coalition, for every coalition but that of nobody. A coalition is a
                tuple or frozenset of names, in any order; one player may be written as the name.

        Raises:
            BadPlayers: nobody plays, too many do, or two have one name.
            BadCoalition: a coalition has a stranger in it, or is named twice.
            WorthMissing: a coalition has no worth.
            BadWorth: a worth is not a finite number, or nobody is worth something.

        >>> game = CoalitionGame.from_worths(["a", "b"], {"a": 0, "b": 1, ("a", "b"): 4})
        >>> game.worth(["b", "a"])
        Fraction(4, 1)
        """
        names = _checked_players(players)
        given: dict[int, float | Fraction] = {0: 0}
        for coalition, worth in worths.items():
            mask = _mask(names, coalition)
            if mask in given and mask:
                raise BadCoalition(f"{_named(names, mask)} has two worths; give one.")
            given[mask] = worth
        missing = [mask for mask in range(1 << len(names)) if mask not in given]
        if missing:
            listed = ", ".join(_named(names, mask) for mask in missing[:_LISTED])
            more = " and others" if len(missing) > _LISTED else ""
            raise WorthMissing(f"No worth is given for {len(missing)}: {listed}{more}.")
        return cls._made(names, [given[mask] for mask in range(1 << len(names))])

    @classmethod
    def from_function(
        cls, players: Sequence[str], worth: Callable[[frozenset[str]], float | Fraction]
    ) -> "CoalitionGame":
        """Make a game of a function, which is asked about every coalition that is not empty.

        Raises:
            BadPlayers: nobody plays, too many do, or two have one name.
            BadWorth: a worth is not a finite number.

        >>> CoalitionGame.from_function(["a", "b"], len).worth(["a", "b"])
        Fraction(2, 1)
        """
        names = _checked_players(players)
        asked = [worth(frozenset(_members(names, mask))) for mask in range(1, 1 << len(names))]
        return cls._made(names, [0, *asked])

    @classmethod
    def _made(cls, names: tuple[str, ...], given: Sequence[float | Fraction]) -> "CoalitionGame":
        worths = tuple(
            to_fraction(worth, f"The worth of {_named(names, mask)}")
            for mask, worth in enumerate(given)
        )
        if worths[0]:
            raise BadWorth(f"The worth of nobody must be 0, not {given[0]!r}.")
        return cls(names, worths, all(map(is_exact, given)))

    @property
    def everyone(self) -> int:
        """The mask of the coalition of all players."""
        return len(self.worths) - 1

    @property
    def slack(self) -> Fraction:
        """By how much two results may differ and count as equal: 0 in an exact game."""
        return Fraction(0) if self.exact else self.rounding

    @property
    def rounding(self) -> Fraction:
        """By how much a float may miss a tie in this game: a billionth of its largest worth."""
        return SLACK * max(map(abs, self.worths))

    def worth(self, coalition: Iterable[str]) -> Number:
        """Give what a coalition is worth.

        Raises:
            BadCoalition: somebody in it does not play.
        """
        return to_number(self.worths[_mask(self.players, coalition)], self.exact)

    def members(self, mask: int) -> Coalition:
        """Name the players of a mask."""
        return tuple(_members(self.players, mask))

    def split(self, shares: Iterable[Fraction]) -> dict[str, Number]:
        """Name the shares, which are in the order of the players."""
        return {
            name: to_number(share, self.exact)
            for name, share in zip(self.players, shares, strict=True)
        }

    def shares(self, split: Split) -> tuple[Fraction, ...]:
        """Read a split: shares in the order of the players.

        Raises:
            BadSplit: a player is missing, or somebody else gets a share.
            BadWorth: a share is not a finite number.
        """
        if missing := [name for name in self.players if name not in split]:
            raise BadSplit(f"The split must name every player; it lacks {missing}.")
        if strangers := [name for name in split if name not in self.players]:
            raise BadSplit(f"The split names {strangers[:_LISTED]}; the players: {self.players}.")
        return tuple(to_fraction(split[name], f"The share of {name}") for name in self.players)


def sums(shares: Sequence[AnyNumber]) -> list[AnyNumber]:
    """Add up what each coalition gets, by mask.

    >>> sums([1, 10])
    [0, 1, 10, 11]
    """
    totals = [shares[0] - shares[0]]
    for share in shares:
        totals += [total + share for total in totals]
    return totals


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


def _named(names: tuple[str, ...], mask: int) -> str:
    return f"({', '.join(_members(names, mask))})"
