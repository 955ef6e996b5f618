"""Shapley values obey the axioms that define them, in games drawn at random."""

from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bazaarbatna.market.coalition import CoalitionGame, find_core, is_in_core, shapley_values
from tests.support.coalition import voting

NAMES = "abcdefghij"
CALM = settings(deadline=None, max_examples=40)


@st.composite
def any_game(
    draw: st.DrawFn, *, players: str | None = None, most: int = 5, exact: bool = True
) -> CoalitionGame:
    """Draw a game: one string of bytes for all worths, as numbers one by one take long."""
    players = players or NAMES[: draw(st.integers(1, most))]
    size = 2 ** len(players) - 1
    drawn = iter(draw(st.binary(min_size=size, max_size=size)))
    unit = Fraction(1, draw(st.integers(1, 12))) if exact else draw(st.floats(0.01, 1))
    return CoalitionGame.from_function(players, lambda group: (next(drawn) - 99) * unit)


@st.composite
def any_convex_game(draw: st.DrawFn) -> CoalitionGame:
    """Add up unanimity games with weights of at least 0, and any worth of single players."""
    players = NAMES[: draw(st.integers(1, 5))]
    size = 2 ** len(players) - 1
    drawn = draw(st.binary(min_size=size, max_size=size))
    weights = {
        frozenset(group): weight - 128 if len(group) == 1 else max(weight - 128, 0)
        for group, weight in zip(groups(players), drawn, strict=True)
    }
    return CoalitionGame.from_function(
        players, lambda group: sum(weight for part, weight in weights.items() if part <= group)
    )


def groups(players: str) -> list[str]:
    return [
        "".join(name for place, name in enumerate(players) if mask >> place & 1)
        for mask in range(1, 2 ** len(players))
    ]


def by_all_orders(game: CoalitionGame) -> dict[str, Fraction]:
    """Let the players come in every order; each gets what it adds, on average."""
    orders = list(permutations(game.players))
    added = dict.fromkeys(game.players, Fraction(0))
    for order in orders:
        for before, after in pairwise([order[:size] for size in range(len(order) + 1)]):
            added[after[-1]] += Fraction(game.worth(after)) - Fraction(game.worth(before))
    return {name: total / len(orders) for name, total in added.items()}


@CALM
@given(any_game())
def test_shapley_values_are_averages_over_all_orders(game: CoalitionGame) -> None:
    assert shapley_values(game) == by_all_orders(game)


@CALM
@given(any_game(exact=False))
def test_floats_have_the_average_of_their_fractions(game: CoalitionGame) -> None:
    assert shapley_values(game) == by_all_orders(game)


def test_seven_players_are_averages_over_all_orders_too() -> None:
    game = voting(15, dict(zip(NAMES, (9, 7, 5, 3, 2, 1, 1), strict=False)))
    assert shapley_values(game) == by_all_orders(game)


@CALM
@given(any_game(most=7))
def test_all_is_shared_out(game: CoalitionGame) -> None:
    assert sum(shapley_values(game).values()) == game.worth(game.players)


@CALM
@given(any_game(most=7, exact=False))
def test_all_is_shared_out_in_floats(game: CoalitionGame) -> None:
    total = sum(shapley_values(game).values())
    assert total == pytest.approx(float(game.worth(game.players)), abs=1e-9)


@CALM
@given(any_game(), st.data())
def test_who_adds_alike_gets_alike(game: CoalitionGame, data: st.DataObject) -> None:
    one, two = (data.draw(st.sampled_from(game.players)) for _ in range(2))
    swap = {one: two, two: one}

    def alike(group: frozenset[str]) -> Fraction:
        swapped = [swap.get(name, name) for name in group]
        return Fraction(game.worth(group)) + Fraction(game.worth(swapped))

    twins = CoalitionGame.from_function(game.players, alike)
    found = shapley_values(twins)
    assert found[one] == found[two]


@CALM
@given(any_game())
def test_who_adds_nothing_gets_nothing_and_changes_nothing(game: CoalitionGame) -> None:
    joined = CoalitionGame.from_function(
        [*game.players, "idle"], lambda group: game.worth(group - {"idle"})
    )
    assert shapley_values(joined) == {**shapley_values(game), "idle": 0}


@CALM
@given(any_game(players="abcd"), any_game(players="abcd"))
def test_the_values_of_two_games_add_up(one: CoalitionGame, two: CoalitionGame) -> None:
    both = CoalitionGame.from_function(
        "abcd", lambda group: Fraction(one.worth(group)) + Fraction(two.worth(group))
    )
    first, second, total = shapley_values(one), shapley_values(two), shapley_values(both)
    assert all(total[name] == first[name] + second[name] for name in "abcd")


@CALM
@given(any_game(), st.permutations(NAMES[:5]))
def test_names_and_their_order_do_not_matter(game: CoalitionGame, order: list[str]) -> None:
    reordered = [name for name in order if name in game.players]
    same = CoalitionGame.from_function(reordered, game.worth)
    assert shapley_values(same) == shapley_values(game)


@CALM
@given(any_convex_game())
def test_convex_games_have_the_shapley_value_in_the_core(game: CoalitionGame) -> None:
    assert not find_core(game).is_empty
    assert is_in_core(game, shapley_values(game))
