"""The page about the engine shows the tables of the code."""

from pathlib import Path

import pytest

from bazaarbatna import bargain as engine
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.bargain.suites import SUITES, Suite

PAGE = (Path(engine.__file__).parents[2] / "docs" / "engine.md").read_text()


@pytest.mark.parametrize("row", SUITES, ids=lambda row: row.name)
def test_every_suite_is_a_row_of_the_page(row: Suite) -> None:
    anchor = "list price" if row.listings else row.anchor_factor
    cells = (row.name, row.level, row.rounds, row.episodes, row.persona, anchor)
    numbers = (row.concession_rate, row.batna_walk_p, row.inventory, row.success)
    assert f"| {' | '.join(map(str, cells + numbers))} |" in PAGE


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("anchor x", "anchor_factor"),
        ("concession x", "concession_factor"),
        ("walk p x", "walk_factor"),
        ("closes at a bid of ask x", "closes_at"),
        ("late acceptance x", "late_factor"),
    ],
)
def test_the_numbers_of_the_sellers_are_on_the_page(title: str, name: str) -> None:
    numbers = [str(getattr(seller.persona, name)) for seller in SELLERS.values()]
    assert f"| {title} | {' | '.join(numbers)} |" in PAGE


def test_the_functions_named_on_the_page_exist() -> None:
    import re

    named = set(re.findall(r"`([a-z_]+)\(", PAGE)) | {"say", "show_tells"}
    assert named <= set(vars(engine))
