"""The examples in the docstrings of this room are true."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    "name",
    ["coherence", "number_words", "rounding", "lines.register", "lines.topics", "lines.voice"],
)
def test_the_examples_of_a_module_hold(name: str) -> None:
    tried = doctest.testmod(import_module(f"agents.{name}"))
    assert tried.attempted > 0
    assert tried.failed == 0
