"""The core, as the solver finds it, against brute force."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bazaarbatna.market.coalition import (
    CoalitionGame,
    Split,
    excesses,
    find_core,
    is_in_core,
    who_gains_by_defecting,
)
from tests.support.coalition import GLOVES, MAJORITY, a_game, gloves, voting

CALM = settings(deadline=None, max_examples=50)


def games_of(players: str) -> st.SearchStrategy[CoalitionGame]:
    """Draw worths of -3 to 6: so few, that ties and cores of one point come often."""
    size = 2 ** len(players) - 1

    def made(drawn: bytes) -> CoalitionGame:
        worths = iter(drawn)
        return CoalitionGame.from_function(players, lambda group: next(worths) % 10 - 3)

    return st.binary(min_size=size, max_size=size).map(made)


def is_empty_by_hand(game: CoalitionGame) -> bool:
    """Ask the five minimal balanced families of three players (Bondareva and Shapley)."""
    _, a, b, ab, c, ac, bc, abc = game.worths
    return abc < max(a + b + c, ab + c, ac + b, bc + a, Fraction(ab + ac + bc, 2))


@CALM
@given(games_of("abc"))
@example(MAJORITY)
@example(GLOVES)
@example(a_game({"a": 0, "b": 0, "ab": 2, "c": 0, "ac": 2, "bc": 2, "abc": 3}))
def test_cores_of_three_are_empty_when_a_balanced_family_says_so(game: CoalitionGame) -> None:
    assert find_core(game).is_empty == is_empty_by_hand(game)


@cache
def balanced_families() -> tuple[dict[int, Fraction], ...]:
    """Find all minimal balanced families of four players: independent, with weights above 0."""
    found = []
    for size in range(1, 5):
        for family in combinations(range(1, 15), size):
            weights = solve(family)
            if weights is not None and all(weight > 0 for weight in weights):
                found.append(dict(zip(family, weights, strict=True)))
    return tuple(found)


def solve(family: tuple[int, ...]) -> list[Fraction] | None:
    """Find the only weights with which a family counts each of four players once."""
    rows = [[Fraction(mask >> place & 1) for mask in family] + [Fraction(1)] for place in range(4)]
    for column in range(len(family)):
        pivot = next((row for row in range(column, 4) if rows[row][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [part / rows[column][column] for part in rows[column]]
        for row in range(4):
            if row != column:
                by = rows[row][column]
                rows[row] = [x - by * y for x, y in zip(rows[row], rows[column], strict=True)]
    if any(row[-1] for row in rows[len(family) :]):
        return None
    return [row[-1] for row in rows[: len(family)]]


def test_four_players_have_as_many_minimal_balanced_families_as_is_known() -> None:
    # Shapley (1967) lists 41 besides the family of everyone alone.
    assert len(balanced_families()) == 41


@CALM
@given(games_of("abcd"))
def test_cores_of_four_are_empty_when_a_balanced_family_says_so(game: CoalitionGame) -> None:
    most = max(
        sum(weight * game.worths[mask] for mask, weight in family.items())
        for family in balanced_families()
    )
    core = find_core(game)
    assert core.is_empty == (game.worths[-1] < most)
    assert core.is_empty == bool(core.proof)
    if core.proof:
        for name in game.players:
            covered = sum(weight for group, weight in core.proof if name in group)
            assert covered == pytest.approx(1)
        assert all(weight > 0 for _, weight in core.proof)
        total = sum(weight * float(game.worth(group)) for group, weight in core.proof)
        assert total > game.worths[-1]


@CALM
@given(st.one_of(games_of("ab"), games_of("abc"), games_of("abcd"), games_of("abcde")))
def test_the_split_of_the_core_is_in_it(game: CoalitionGame) -> None:
    core = find_core(game)
    assert is_in_core(game, core.split) != core.is_empty
    assert (who_gains_by_defecting(game, core.split) == ()) != core.is_empty


@CALM
@given(
    st.one_of(games_of("abc"), games_of("abcd")),
    st.lists(st.integers(-4, 4), min_size=4, max_size=4),
)
def test_no_split_has_the_worst_off_coalition_miss_less(
    game: CoalitionGame, moves: list[int]
) -> None:
    core = find_core(game)
    assert sum(core.split.values()) == pytest.approx(float(game.worths[-1]))
    assert worst_off(game, core.split) == pytest.approx(core.misses)
    n = len(game.players)
    even = Fraction(sum(moves[:n]), n)
    other = {
        name: Fraction(core.split[name]) + move - even
        for name, move in zip(game.players, moves, strict=False)
    }
    assert worst_off(game, other) >= core.misses - 1e-9


def worst_off(game: CoalitionGame, split: Split) -> float:
    """Return the largest loss of a coalition of some players."""
    every = excesses(game, split)
    return next(float(each.gain) for each in every if each.coalition != game.players)


def test_ten_players_with_many_ties_are_solved() -> None:
    pairs = gloves("abcde", "fghij")
    assert not find_core(pairs).is_empty
    assert is_in_core(pairs, find_core(pairs).split)
    votes = voting(6, dict.fromkeys("abcdefghij", 1))
    assert find_core(votes).misses == pytest.approx(2 / 5)


def test_the_same_game_has_the_same_answer() -> None:
    assert find_core(gloves("abc", "de")) == find_core(gloves("abc", "de"))
