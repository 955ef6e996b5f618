"""Textbook games have the values of the textbooks, as fractions."""

from fractions import Fraction

import numpy as np
import pytest

from arena.gpu_market import coalition_games as games
from arena.gpu_market.coalition_games import CoalitionGame

GLOVE = games.glove(["left"], ["right", "other"])
VOTES = games.weighted_majority(51, {"a": 50, "b": 49, "c": 1})
MAJORITY = games.weighted_majority(2, {"a": 1, "b": 1, "c": 1})
RUNWAY = games.airport({"small": 1, "middle": 2, "large": 3})
CLAIMS = {"a": 100, "b": 200, "c": 300}


def shares(split: games.Split | None) -> list[Fraction | float]:
    assert split is not None
    return list(split.values())


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (GLOVE, [Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)]),
        (VOTES, [Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)]),
        (RUNWAY, [Fraction(1, 3), Fraction(5, 6), Fraction(11, 6)]),
        (MAJORITY, [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]),
        (games.glove(["a", "b"], ["c"]), [Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)]),
    ],
)
def test_shapley_values_are_those_of_the_books(
    game: CoalitionGame, expected: list[Fraction | float]
) -> None:
    found = shares(games.shapley_values(game))
    assert found == expected
    assert all(type(share) is Fraction for share in found)


@pytest.mark.parametrize(
    ("game", "values", "index"),
    [
        (
            VOTES,
            [Fraction(3, 4), Fraction(1, 4), Fraction(1, 4)],
            [Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)],
        ),
        (MAJORITY, [Fraction(1, 2)] * 3, [Fraction(1, 3)] * 3),
        (
            # Four shareholders: 26 % are as good as 10 %, and here 4 % as nothing.
            games.weighted_majority(51, {"a": 40, "b": 30, "c": 26, "d": 4}),
            [Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), Fraction(0)],
            [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3), Fraction(0)],
        ),
    ],
)
def test_banzhaf_counts_swings(
    game: CoalitionGame, values: list[Fraction | float], index: list[Fraction | float]
) -> None:
    assert shares(games.banzhaf_values(game)) == values
    assert shares(games.banzhaf_index(game)) == index


def test_the_index_of_a_game_without_any_worth_is_zero() -> None:
    nothing = CoalitionGame.from_function(["a", "b"], lambda group: 0)
    assert shares(games.banzhaf_index(nothing)) == [0, 0]


def test_three_who_decide_by_majority_have_an_empty_core() -> None:
    assert games.is_core_empty(MAJORITY)
    assert games.core_point(MAJORITY) is None
    least = games.least_core(MAJORITY)
    assert least.epsilon == Fraction(1, 3)
    assert shares(least.split) == [Fraction(1, 3)] * 3
    proof = games.why_core_is_empty(MAJORITY)
    assert proof is not None
    assert proof.total == Fraction(3, 2)
    half = Fraction(1, 2)
    assert proof.weights == ((("a", "b"), half), (("a", "c"), half), (("b", "c"), half))


def test_who_has_the_rare_glove_gets_everything_in_the_core() -> None:
    assert not games.is_core_empty(GLOVE)
    assert games.why_core_is_empty(GLOVE) is None
    assert games.core_point(GLOVE) == {"left": 1, "right": 0, "other": 0}
    assert games.least_core(GLOVE).epsilon == 0
    # By a hair more or less, it is no longer the one point of the core.
    hair = Fraction(1, 10**30)
    assert games.is_in_core(GLOVE, {"left": 1, "right": 0, "other": 0})
    assert not games.is_in_core(GLOVE, {"left": 1 - hair, "right": hair, "other": 0})
    # Nor may more be shared out than there is.
    assert not games.is_in_core(GLOVE, {"left": 1 + hair, "right": 0, "other": 0})


def test_a_player_with_a_veto_holds_the_core() -> None:
    assert games.core_point(VOTES) == {"a": 1, "b": 0, "c": 0}


def test_savings_on_a_runway_can_be_shared_out() -> None:
    saved = games.savings(RUNWAY)
    assert games.is_convex(saved)
    # Alone they pay 1, 2, 3; of that the Shapley value of the savings is taken off.
    assert shares(games.shapley_values(saved)) == [
        1 - Fraction(1, 3),
        2 - Fraction(5, 6),
        3 - Fraction(11, 6),
    ]
    assert games.nucleolus(saved) == {
        "small": Fraction(1, 2),
        "middle": Fraction(5, 4),
        "large": Fraction(5, 4),
    }


