"""Games and splits that are none are refused, with words that say what would be right."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from arena.gpu_market import coalition_games as games
from arena.gpu_market.coalition_games import CoalitionGame

PAIR = CoalitionGame.from_worths(["a", "b"], {"a": 0, "b": 1, ("a", "b"): 4})


def made(players: Any, worths: Any) -> Callable[[], object]:
    return lambda: CoalitionGame.from_worths(players, worths)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (made([], {}), games.BadPlayers, "1 to 10 players, not 0"),
        (made([str(i) for i in range(11)], {}), games.BadPlayers, "1 to 10 players, not 11"),
        (made(["a", "a"], {}), games.BadPlayers, "Two players are called 'a'"),
        (made(["a", " "], {}), games.BadPlayers, "needs a name, not ' '"),
        (made(["a", 7], {}), games.BadPlayers, "needs a name, not 7"),
        (made(["a", "b"], {"a": 1, "b": 1}), games.WorthMissing, "given for 1: (a, b)."),
        (made("abc", {}), games.WorthMissing, "for 7: (a), (b), (a, b) and others."),
        (made(["a"], {"a": math.nan}), games.BadWorth, "worth of (a) must be a finite number"),
        (made(["a"], {"a": -math.inf}), games.BadWorth, "finite number, not -inf"),
        (made(["a"], {"a": "five"}), games.BadWorth, "finite number, not 'five'"),
        (made(["a"], {"a": None}), games.BadWorth, "finite number, not None"),
        (made(["a"], {"a": Decimal(1)}), games.BadWorth, "finite number, not Decimal"),
        (made(["a"], {"a": 10**400}), games.BadWorth, "at most 1e100"),
        (made(["a"], {"a": 1e300}), games.BadWorth, "at most 1e100 in size, not 1e+300"),
        (made(["a"], {"a": 1, (): 1}), games.BadWorth, "worth of nobody must be 0, not 1"),
        (made(["a"], {"a": 1, ("a", "z"): 2}), games.BadCoalition, "['z'] do not play"),
        (
            made(["a", "b"], {"a": 1, "b": 1, ("a", "b"): 2, ("b", "a"): 3}),
            games.BadCoalition,
            "(a, b) has two worths",
        ),
    ],
)
def test_a_bad_game_is_refused(
    call: Callable[[], object], error: type[games.CoalitionGameError], words: str
) -> None:
    with pytest.raises(error) as refused:
        call()
    assert words in str(refused.value)


@pytest.mark.parametrize("worth", [math.nan, None, "x"])
def test_a_function_without_a_number_is_refused(worth: Any) -> None:
    with pytest.raises(games.BadWorth, match=r"The worth of \(a\)"):
        CoalitionGame.from_function(["a", "b"], lambda group: worth)


@pytest.mark.parametrize(
    ("split", "error", "words"),
    [
        ({"a": 1}, games.BadSplit, "it lacks ['b']"),
        ({"a": 1, "b": 1, "z": 1}, games.BadSplit, "names ['z']"),
        ({"a": 1, "b": math.nan}, games.BadWorth, "The share of b must be a finite number"),
    ],
)
@pytest.mark.parametrize(
    "ask",
    [
        games.excesses,
        games.who_gains_by_defecting,
        games.is_in_core,
        games.explain,
        games.about_leaving,
        games.about_shapley,
    ],
)
def test_a_bad_split_is_refused(
    ask: Callable[[CoalitionGame, Any], object],
    split: Any,
    error: type[games.CoalitionGameError],
    words: str,
) -> None:
    with pytest.raises(error) as refused:
        ask(PAIR, split)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: games.weighted_majority(0, {"a": 1}), "quota must be above 0"),
        (lambda: games.weighted_majority(3, {"a": 1, "b": 1}), "at most all votes, 2, not 3"),
        (lambda: games.weighted_majority(1, {"a": 2, "b": -1}), "weight of b must be 0 or more"),
        (lambda: games.airport({"a": -1}), "cost of a must be 0 or more"),
        (lambda: games.bankruptcy(1, {"a": -1, "b": 5}), "claim of a must be 0 or more"),
        (lambda: games.bankruptcy(9, {"a": 1, "b": 5}), "estate must be 0 to all claims, 6"),
        (lambda: games.bankruptcy(-1, {"a": 1}), "estate must be 0 to all claims, 1, not -1"),
    ],
)
def test_a_bad_textbook_game_is_refused(call: Callable[[], object], words: str) -> None:
    with pytest.raises(games.BadTextbookGame) as refused:
        call()
    assert words in str(refused.value)


def test_textbook_games_refuse_what_any_game_refuses() -> None:
    with pytest.raises(games.BadPlayers):
        games.glove([], [])
    with pytest.raises(games.BadPlayers):
        games.glove(["a"], ["a"])
    with pytest.raises(games.BadPlayers):
        games.airport({})
    with pytest.raises(games.BadWorth, match="The quota"):
        games.weighted_majority(math.nan, {"a": 1})
    with pytest.raises(games.BadWorth, match="The cost of a"):
        games.airport({"a": math.inf})


def test_every_refusal_can_be_caught_at_once_and_has_a_code() -> None:
    errors = games.CoalitionGameError.__subclasses__()
    assert len({error.code for error in errors}) == len(errors) == 6
    assert issubclass(games.CoalitionGameError, ValueError)


def test_a_coalition_may_be_written_in_any_way() -> None:
    same = CoalitionGame.from_worths(
        ("a", "b"), {("a",): 0, frozenset("b"): Fraction(1), frozenset("ab"): 4, (): 0}
    )
    assert same == PAIR
    assert PAIR.worth("b") == PAIR.worth(["b"]) == PAIR.worth({"b"}) == 1
    assert PAIR.worth([]) == 0
    with pytest.raises(games.BadCoalition, match="do not play"):
        PAIR.worth(["a", "z"])
