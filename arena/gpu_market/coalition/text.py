"""A game and a split in sentences, for a page that explains them.

Names stand in the sentences as they are; who puts them on a page escapes them.
"""

from collections.abc import Iterable, Sequence

from arena.gpu_market.coalition.core import (
    Excess,
    find_core,
    shapley_values,
    who_gains_by_defecting,
)
from arena.gpu_market.coalition.game import TOLERANCE, CoalitionGame, Number, Split

MOST_GROUPS = 3
"""Groups who gain by leaving that a text names; it counts the others."""

_CENT = 0.01


def about_leaving(game: CoalitionGame, split: Split, most: int = MOST_GROUPS) -> tuple[str, ...]:
    """Name the groups that gain by leaving a split, those with the largest gain first.

    >>> majority = CoalitionGame.from_function("abc", lambda group: int(len(group) > 1))
    >>> about_leaving(majority, {"a": 1, "b": 0, "c": 0})
    ('b and c together are worth 1.0 but get 0.0: they would gain 1.0 by leaving.',)
    """
    sentences = []
    paid, worth = sum(game.shares(split)), game.worths[-1]
    if paid - worth > TOLERANCE:
        sentences.append(
            f"The split hands out {amount(paid)}, more than the {amount(worth)} there is."
        )
    blocking = who_gains_by_defecting(game, split)
    sentences += [about_gain(game, each) for each in blocking[:most]]
    if rest := len(blocking[most:]):
        sentences.append(f"{rest} more {'group' if rest == 1 else 'groups'} would gain too.")
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

    >>> about_core(CoalitionGame.from_function("ab", lambda group: 4 if len(group) > 1 else 1))
    'Some split keeps every group (the core is not empty): a 2.0 and b 2.0.'
    """
    core = find_core(game)
    if not core.is_empty:
        shares = listed(f"{name} {amount(share)}" for name, share in core.split.items())
        return f"Some split keeps every group (the core is not empty): {shares}."
    missed = f"{amount(core.misses)} or more" if core.misses >= _CENT else "a little"
    family = listed(f"{amount(weight)} of {'+'.join(group)}" for group, weight in core.proof)
    total = sum(weight * float(game.worth(group)) for group, weight in core.proof)
    return (
        f"No split keeps every group (the core is empty): {family} count each player once and are "
        f"worth {amount(total)}, but all together are worth {amount(game.worths[-1])}. "
        f"Some group always misses {missed}."
    )


def about_shapley(game: CoalitionGame, split: Split) -> tuple[str, ...]:
    """Set each share beside what the player adds on average, in the order of the players.

    >>> pair = CoalitionGame.from_function("ab", lambda group: 4 if len(group) > 1 else 1)
    >>> about_shapley(pair, {"a": 1, "b": 3})[1]
    'b gets 3.0 and adds 2.0 on average (its Shapley value): 1.0 more than it adds.'
    """
    sentences = []
    values = shapley_values(game)
    for name, gets in zip(game.players, game.shares(split), strict=True):
        more = gets - values[name]
        gap = f"{_at_least_a_cent(abs(more))} {'more' if more > 0 else 'less'} than it adds"
        sentences.append(
            f"{name} gets {amount(gets)} and adds {amount(values[name])} on average "
            f"(its Shapley value): {gap if abs(more) > TOLERANCE else 'just that'}."
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
