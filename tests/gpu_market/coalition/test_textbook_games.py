"""Games of the textbooks have the values and the cores of the textbooks."""

from fractions import Fraction

import numpy as np
import pytest

from bazaarbatna.market import coalition
from bazaarbatna.market.coalition import CoalitionGame, find_core, is_in_core, shapley_values
from tests.support.coalition import GLOVES, MAJORITY, a_game, gloves, voting

VOTES = voting(51, {"a": 50, "b": 49, "c": 1})
RUNWAY = CoalitionGame.from_function(
    "abc", lambda group: max("abc".index(one) + 1 for one in group)
)
SAVED = CoalitionGame.from_function(
    "abc", lambda group: sum(RUNWAY.worth(one) for one in group) - RUNWAY.worth(group)
)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (GLOVES, [Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)]),
        (VOTES, [Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)]),
        (RUNWAY, [Fraction(1, 3), Fraction(5, 6), Fraction(11, 6)]),
        (MAJORITY, [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]),
        (gloves("ab", "c"), [Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)]),
        # Alone they pay 1, 2, 3; of that the Shapley value of the savings is taken off.
        (SAVED, [1 - Fraction(1, 3), 2 - Fraction(5, 6), 3 - Fraction(11, 6)]),
    ],
)
def test_shapley_values_are_those_of_the_books(
    game: CoalitionGame, expected: list[Fraction]
) -> None:
    found = list(shapley_values(game).values())
    assert found == expected
    assert all(type(share) is Fraction for share in found)


def test_three_who_decide_by_majority_have_an_empty_core() -> None:
    core = find_core(MAJORITY)
    assert core.is_empty
    assert core.misses == pytest.approx(1 / 3)
    assert list(core.split.values()) == pytest.approx([1 / 3] * 3)
    assert [group for group, _ in core.proof] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [weight for _, weight in core.proof] == pytest.approx([1 / 2] * 3)


def test_who_has_the_rare_glove_gets_everything_in_the_core() -> None:
    core = find_core(GLOVES)
    assert not core.is_empty
    assert core.proof == ()
    assert core.misses == pytest.approx(0, abs=1e-9)
    assert core.split == pytest.approx({"a": 1, "b": 0, "c": 0})
    # By more than is held to be rounding, it is no longer the one point of the core.
    hair = 2 * coalition.TOLERANCE
    assert is_in_core(GLOVES, {"a": 1, "b": 0, "c": 0})
    assert not is_in_core(GLOVES, {"a": 1 - hair, "b": hair, "c": 0})
    # Nor may more be shared out than there is.
    assert not is_in_core(GLOVES, {"a": 1 + hair, "b": 0, "c": 0})


def test_a_player_with_a_veto_holds_the_core() -> None:
    assert find_core(VOTES).split == pytest.approx({"a": 1, "b": 0, "c": 0})


def test_one_player_keeps_all() -> None:
    alone = a_game({"a": 5})
    assert shapley_values(alone) == find_core(alone).split == {"a": 5}
    assert find_core(alone).misses == 0


def test_rounding_alone_empties_no_core() -> None:
    # 0.1 + 0.2 is a little more than 0.3 in floats: a core of one point, missed by nothing.
    game = a_game({"a": 0.1, "b": 0.2, "ab": 0.3})
    assert game.worths[1] + game.worths[2] > game.worths[3]
    core = find_core(game)
    assert not core.is_empty
    assert core.split == pytest.approx({"a": 0.1, "b": 0.2})
    assert is_in_core(game, {"a": 0.1, "b": 0.2})
    assert is_in_core(game, core.split)


def test_rounding_in_a_split_of_an_exact_game_is_forgiven() -> None:
    thirds = a_game({"a": Fraction(1, 3), "b": 0, "ab": Fraction(1, 3)})
    assert Fraction(1 / 3) < Fraction(1, 3)
    assert is_in_core(thirds, {"a": 1 / 3, "b": 0.0})


def test_a_market_of_large_amounts_has_its_hundredths_seen() -> None:
    # Two labs with ten million credits each, and a hundredth too little or just enough together.
    alone = Fraction(10**9 + 1, 100)
    short = a_game({"a": alone, "b": alone, "ab": 2 * alone - Fraction(1, 100)})
    enough = a_game({"a": alone, "b": alone, "ab": 2 * alone})
    assert find_core(short).is_empty
    assert not find_core(enough).is_empty


def test_numbers_of_numpy_are_numbers() -> None:
    large = {"a": np.int64(2**29), "b": np.int32(0), "ab": np.int64(2**29)}
    assert shapley_values(a_game({key: int(one) for key, one in large.items()})) == {
        "a": 2**29,
        "b": 0,
    }
    game = CoalitionGame.from_function("ab", lambda group: large["".join(sorted(group))])
    assert shapley_values(game) == {"a": 2**29, "b": 0}
    assert CoalitionGame.from_function(["a"], lambda group: np.float32(0.5)).worth("a") == 0.5


def test_ten_players_are_not_too_many() -> None:
    square = CoalitionGame.from_function("abcdefghij", lambda group: len(group) ** 2)
    assert is_in_core(square, find_core(square).split)
    assert shapley_values(square) == dict.fromkeys("abcdefghij", 10)
