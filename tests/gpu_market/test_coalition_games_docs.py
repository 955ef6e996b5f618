"""The page about coalition games shows the numbers of the code, and its examples run."""

import doctest
import importlib
import pkgutil
import re
from fractions import Fraction
from pathlib import Path

import pytest

from arena.gpu_market import coalition_games as games
from arena.gpu_market.coalition_games import CoalitionGame
from arena.gpu_market.coalition_games.numbers import LARGEST, SLACK

PAGE = (Path(__file__).parents[2] / "docs" / "coalition_games.md").read_text()

TEXTBOOK = {
    "Glove game, one left, two right": games.glove(["left"], ["right", "other"]),
    "Weighted majority [51; 50, 49, 1]": games.weighted_majority(51, {"a": 50, "b": 49, "c": 1}),
    "Majority of three": games.weighted_majority(2, {"a": 1, "b": 1, "c": 1}),
    "Weighted majority [51; 40, 30, 26, 4]": games.weighted_majority(
        51, {"a": 40, "b": 30, "c": 26, "d": 4}
    ),
    "Airport 1, 2, 3: costs": games.airport({"a": 1, "b": 2, "c": 3}),
    "Airport 1, 2, 3: savings": games.savings(games.airport({"a": 1, "b": 2, "c": 3})),
    "Bankruptcy 100; 100, 200, 300": games.bankruptcy(100, {"a": 100, "b": 200, "c": 300}),
    "Bankruptcy 200; 100, 200, 300": games.bankruptcy(200, {"a": 100, "b": 200, "c": 300}),
    "Bankruptcy 300; 100, 200, 300": games.bankruptcy(300, {"a": 100, "b": 200, "c": 300}),
}


def row(title: str, game: CoalitionGame) -> str:
    epsilon, values = games.least_core(game).epsilon, games.shapley_values(game)
    cells = (
        title,
        numbers(values),
        numbers(games.banzhaf_index(game)),
        "empty" if games.is_core_empty(game) else "not empty",
        str(epsilon),
        "yes" if games.is_in_core(game, values) else "no",
        numbers(games.nucleolus(game)),
    )
    return f"| {' | '.join(cells)} |"


def numbers(split: games.Split | None) -> str:
    return "none" if split is None else ", ".join(map(str, split.values()))


@pytest.mark.parametrize("title", TEXTBOOK)
def test_every_textbook_game_is_a_row_of_the_page(title: str) -> None:
    assert row(title, TEXTBOOK[title]) in PAGE


def test_the_page_has_no_row_that_the_code_does_not_know() -> None:
    table = PAGE.split("## The games of the textbooks")[1].split("##")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert rows == [row(title, game) for title, game in TEXTBOOK.items()]


def test_the_examples_of_the_page_run() -> None:
    results = doctest.testfile(
        str(Path(__file__).parents[2] / "docs" / "coalition_games.md"), module_relative=False
    )
    assert results.failed == 0
    assert results.attempted >= 5


def test_the_limits_of_the_page_are_those_of_the_code() -> None:
    assert f"up to {games.MOST_PLAYERS} players" in PAGE
    assert Fraction(1, 10**9) == SLACK
    assert "a billionth of its largest worth" in PAGE
    assert LARGEST == 10**100
    assert "1e100" in PAGE


def test_every_public_name_is_on_the_page_and_in_order() -> None:
    assert games.__all__ == sorted(games.__all__, key=lambda name: (not name.isupper(), name))
    named = set(re.findall(r"`(\w+)[`(]", PAGE))
    assert [name for name in games.__all__ if name not in named] == []


def test_the_examples_in_the_code_run() -> None:
    tried = 0
    for module in pkgutil.iter_modules(games.__path__, f"{games.__name__}."):
        failed, attempted = doctest.testmod(importlib.import_module(module.name))
        assert failed == 0, module.name
        tried += attempted
    assert tried >= 30
