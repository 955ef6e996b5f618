"""The examples in the docstrings of this room are true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import agents

HERE = Path(agents.__file__).parent
NAMES = sorted(
    ".".join(("agents", *path.relative_to(HERE).with_suffix("").parts))
    for path in HERE.rglob("*.py")
    if ">>> " in path.read_text()
)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    tried = doctest.testmod(import_module(name))
    assert tried.attempted > 0
    assert tried.failed == 0
