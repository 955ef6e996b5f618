"""The exchanges that Sauda's words come from: whole, hers, and none like another."""

import re
from collections import Counter
from pathlib import Path

import pytest

from agents.output_guard.coherence import claims
from agents.speech.bank import (
    ANY_GOODS,
    ASK,
    BID,
    ITEM,
    LAST,
    OR,
    WARNINGS,
    Exchange,
    UnreadableCorpus,
    corpus,
    look,
    read_exchanges,
    shelves,
)
from agents.speech.checks import MOST_WORDS, opening_of

ALIKE = 0.6
"""Two lines of a language share fewer of their words than this."""
SLOT = re.compile(r"<[^>]*>")


def everything() -> list[Exchange]:
    """Return all that she may say, with what she says before she leaves."""
    return [*corpus(), *read_exchanges(WARNINGS, Exchange)]


def plain(line: str) -> str:
    return SLOT.sub("", line)


def test_every_exchange_keeps_to_the_rules() -> None:
    for one in everything():
        keeps_to_the_rules(one)


def keeps_to_the_rules(one: Exchange) -> None:
    slots = set(SLOT.findall(one.line))
    assert slots <= {BID, LAST, ASK, ITEM}
    assert (BID in slots) == (one.move in ("open", "concede"))
    assert LAST not in slots or one.move in ("hold", "talk")
    assert len(one.line.split()) <= MOST_WORDS
    assert one.goods in {ANY_GOODS, *shelves().values()}
    assert set(one.speaks_to) <= set(one.heard)
    assert len(one.speaks_to) <= 2
    assert not look("masculine").search(one.line)
    assert not claims(one.line)
    assert all(any(word in one.said.lower() for word in it.split(OR)) for it in one.needs)
    told = set(re.findall(r"\d+", one.said))
    assert set(re.findall(r"\d+", plain(one.line))) <= told
    has_devanagari = re.search(r"[\u0904-\u0939]", one.line) is not None
    assert has_devanagari == (one.language == "hindi")
    if one.move in ("hold", "talk") and not one.promise:
        assert not look("moved").search(one.line)
    if one.move in ("open", "concede", "hold") and not one.final:
        assert not look("last_word").search(plain(one.line))


def test_no_two_lines_begin_alike() -> None:
    openings = Counter((one.language, opening_of(plain(one.line))) for one in everything())
    assert [words for words, count in openings.items() if count > 1 and len(words[1]) > 1] == []


def test_no_line_is_nearly_another() -> None:
    words = [
        (one, frozenset(re.findall(r"[\w\u0900-\u097f]+", plain(one.line).lower())))
        for one in everything()
    ]
    near = [
        (one.line, other.line)
        for place, (one, left) in enumerate(words)
        for other, right in words[place + 1 :]
        if one.language == other.language and len(left & right) > ALIKE * len(left | right)
    ]
    assert near == []


def test_a_torn_file_says_where(tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_text('{"language": "english"}\n')
    with pytest.raises(UnreadableCorpus, match=r"torn\.jsonl, line 1"):
        list(read_exchanges(torn, Exchange))
