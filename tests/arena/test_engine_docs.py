"""The page about the arena shows the numbers of the code, and the examples in the code run."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from typing import get_args

import bazaarbatna.auction
from arena.auction.web.bidding import LINE_UP, MANNERS, PLAIN, Manner
from bazaarbatna.auction import comment
from bazaarbatna.auction.events import ArenaEvent
from bazaarbatna.auction.making import ROUNDS
from bazaarbatna.auction.selling import RULES
from bazaarbatna.bargain.sellers.persona import HOUSE

PAGE = (Path(bazaarbatna.auction.__file__).parents[2] / "docs" / "arena.md").read_text()


def row(title: str, manner: Manner) -> str:
    cells = (title, manner.keeps, manner.raises, manner.most, manner.takes, manner.patience)
    signs = (manner.opens, manner.leads, manner.trails)
    shown = ("-" if cell is None else str(cell) for cell in (*cells, *signs, manner.bluffs))
    return f"| {' | '.join(shown)} |"


def test_every_manner_is_a_row_of_the_page() -> None:
    for name, manner in MANNERS.items():
        assert row(name, manner) in PAGE
    assert row("everybody else", PLAIN) in PAGE
    assert set(LINE_UP) == set(MANNERS)


def test_the_other_numbers_of_the_manners_are_on_the_page() -> None:
    smart, sauda = MANNERS["rules:smart"], MANNERS["sauda"]
    assert f"by {smart.heeds} of that" in PAGE
    assert f"by {smart.returns} while all rivals" in PAGE
    assert f"(Sauda by {sauda.returns})" in PAGE
    assert {manner.heeds for name, manner in MANNERS.items() if name != "rules:smart"} == {1.0}


def test_the_rules_of_the_seller_are_on_the_page() -> None:
    for text in (
        f"| {RULES.closes_at:.0%} of the ask |".replace("%", " %"),
        f"| {RULES.least_pull} + {RULES.rivalry_pull} x rivalry;",
        f"| compete {RULES.compete}, bluff {RULES.bluff}, cooperate {RULES.cooperate} |",
        f"at most {100 * RULES.step_of_price} % of the price",
        f"above {100 * RULES.capitulation:.0f} % of the anchor",
        f"(after {100 * HOUSE.late_from:.0f} % of the rounds)",
    ):
        assert text in PAGE
    assert ROUNDS == 12
    assert "`expired` (twelve rounds)" in PAGE


def test_every_event_and_every_kind_of_remark_is_on_the_page() -> None:
    kinds = get_args(ArenaEvent)
    assert len(kinds) == 8
    for event in kinds:
        assert f"| `{event.__struct_config__.tag}` |" in PAGE
    remarks = re.findall(r'Remark\("([a-z-]+)"', inspect.getsource(comment))
    assert len(set(remarks)) == 15
    for kind in remarks:
        assert f"`{kind}`" in PAGE


def test_the_examples_in_the_engine_run() -> None:
    tried = 0
    for module in pkgutil.iter_modules(bazaarbatna.auction.__path__, "bazaarbatna.auction."):
        failed, attempted = doctest.testmod(importlib.import_module(module.name))
        assert failed == 0, module.name
        tried += attempted
    assert tried >= 8
