"""A small table of pairs, made from lines that stand beside these tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bazaarbatna.bargain.scenario import SALE
from training.pages.voices import published
from training.receipts.tables import VerdictsTable, VoicesTable, VoiceVerdict
from training.runs import lifecycle
from training.voices.judging import code_of
from training.voices.positions import choose, positions, read_lines

LINES = Path(__file__).parent / "lines.jsonl"
SEED = 7


def a_table() -> VoicesTable:
    rows = tuple(positions(choose(read_lines([LINES]), 200, SEED), SEED))
    return VoicesTable(suite=SALE, seed=SEED, commit="test", rows=rows)


def a_verdict(table: VoicesTable, at: int, voice: str, judge: str, *marks: int) -> VoiceVerdict:
    position = table.rows[at]
    names = ("answers", "true", "natural", "one_language", "go_on")
    return VoiceVerdict(
        id=position.id,
        code=code_of(position, position.texts[voice]),
        judge=judge,
        **dict(zip(names, marks, strict=True)),  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def table() -> VoicesTable:
    return a_table()


@pytest.fixture
def receipts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of receipts that the page and the command use."""
    monkeypatch.setattr(lifecycle, "RECEIPTS", tmp_path)
    published.cache_clear()
    yield tmp_path
    published.cache_clear()


@pytest.fixture
def shown(receipts: Path, table: VoicesTable) -> VoicesTable:
    """The small table, published here."""
    table.write(VoicesTable.path())
    return table


@pytest.fixture
def judged(shown: VoicesTable) -> VoicesTable:
    """The same with one judge who likes the bank."""
    rows = []
    for at in range(len(shown.rows)):
        rows.append(a_verdict(shown, at, "old", "one", 0, 1, 1, 1, 0))
        rows.append(a_verdict(shown, at, "bank", "one", 1, 1, 1, 1, 1))
    VerdictsTable(suite=SALE, seed=SEED, commit="test", rows=tuple(rows)).write(
        VerdictsTable.path()
    )
    return shown
