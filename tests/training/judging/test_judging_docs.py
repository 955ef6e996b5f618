"""The page about judging says what the code does."""

import re
from pathlib import Path
from typing import get_args

from training.judging.heuristic import EQUAL_SURPLUS, EQUAL_WORDS, FAILURES, RULES
from training.judging.speech import TERMS
from training.judging.transcript import DecidedBy

PAGE = (Path(__file__).parents[3] / "docs" / "judging.md").read_text()


def first_cells(heading: str) -> list[str]:
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("|")]
    return rows[2:]


def test_the_rules_stand_in_their_order() -> None:
    assert first_cells("The heuristic") == [f"`{name}`" for name, _ in RULES]
    assert {name for name, _ in RULES} == set(get_args(DecidedBy)) - {"model", "nothing"}
    assert f"within {EQUAL_SURPLUS} count" in PAGE
    assert f"within {EQUAL_WORDS} count" in PAGE


def test_every_failure_is_defined() -> None:
    assert first_cells("Failures") == [failure.name for failure in FAILURES]


def test_every_term_of_the_words_stands_with_its_weight() -> None:
    section = PAGE.split("\n## Words\n")[1]
    found = re.findall(r"^\| ([a-z ]+) \| (0\.\d\d) \|", section, re.M)
    assert found == [(term.name, f"{term.weight:.2f}") for term in TERMS]
