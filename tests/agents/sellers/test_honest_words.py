"""No honest word of the house's sellers is taken for a bluff."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.text.reading.pieces import to_text
from agents.text.tells.words import find_cues
from tests.support.commands import ROOT

BANKS = [
    *(ROOT / "agents/sellers").glob("*.toml"),
    *(ROOT / "agents/sellers/lines").glob("*.toml"),
    *(ROOT / "agents/sellers/personas").glob("*.toml"),
]
BLUFFS = "deceptive.toml"
SOLD = "Bik gaya"
"""To whom it is said the thing was sold: of a buyer who hears it of others it is a bluff."""


def texts(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for one in found.values() if isinstance(found, dict) else found:
            yield from texts(one)


def bluffs_in(bank: Path) -> list[str]:
    said = [re.sub(r"[<{]\w+[>}]", "4000", text) for text in texts(tomllib.loads(bank.read_text()))]
    plain = [text for text in said if not re.search(r"[\\\n]|\(\?", text)]
    return [t for t in plain if any(c.signal == "deception" for c in find_cues(to_text(t)))]


@pytest.mark.parametrize("bank", BANKS, ids=lambda bank: str(bank.name))
def test_who_admits_or_disowns_bluffs_nobody(bank: Path) -> None:
    found = [line for line in bluffs_in(bank) if not line.startswith(SOLD)]
    assert bool(found) is (bank.name == BLUFFS), found


@pytest.mark.parametrize(
    "line",
    [
        "About other customers I can tell you nothing.",
        "Doosre grahakon ka koi saboot mere paas nahi hai.",
        "I promise nothing beyond the listing.",
        "Rate upar likha hai.",
    ],
)
def test_the_kind_is_meant_and_not_the_line(line: str) -> None:
    assert [c for c in find_cues(to_text(line)) if c.signal == "deception"] == []


@pytest.mark.parametrize(
    "line",
    ["Another buyer offered 5000.", "Doosra grahak 5000 de raha hai.", "Kal rate upar jayega."],
)
def test_a_bluff_is_still_one(line: str) -> None:
    assert [c for c in find_cues(to_text(line)) if c.signal == "deception"]
