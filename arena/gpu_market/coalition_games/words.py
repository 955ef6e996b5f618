"""A game and a split in sentences, for a page that explains them.

Names stand in the sentences as they are; who puts them on a page escapes them.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from arena.gpu_market.coalition_games.core import core_point, least_core, why_core_is_empty
from arena.gpu_market.coalition_games.excess import Excess, tolerance, who_gains_by_defecting
from arena.gpu_market.coalition_games.game import CoalitionGame, Split
from arena.gpu_market.coalition_games.numbers import Number
from arena.gpu_market.coalition_games.shapley import shapley_values

MOST_GROUPS = 3
"""Groups who gain by leaving that a text names; it counts the others."""

_CENT = 0.01


def explain(game: CoalitionGame, split: Split, most: int = MOST_GROUPS) -> tuple[str, ...]:
    """Say who would leave and why, whether a better split exists, and who gets its due.

    Args:
        game: the game.
        split: what each player gets.
        most: groups to name at most.

    Raises:
        BadSplit: a player is missing, or somebody else gets a share.
        BadWorth: a share is not a finite number.
    """
    return (
        *about_leaving(game, split, most),
        about_core(game),
        *about_shapley(game, split),
    )


def about_leaving(game: CoalitionGame, split: Split, most: int = MOST_GROUPS) -> tuple[str, ...]:
    """Name the groups that gain by leaving a split, those with the largest gain first.

    >>> from arena.gpu_market.coalition_games.textbook import weighted_majority
    >>> majority = weighted_majority(2, {"a": 1, "b": 1, "c": 1})
    >>> about_leaving(majority, {"a": 1, "b": 0, "c": 0})
    ('b and c together are worth 1.0 but get 0.0: they would gain 1.0 by leaving.',)
    """
    sentences = []
    paid, worth = sum(game.shares(split)), game.worths[-1]
    if paid - worth > tolerance(game, split):
        sentences.append(
            f"The split hands out {amount(paid)}, more than the {amount(worth)} there is."
        )
    blocking = who_gains_by_defecting(game, split)
    sentences += [about_gain(game, each) for each in blocking[:most]]
    if rest := len(blocking[most:]):
        sentences.append(f"{rest} more {_plural(rest, 'group')} would gain too.")
    return tuple(sentences) or ("Nobody would gain by leaving: this split is in the core.",)


def about_gain(game: CoalitionGame, each: Excess) -> str:
    """Say what a group that gains by leaving is worth and gets."""
    gain = _at_least_a_cent(each.gain)
    worth, gets, who = amount(each.worth), amount(each.gets), listed(each.coalition)
    if len(each.coalition) == len(game.players):
        verb = "are" if len(each.coalition) > 1 else "is"
        return f"{who} {verb} worth {worth} but {gain} of it goes to nobody."
    if len(each.coalition) == 1:
        return f"{who} alone is worth {worth} but gets {gets}: it would gain {gain} by leaving."
    return f"{who} together are worth {worth} but get {gets}: they would gain {gain} by leaving."


def about_core(game: CoalitionGame) -> str:
    """Say whether some split keeps every group; name one, or the groups that make it impossible.

    >>> from arena.gpu_market.coalition_games.textbook import glove
    >>> about_core(glove(["a"], ["b", "c"]))
    'Some split keeps every group (the core is not empty): a 1.0, b 0.0 and c 0.0.'
    """
    if (point := core_point(game)) is not None:
        shares = listed(f"{name} {amount(share)}" for name, share in point.items())
        return f"Some split keeps every group (the core is not empty): {shares}."
    proof = why_core_is_empty(game)
    assert proof is not None, "an empty core has a proof"
    epsilon = least_core(game).epsilon
    missed = f"{amount(epsilon)} or more" if epsilon >= _CENT else "a little"
    family = listed(f"{amount(weight)} of {'+'.join(group)}" for group, weight in proof.weights)
    return (
        f"No split keeps every group (the core is empty): {family} count each player once and are "
        f"worth {amount(proof.total)}, but all together are worth {amount(game.worths[-1])}. "
        f"Some group always misses {missed}."
    )


def about_shapley(game: CoalitionGame, split: Split) -> tuple[str, ...]:
    """Set each share beside what the player adds on average, in the order of the players.

    >>> from arena.gpu_market.coalition_games.textbook import airport
    >>> about_shapley(airport({"a": 1, "b": 3}), {"a": 0.5, "b": 3})[1]
    'b gets 3.0 and adds 2.5 on average (its Shapley value): 0.5 more than it adds.'
    """
    slack, sentences = tolerance(game, split), []
    values = shapley_values(game)
    for name, gets in zip(game.players, game.shares(split), strict=True):
        more = gets - Fraction(values[name])
        gap = f"{_at_least_a_cent(abs(more))} {'more' if more > 0 else 'less'} than it adds"
        sentences.append(
            f"{name} gets {amount(gets)} and adds {amount(values[name])} on average "
            f"(its Shapley value): {gap if abs(more) > slack else 'just that'}."
        )
    return tuple(sentences)


def listed(names: Iterable[str]) -> str:
    """Join names as a sentence does.

    >>> listed(["lab_0"]), listed(["lab_0", "lab_1", "lab_2"])
    ('lab_0', 'lab_0, lab_1 and lab_2')
    """
    every: Sequence[str] = tuple(names)
    return " and ".join(part for part in (", ".join(every[:-1]), every[-1]) if part)


def amount(value: Number) -> str:
    """Write a number with one decimal, or two where the second is not 0.

    >>> amount(12), amount(9.5), amount(7 / 3), amount(-0.001)
    ('12.0', '9.5', '2.33', '0.0')
    """
    text = f"{round(float(value), 2) + 0.0:,.2f}"
    return text[:-1] if text.endswith("0") else text


def _at_least_a_cent(value: Number) -> str:
    return amount(value) if value >= _CENT else "less than 0.01"


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"
