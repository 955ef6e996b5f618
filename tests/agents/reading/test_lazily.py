"""Tables that are made when a text asks for them, and lines that are kept for who asks again."""

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from agents.text.reading.phrases import AMOUNT, Phrasebook, Piece, _choices
from agents.text.reading.pieces import to_text
from bazaarbatna import lazily
from tests.support.commands import ROOT, inherited

COLD = """
import django
django.setup()
from bazaarbatna.lazily import _TABLES, make_all
print(len(_TABLES) > 10, [table.cache_info().currsize for table in _TABLES] == [0] * len(_TABLES))
make_all()
print(all(table.cache_info().currsize for table in _TABLES))
"""


@pytest.fixture(autouse=True)
def no_other_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazily, "_TABLES", [])


def test_a_phrasebook_is_made_when_a_text_asks_and_finds_what_it_always_found() -> None:
    book = Phrasebook([("take|le_lo it? #", "take"), ("* for #", "for")])
    [root] = lazily._TABLES
    assert root.cache_info().currsize == 0  # type: ignore[attr-defined]
    pieces = [Piece("le"), Piece("lo"), Piece("it"), Piece("for"), Piece(AMOUNT)]
    assert [(hit.record, hit.first, hit.last, hit.weight) for hit in book.find(pieces)] == [
        ("for", 2, 4, 19)
    ]
    assert [hit.record for hit in book.find([Piece("le"), Piece("lo"), Piece(AMOUNT)])] == ["take"]
    assert root.cache_info().misses == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["a c", "b x c d", "a x x d #", "b a c c", "a # a d x", "c a c"])
def test_ways_that_share_their_ends_find_what_each_alone_would(text: str) -> None:
    rows = ["a|b ~ c|d", "^ a|b c? ~ #", "a|* c|d_x? $", "^ ~ ~ c $", "* * c|d"]
    whole = Phrasebook([(row, row) for row in rows])
    ways = [
        (" ".join(word for words in way for word in words), row)
        for row in rows
        for way in product(*map(_choices, row.split()))
    ]
    pieces = [Piece(word) for word in text.split()]
    alone = [hit for way, row in ways for hit in Phrasebook([(way, row)]).find(pieces)]
    found = list(whole.find(pieces))
    assert found
    assert Counter(map(repr, found)) == Counter(map(repr, alone))


def test_one_row_of_many_ways_is_a_small_table() -> None:
    book = Phrasebook([("a|b|c|d ~ e|f|g|h ~ i|j|k|l ~ m|n|o|p ~ #", "long")])
    nodes = {id(book._root()): book._root()}
    left = [book._root()]
    while left:
        behind = [node for node, _ in left.pop().next.values() if id(node) not in nodes]
        nodes |= {id(node): node for node in behind}
        left += behind
    assert len(nodes) < 100  # as many ways as 4 ** 4 * 3 ** 4


def test_an_empty_table_finds_nothing() -> None:
    assert list(Phrasebook[str]([]).find([Piece("a")])) == []


def test_a_server_that_starts_makes_them_all_also_those_that_others_bring() -> None:
    made = []
    first = lazily.lazily(lambda: lazily.lazily(lambda: made.append("inner")))
    lazily.lazily(lambda: made.append("second"))
    lazily.make_all()
    assert made == ["second", "inner"]
    assert first() is first()


def test_threads_that_ask_at_once_all_get_a_whole_table() -> None:
    table = lazily.lazily(lambda: list(range(50_000)))
    with ThreadPoolExecutor(8) as pool:
        sizes = list(pool.map(lambda _: len(table()), range(64)))
    assert set(sizes) == {50_000}


def test_a_long_text_is_read_and_not_kept() -> None:
    read = []

    @lazily.kept(2)
    def length(text: str) -> int:
        read.append(text)
        return len(text)

    long = "x" * (lazily.LONGEST_KEPT + 1)
    assert [length(text) for text in ("a", "a", long, long)] == [1, 1, len(long), len(long)]
    assert read == ["a", long, long]


def test_whoever_asks_again_gets_the_same_cut() -> None:
    assert to_text("170 final hai") is to_text("170 final hai")


def test_a_command_makes_no_table_that_it_does_not_need() -> None:
    told = {**inherited(), "DJANGO_SETTINGS_MODULE": "bazaar_site.settings"}
    # Cold: processes that begin warm have all of them.
    said = subprocess.check_output([sys.executable, "-c", COLD], env=told, cwd=ROOT, text=True)
    assert said.split() == ["True"] * 3
