"""Splits that hold a game together: core, least core, nucleolus.

Source of the terms: Peleg and Sudhölter (2007), Introduction to the theory of cooperative games.
"""

from fractions import Fraction

import msgspec

from arena.gpu_market.coalition_games.game import Coalition, CoalitionGame, Split
from arena.gpu_market.coalition_games.numbers import Number, to_number
from arena.gpu_market.coalition_games.settling import settle


class LeastCore(msgspec.Struct, frozen=True):
    """The smallest loss with which every group can be asked to stay."""

    epsilon: Number
    """The least that the worst-off coalition misses, over all splits; below 0 it is to spare."""
    split: Split
    """A split that reaches it."""


class Balance(msgspec.Struct, frozen=True):
    """Coalitions with weights that count each player once: together they are worth ``total``."""

    weights: tuple[tuple[Coalition, Number], ...]
    total: Number


def least_core(game: CoalitionGame) -> LeastCore:
    """Find how little the worst-off coalition needs to miss.

    Looked at are splits of just what everyone is worth, and coalitions of some but not all
    players. A player alone in a game misses 0.

    Source: Maschler, Peleg and Shapley (1979), Geometric properties of the kernel, nucleolus, and
    related solution concepts.

    >>> from arena.gpu_market.coalition_games.textbook import weighted_majority
    >>> least_core(weighted_majority(2, {"a": 1, "b": 1, "c": 1})).epsilon
    Fraction(1, 3)
    """
    settled = settle(game, stages=1)
    return LeastCore(to_number(_epsilon(settled.levels), game.exact), game.split(settled.shares))


def is_core_empty(game: CoalitionGame) -> bool:
    """Tell whether some coalition gains by leaving, whatever the split.

    Exact where the worths are; with floats, a billionth of the largest worth counts as nothing.

    >>> from arena.gpu_market.coalition_games.textbook import weighted_majority
    >>> is_core_empty(weighted_majority(2, {"a": 1, "b": 1, "c": 1}))
    True
    """
    return _misses(game, settle(game, stages=1).levels)


def core_point(game: CoalitionGame) -> dict[str, Number] | None:
    """Give the split of the core that is furthest from losing anybody: the nucleolus.

    Returns:
        Shares by player; None when the core is empty.

    >>> from arena.gpu_market.coalition_games.textbook import glove
    >>> list(map(str, core_point(glove(["a"], ["b", "c"])).values()))
    ['1', '0', '0']
    """
    settled = settle(game)
    return None if _misses(game, settled.levels) else game.split(settled.shares)


def why_core_is_empty(game: CoalitionGame) -> Balance | None:
    """Give the proof that the core is empty: a balanced family worth more than everyone.

    A split pays each player once, so what it pays the family, by weight, is the worth of everyone;
    when the family is worth more, some coalition in it gets less than its worth.

    Returns:
        The family; None when the core is not empty.

    Source: Bondareva (1963); Shapley (1967), On balanced sets and cores.

    >>> from arena.gpu_market.coalition_games.textbook import weighted_majority
    >>> str(why_core_is_empty(weighted_majority(2, {"a": 1, "b": 1, "c": 1})).total)
    '3/2'
    """
    settled = settle(game, stages=1)
    if not _misses(game, settled.levels):
        return None
    # Every player is covered alike, so the first one tells how often.
    cover = sum((weight for mask, weight in settled.pressing if mask & 1), Fraction(0))
    total = sum((weight * game.worths[mask] for mask, weight in settled.pressing), Fraction(0))
    return Balance(
        tuple(
            (game.members(mask), to_number(weight / cover, game.exact))
            for mask, weight in sorted(settled.pressing)
        ),
        to_number(total / cover, game.exact),
    )


def prenucleolus(game: CoalitionGame) -> dict[str, Number]:
    """Give the split that makes the largest complaint smallest, then the next one, and so on.

    Source: Schmeidler (1969), The nucleolus of a characteristic function game; Sobolev (1975).

    >>> from arena.gpu_market.coalition_games.textbook import bankruptcy
    >>> talmud = bankruptcy(200, {"a": 100, "b": 200, "c": 300})
    >>> list(map(str, prenucleolus(talmud).values()))
    ['50', '75', '75']
    """
    return game.split(settle(game).shares)


def nucleolus(game: CoalitionGame) -> dict[str, Number] | None:
    """Give the prenucleolus among the splits that leave nobody less than it is worth alone.

    The two are one where the core is not empty, and in every superadditive game.

    Returns:
        Shares by player; None when everyone together is worth less than each alone.

    Source: Schmeidler (1969), The nucleolus of a characteristic function game.

    >>> from arena.gpu_market.coalition_games.textbook import glove
    >>> list(map(str, nucleolus(glove(["a"], ["b", "c"])).values()))
    ['1', '0', '0']
    """
    alone = [game.worths[1 << place] for place in range(len(game.players))]
    short = max(sum(alone, Fraction(0)) - game.worths[-1], Fraction(0))
    if short > game.slack:
        return None
    # Where floats only seem to fall short, the missing billionth is spread over all.
    floors = [worth - short / len(alone) for worth in alone]
    return game.split(settle(game, floors=floors).shares)


def _epsilon(levels: tuple[Fraction, ...]) -> Fraction:
    return levels[0] if levels else Fraction(0)


def _misses(game: CoalitionGame, levels: tuple[Fraction, ...]) -> bool:
    return _epsilon(levels) > game.slack
