"""Who would leave: what each coalition is worth, against what a split gives its members."""

from fractions import Fraction

import msgspec

from arena.gpu_market.coalition_games.game import Coalition, CoalitionGame, Split, sums
from arena.gpu_market.coalition_games.numbers import Number, is_exact, to_number


class Excess(msgspec.Struct, frozen=True):
    """A coalition under a split."""

    coalition: Coalition
    worth: Number
    gets: Number
    """What the split gives its members together."""
    gain: Number
    """Worth less what it gets: above 0, the members have a reason to leave."""

    @property
    def gain_each(self) -> Number:
        """The gain of each member, if they share it evenly."""
        return self.gain / len(self.coalition)


def excesses(game: CoalitionGame, split: Split) -> tuple[Excess, ...]:
    """List every coalition under a split, those with the most reason to leave first.

    Args:
        game: the game.
        split: what each player gets; it may hand out more or less than everyone is worth.

    Returns:
        All coalitions but that of nobody; of equal gains the smaller coalition first.

    Raises:
        BadSplit: a player is missing, or somebody else gets a share.
        BadWorth: a share is not a finite number.

    >>> from arena.gpu_market.coalition_games.textbook import glove
    >>> first = excesses(glove(["a"], ["b", "c"]), {"a": 0, "b": 1, "c": 0})[0]
    >>> first.coalition, first.gain
    (('a', 'c'), Fraction(1, 1))
    """
    got, exact = sums(game.shares(split)), _is_exact(game, split)
    order = sorted(
        range(1, game.everyone + 1),
        key=lambda mask: (got[mask] - game.worths[mask], mask.bit_count(), mask),
    )
    return tuple(
        Excess(
            game.members(mask),
            to_number(game.worths[mask], game.exact),
            to_number(got[mask], exact),
            to_number(game.worths[mask] - got[mask], exact),
        )
        for mask in order
    )


def who_gains_by_defecting(game: CoalitionGame, split: Split) -> tuple[Excess, ...]:
    """List the coalitions that block a split: on their own they would have more.

    That of everyone is among them where the split hands out less than there is.

    Returns:
        As :func:`excesses`, the largest gain first; empty if nobody gains. With floats, gains under
        a billionth of the game's largest worth are left out as rounding.

    Raises:
        BadSplit: a player is missing, or somebody else gets a share.
        BadWorth: a share is not a finite number.

    >>> from arena.gpu_market.coalition_games.textbook import weighted_majority
    >>> majority = weighted_majority(2, {"a": 1, "b": 1, "c": 1})
    >>> [each.coalition for each in who_gains_by_defecting(majority, {"a": 1, "b": 0, "c": 0})]
    [('b', 'c')]
    """
    slack = tolerance(game, split)
    return tuple(each for each in excesses(game, split) if each.gain > slack)


def is_in_core(game: CoalitionGame, split: Split) -> bool:
    """Tell whether a split hands out just what everyone is worth, and no coalition blocks it.

    Source: Gillies (1959), Solutions to general non-zero-sum games.

    >>> from arena.gpu_market.coalition_games.textbook import glove
    >>> is_in_core(glove(["a"], ["b", "c"]), {"a": 1, "b": 0, "c": 0})
    True
    """
    over = sum(game.shares(split)) - game.worths[-1]
    return over <= tolerance(game, split) and not who_gains_by_defecting(game, split)


def tolerance(game: CoalitionGame, split: Split) -> Fraction:
    """Say how large a difference may be rounding: 0 where all numbers are exact."""
    return Fraction(0) if _is_exact(game, split) else game.rounding


def _is_exact(game: CoalitionGame, split: Split) -> bool:
    return game.exact and all(map(is_exact, split.values()))