@pytest.mark.parametrize(
    ("estate", "expected"),
    [
        (100, [Fraction(100, 3), Fraction(100, 3), Fraction(100, 3)]),
        (200, [50, 75, 75]),
        (300, [50, 100, 150]),
        (0, [0, 0, 0]),
        (600, [100, 200, 300]),
    ],
)
def test_three_widows_get_what_the_talmud_gives_them(estate: int, expected: list[Fraction]) -> None:
    # Aumann and Maschler (1985), Game theoretic analysis of a bankruptcy problem from the Talmud.
    assert shares(games.nucleolus(games.bankruptcy(estate, CLAIMS))) == expected


def test_the_nucleolus_asks_for_what_each_has_alone() -> None:
    # Not superadditive: b alone is worth more than its share where only complaints count.
    game = CoalitionGame.from_worths(
        ["a", "b", "c"],
        {"a": 0, "b": 0, "c": 0, ("a", "b"): 6, ("a", "c"): 6, ("b", "c"): 0, ("a", "b", "c"): 2},
    )
    free, bound = games.prenucleolus(game), games.nucleolus(game)
    third = Fraction(1, 3)
    assert free == {"a": 14 * third, "b": -4 * third, "c": -4 * third}
    assert bound == {"a": 2, "b": 0, "c": 0}


def test_there_is_no_nucleolus_where_together_is_worth_less_than_alone() -> None:
    game = CoalitionGame.from_worths(["a", "b"], {"a": 3, "b": 3, ("a", "b"): 4})
    assert games.nucleolus(game) is None
    assert games.prenucleolus(game) == {"a": 2, "b": 2}


def test_one_player_keeps_all() -> None:
    alone = CoalitionGame.from_worths(["a"], {"a": 5})
    assert games.shapley_values(alone) == games.banzhaf_values(alone) == {"a": 5}
    assert games.core_point(alone) == games.nucleolus(alone) == {"a": 5}
    assert games.least_core(alone).epsilon == 0
    assert games.is_convex(alone)


def test_floats_give_floats() -> None:
    game = CoalitionGame.from_function(["a", "b", "c"], lambda group: len(group) * 0.1)
    assert not game.exact
    found = shares(games.shapley_values(game))
    assert found == pytest.approx([0.1, 0.1, 0.1])
    assert all(type(share) is float for share in found)
    assert type(game.worth(["a"])) is float


def test_rounding_alone_empties_no_core() -> None:
    # 0.1 + 0.2 is a little more than 0.3 in floats: a core of one point, missed by nothing.
    game = CoalitionGame.from_worths(["a", "b"], {"a": 0.1, "b": 0.2, ("a", "b"): 0.3})
    assert game.worths[1] + game.worths[2] > game.worths[3]
    assert not games.is_core_empty(game)
    assert games.is_superadditive(game)
    assert games.is_convex(game)
    assert shares(games.core_point(game)) == pytest.approx([0.1, 0.2])
    assert shares(games.nucleolus(game)) == pytest.approx([0.1, 0.2])
    assert games.is_in_core(game, {"a": 0.1, "b": 0.2})


def test_rounding_in_a_split_of_an_exact_game_is_forgiven() -> None:
    thirds = CoalitionGame.from_worths(
        ["a", "b"], {"a": Fraction(1, 3), "b": 0, ("a", "b"): Fraction(1, 3)}
    )
    assert Fraction(1 / 3) < Fraction(1, 3)
    assert games.is_in_core(thirds, {"a": 1 / 3, "b": 0.0})
    assert not games.is_in_core(thirds, {"a": Fraction(1 / 3), "b": 0})


def test_numbers_of_numpy_are_numbers() -> None:
    game = CoalitionGame.from_worths(
        ["a", "b"], {"a": np.int64(2**62), "b": np.int32(0), ("a", "b"): np.int64(2**62)}
    )
    assert game.exact
    assert games.shapley_values(game) == {"a": 2**62, "b": 0}
    rounded = CoalitionGame.from_function(["a"], lambda group: np.float32(0.5))
    assert not rounded.exact
    assert rounded.worth(["a"]) == 0.5


def test_weights_that_tie_as_fractions_tie() -> None:
    tenths = {"a": Fraction(7, 10), "b": Fraction(1, 10)}
    assert games.weighted_majority(Fraction(8, 10), tenths).worth(["a", "b"]) == 1


def test_the_kind_of_a_game_is_known() -> None:
    assert games.is_superadditive(GLOVE)
    assert not games.is_convex(GLOVE)
    assert games.is_convex(games.bankruptcy(200, CLAIMS))
    assert not games.is_superadditive(RUNWAY)


def test_ten_players_are_not_too_many() -> None:
    square = CoalitionGame.from_function("abcdefghij", lambda group: len(group) ** 2)
    assert games.core_point(square) == dict.fromkeys("abcdefghij", 10)
