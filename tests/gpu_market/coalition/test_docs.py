"""The page about coalition games names what there is, and its examples run."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

from bazaarbatna.market import coalition
from bazaarbatna.market.coalition.core import LARGEST

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "coalition_games.md").read_text()


def test_the_examples_of_the_page_run() -> None:
    results = doctest.testfile(str(DOCS / "coalition_games.md"), module_relative=False)
    assert results.failed == 0
    assert results.attempted >= 5


def test_the_limits_of_the_page_are_those_of_the_code() -> None:
    assert f"up to {coalition.MOST_PLAYERS} players" in PAGE
    assert f"{float(coalition.TOLERANCE):.4f} credits" in PAGE
    assert LARGEST == 10**9
    assert "1e9" in PAGE


def test_every_public_name_is_on_the_page_and_in_order() -> None:
    assert coalition.__all__ == sorted(
        coalition.__all__, key=lambda name: (not name.isupper(), name)
    )
    named = set(re.findall(r"`(\w+)[`(]", PAGE))
    assert [name for name in coalition.__all__ if name not in named] == []


def test_the_examples_in_the_code_run() -> None:
    tried = 0
    for module in pkgutil.iter_modules(coalition.__path__, f"{coalition.__name__}."):
        failed, attempted = doctest.testmod(importlib.import_module(module.name))
        assert failed == 0, module.name
        tried += attempted
    assert tried >= 15
