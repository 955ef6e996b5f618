"""Who would leave a split, by how much, and in which words a page says it."""

from fractions import Fraction

import pytest

from bazaarbatna.market import coalition
from bazaarbatna.market.coalition import CoalitionGame
from bazaarbatna.market.coalition.text import amount
from tests.support.coalition import MAJORITY, a_game

WORTHS = {
    frozenset({"lab_0"}): 4,
    frozenset({"lab_1"}): 2,
    frozenset({"lab_2"}): 3,
    frozenset({"lab_0", "lab_1"}): 7,
    frozenset({"lab_0", "lab_2"}): 12,
    frozenset({"lab_1", "lab_2"}): 6,
    frozenset({"lab_0", "lab_1", "lab_2"}): 15,
}
LABS = CoalitionGame.from_function(["lab_0", "lab_1", "lab_2"], WORTHS.__getitem__)
ACTUAL = {"lab_0": 7.5, "lab_1": 5.5, "lab_2": 2.0}


def test_groups_that_gain_by_leaving_are_named_the_largest_gain_first() -> None:
    blocking = coalition.who_gains_by_defecting(LABS, ACTUAL)
    assert [(each.coalition, each.gain) for each in blocking] == [
        (("lab_0", "lab_2"), 2.5),
        (("lab_2",), 1.0),
    ]
    first = blocking[0]
    assert (first.worth, first.gets) == (12, 9.5)


def test_every_coalition_has_its_excess_in_order() -> None:
    every = coalition.excesses(LABS, ACTUAL)
    assert len(every) == 7
    assert [each.gain for each in every] == sorted((each.gain for each in every), reverse=True)
    assert all(each.gain == each.worth - each.gets for each in every)
    # Of equal excess the smaller group first, then by the order of the players.
    tied = coalition.excesses(MAJORITY, dict.fromkeys("abc", Fraction(1, 3)))
    assert ["".join(each.coalition) for each in tied] == ["ab", "ac", "bc", "abc", "a", "b", "c"]
    nothing = CoalitionGame.from_function("abc", lambda group: 0)
    tied = coalition.excesses(nothing, dict.fromkeys("abc", 0))
    assert ["".join(each.coalition) for each in tied] == ["a", "b", "c", "ab", "ac", "bc", "abc"]


def test_exact_splits_have_exact_gains() -> None:
    gain = coalition.excesses(
        MAJORITY, {"a": Fraction(1, 3), "b": Fraction(1, 3), "c": Fraction(1, 3)}
    )[0].gain
    assert type(gain) is Fraction
    assert gain == Fraction(1, 3)


def test_all_together_block_a_split_that_leaves_something_over() -> None:
    blocking = coalition.who_gains_by_defecting(LABS, {"lab_0": 8, "lab_1": 2, "lab_2": 4})
    assert [(each.coalition, each.gain) for each in blocking] == [(LABS.players, 1)]


def test_a_split_is_explained() -> None:
    assert (
        *coalition.about_leaving(LABS, ACTUAL),
        coalition.about_core(LABS),
        *coalition.about_shapley(LABS, ACTUAL),
    ) == (
        "lab_0 and lab_2 together are worth 12.0 but get 9.5: they would gain 2.5 by leaving.",
        "lab_2 alone is worth 3.0 but gets 2.0: it would gain 1.0 by leaving.",
        "Some split keeps every group (the core is not empty): lab_0 5.0, lab_1 2.5 and lab_2 7.5.",
        "lab_0 gets 7.5 and adds 6.67 on average (its Shapley value): 0.83 more than it adds.",
        "lab_1 gets 5.5 and adds 2.67 on average (its Shapley value): 2.83 more than it adds.",
        "lab_2 gets 2.0 and adds 5.67 on average (its Shapley value): 3.67 less than it adds.",
    )


def test_an_empty_core_is_explained_by_groups_that_count_everyone_once() -> None:
    assert coalition.about_core(MAJORITY) == (
        "No split keeps every group (the core is empty): 0.5 of a+b, 0.5 of a+c and 0.5 of b+c "
        "count each player once and are worth 1.5, but all together are worth 1.0. "
        "Some group always misses 0.33 or more."
    )


def test_a_core_that_is_empty_by_a_hair_is_not_said_to_miss_nothing() -> None:
    alone = Fraction(1, 2)
    game = a_game({"a": alone, "b": alone, "ab": 1 - Fraction(1, 1000)})
    assert coalition.about_core(game).endswith("Some group always misses a little.")


def test_a_split_in_the_core_has_a_sentence_too() -> None:
    said = coalition.about_leaving(LABS, coalition.find_core(LABS).split)
    assert said == ("Nobody would gain by leaving: this split is in the core.",)


def test_what_is_left_over_or_missing_is_said() -> None:
    assert coalition.about_leaving(LABS, {"lab_0": 8, "lab_1": 2, "lab_2": 4}) == (
        "lab_0, lab_1 and lab_2 are worth 15.0 but 1.0 of it goes to nobody.",
    )
    assert coalition.about_leaving(LABS, {"lab_0": 9, "lab_1": 3, "lab_2": 4}) == (
        "The split hands out 16.0, more than the 15.0 there is.",
    )
    alone = a_game({"a": 5})
    assert coalition.about_leaving(alone, {"a": 2}) == (
        "a is worth 5.0 but 3.0 of it goes to nobody.",
    )


def test_a_long_list_of_groups_is_counted() -> None:
    nothing = {"lab_0": 0, "lab_1": 0, "lab_2": 0}
    assert coalition.about_leaving(LABS, nothing, most=1) == (
        "lab_0, lab_1 and lab_2 are worth 15.0 but 15.0 of it goes to nobody.",
        "6 more groups would gain too.",
    )
    assert coalition.about_leaving(LABS, nothing, most=6)[-1] == "1 more group would gain too."


def test_a_share_that_is_just_right_and_a_gain_of_almost_nothing_are_named() -> None:
    values = coalition.shapley_values(LABS)
    assert all("just that." in said for said in coalition.about_shapley(LABS, values))
    as_floats = {name: float(value) for name, value in values.items()}
    assert all("just that." in said for said in coalition.about_shapley(LABS, as_floats))
    hair = {**values, "lab_0": values["lab_0"] + Fraction(1, 1000)}
    assert "less than 0.01 more than it adds." in coalition.about_shapley(LABS, hair)[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234.5, "1,234.5"), (Fraction(-5, 2), "-2.5"), (0, "0.0"), (-1e-9, "0.0"), (0.125, "0.12")],
)
def test_amounts_are_short(value: Fraction | float, text: str) -> None:
    assert amount(value) == text
