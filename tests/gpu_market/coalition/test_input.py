"""Games and splits that are none are refused, with words that say what would be right."""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from bazaarbatna.market import coalition
from bazaarbatna.market.coalition import CoalitionGame
from tests.support.coalition import a_game

PAIR = a_game({"a": 0, "b": 1, "ab": 4})


def made(players: Any, worth: Any = 1) -> Callable[[], object]:
    return lambda: CoalitionGame.from_function(players, lambda group: worth)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (made([]), coalition.BadPlayers, "1 to 10 players, not 0"),
        (made([str(i) for i in range(11)]), coalition.BadPlayers, "1 to 10 players, not 11"),
        (made(["a", "a"], {}), coalition.BadPlayers, "Two players are called 'a'"),
        (made(["a", " "], {}), coalition.BadPlayers, "needs a name, not ' '"),
        (made(["a", 7], {}), coalition.BadPlayers, "needs a name, not 7"),
        (made(["a"], math.nan), coalition.BadWorth, "worth of (a) must be a finite number"),
        (made(["a"], -math.inf), coalition.BadWorth, "finite number, not -inf"),
        (made(["a"], "five"), coalition.BadWorth, "finite number, not 'five'"),
        (made(["a"], None), coalition.BadWorth, "finite number, not None"),
        (made(["a"], Decimal(1)), coalition.BadWorth, "finite number, not Decimal"),
        (made(["a"], 10**400), coalition.BadWorth, "at most 1e9"),
        (made(["a"], 1e300), coalition.BadWorth, "at most 1e9 in size, not 1e+300"),
    ],
)
def test_a_bad_game_is_refused(
    call: Callable[[], object], error: type[coalition.CoalitionGameError], words: str
) -> None:
    with pytest.raises(error) as refused:
        call()
    assert words in str(refused.value)


@pytest.mark.parametrize("worth", [math.nan, None, "x"])
def test_a_function_without_a_number_is_refused(worth: Any) -> None:
    with pytest.raises(coalition.BadWorth, match=r"The worth of \(a\)"):
        CoalitionGame.from_function(["a", "b"], lambda group: worth)


@pytest.mark.parametrize(
    ("split", "error", "words"),
    [
        ({"a": 1}, coalition.BadSplit, "it lacks ['b']"),
        ({"a": 1, "b": 1, "z": 1}, coalition.BadSplit, "names ['z']"),
        ({"a": 1, "b": math.nan}, coalition.BadWorth, "The share of b must be a finite number"),
    ],
)
@pytest.mark.parametrize(
    "ask",
    [
        coalition.excesses,
        coalition.who_gains_by_defecting,
        coalition.is_in_core,
        coalition.about_leaving,
        coalition.about_shapley,
    ],
)
def test_a_bad_split_is_refused(
    ask: Callable[[CoalitionGame, Any], object],
    split: Any,
    error: type[coalition.CoalitionGameError],
    words: str,
) -> None:
    with pytest.raises(error) as refused:
        ask(PAIR, split)
    assert words in str(refused.value)


def test_every_refusal_can_be_caught_at_once_and_has_a_code() -> None:
    errors = coalition.CoalitionGameError.__subclasses__()
    assert len({error.code for error in errors}) == len(errors) == 4
    assert issubclass(coalition.CoalitionGameError, ValueError)


def test_a_coalition_may_be_named_in_any_way() -> None:
    assert PAIR.worth("b") == PAIR.worth(["b"]) == PAIR.worth({"b"}) == 1
    assert PAIR.worth([]) == 0
    with pytest.raises(coalition.BadCoalition, match="do not play"):
        PAIR.worth(["a", "z"])
