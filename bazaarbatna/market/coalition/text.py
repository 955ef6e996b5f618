"""A game and a split in sentences, for a page that explains them.

Names stand in the sentences as they are; who puts them on a page escapes them.
"""

from collections.abc import Callable, Iterable, Sequence

from bazaarbatna.market.coalition.core import (
    TOLERANCE,
    CoalitionGame,
    Excess,
    Number,
    Split,
    find_core,
    shapley_values,
    who_gains_by_defecting,
)
from bazaarbatna.word_tables import texts_of

TEXTS = texts_of(__file__)

LookUp = Callable[[str], str]
"""Returns a text in the reader's language."""

MOST_GROUPS = 3
"""Groups who gain by leaving that a text names; it counts the others."""

_CENT = 0.01


def about_leaving(
    game: CoalitionGame, split: Split, most: int = MOST_GROUPS, *, look_up: LookUp = str
) -> tuple[str, ...]:
    """Name the groups that gain by leaving a split, those with the largest gain first.

    >>> majority = CoalitionGame.from_function("abc", lambda group: int(len(group) > 1))
    >>> about_leaving(majority, {"a": 1, "b": 0, "c": 0})
    ('b and c together are worth 1.0 but get 0.0: they would gain 1.0 by leaving.',)
    """
    sentences = []
    paid, worth = sum(game.shares(split)), game.worths[-1]
    if paid - worth > TOLERANCE:
        text = TEXTS["pays_too_much"]
        sentences.append(look_up(text) % {"paid": amount(paid), "worth": amount(worth)})
    blocking = who_gains_by_defecting(game, split)
    sentences += [about_gain(game, each, look_up=look_up) for each in blocking[:most]]
    if rest := len(blocking[most:]):
        text = TEXTS["more_groups"]
        if rest == 1:
            text = TEXTS["one_more_group"]
        sentences.append(look_up(text) % {"count": rest})
    nobody = TEXTS["in_the_core"]
    return tuple(sentences) or (look_up(nobody),)


def about_gain(game: CoalitionGame, each: Excess, *, look_up: LookUp = str) -> str:
    """Say what a group that gains by leaving is worth and gets."""
    values = {
        "who": listed(each.coalition, look_up=look_up),
        "worth": amount(each.worth),
        "gets": amount(each.gets),
        "gain": _at_least_a_cent(each.gain, look_up),
    }
    if len(each.coalition) == len(game.players):
        text = TEXTS["several_waste"]
        if len(each.coalition) == 1:
            text = TEXTS["one_wastes"]
    elif len(each.coalition) == 1:
        text = TEXTS["one_would_leave"]
    else:
        text = TEXTS["several_would_leave"]
    return look_up(text) % values


def about_core(game: CoalitionGame, *, look_up: LookUp = str) -> str:
    """Say whether some split keeps every group; name one, or the groups that make it impossible.

    >>> about_core(CoalitionGame.from_function("ab", lambda group: 4 if len(group) > 1 else 1))
    'Some split keeps every group (the core is not empty): a 2.0 and b 2.0.'
    """
    core = find_core(game)
    if not core.is_empty:
        shares = (f"{look_up(name)} {amount(share)}" for name, share in core.split.items())
        text = TEXTS["core_has_a_split"]
        return look_up(text) % {"shares": listed(shares, look_up=look_up)}
    missed = look_up(TEXTS["a_little"])
    if core.misses >= _CENT:
        missed = look_up(TEXTS["amount_or_more"]) % {"amount": amount(core.misses)}
    part = look_up(TEXTS["weight_of_group"])
    family = (
        part % {"weight": amount(weight), "group": "+".join(map(look_up, group))}
        for group, weight in core.proof
    )
    total = sum(weight * float(game.worth(group)) for group, weight in core.proof)
    text = TEXTS["core_is_empty"]
    return look_up(text) % {
        "family": listed(family, look_up=look_up),
        "total": amount(total),
        "worth": amount(game.worths[-1]),
        "missed": missed,
    }


def about_shapley(game: CoalitionGame, split: Split, *, look_up: LookUp = str) -> tuple[str, ...]:
    """Set each share beside what the player adds on average, in the order of the players.

    >>> pair = CoalitionGame.from_function("ab", lambda group: 4 if len(group) > 1 else 1)
    >>> about_shapley(pair, {"a": 1, "b": 3})[1]
    'b gets 3.0 and adds 2.0 on average (its Shapley value): 1.0 more than it adds.'
    """
    sentences = []
    values = shapley_values(game)
    for name, gets in zip(game.players, game.shares(split), strict=True):
        more = gets - values[name]
        if abs(more) <= TOLERANCE:
            text = TEXTS["gets_what_it_adds"]
        elif more > 0:
            text = TEXTS["gets_more"]
        else:
            text = TEXTS["gets_less"]
        told = {
            "who": look_up(name),
            "gets": amount(gets),
            "adds": amount(values[name]),
            "gap": _at_least_a_cent(abs(more), look_up),
        }
        sentences.append(look_up(text) % told)
    return tuple(sentences)


def listed(names: Iterable[str], *, look_up: LookUp = str) -> str:
    """Join names as a sentence does.

    >>> listed(["lab_0"]), listed(["lab_0", "lab_1", "lab_2"])
    ('lab_0', 'lab_0, lab_1 and lab_2')
    """
    every: Sequence[str] = tuple(map(look_up, names))
    if len(every) == 1:
        return every[0]
    text = look_up(TEXTS["first_and_last"])
    return text % {"first": ", ".join(every[:-1]), "last": every[-1]}


def amount(value: Number) -> str:
    """Write a number with one decimal, or two where the second is not 0.

    >>> amount(12), amount(9.5), amount(7 / 3), amount(-0.001)
    ('12.0', '9.5', '2.33', '0.0')
    """
    text = f"{round(float(value), 2) + 0.0:,.2f}"
    return text[:-1] if text.endswith("0") else text


def _at_least_a_cent(value: Number, look_up: LookUp) -> str:
    return amount(value) if value >= _CENT else look_up(TEXTS["below_a_cent"])
