"""A held-out line becomes a position that is really played, the same for every voice."""

import msgspec
import pytest

from agents.output_guard.secrets import names_secret
from agents.speech.voice import Voice
from bazaarbatna.bargain.observe import observe_buyer
from tests.training.voices.conftest import LINES, a_table
from training.receipts.tables import VerdictsTable, VoicePosition, VoicesTable
from training.voices.judging import tallies, texts_of
from training.voices.positions import (
    CAST,
    Role,
    SellerLine,
    UnreadableLines,
    choose,
    is_answered,
    read_lines,
    spoken,
    state_of,
)


def a_line(**changes: object) -> SellerLine:
    plain = {"text": "5500?", "language": "english", "ask": 5800, "bid": 2700, "price": 5500}
    return msgspec.convert(plain | changes, SellerLine)


def test_the_same_lines_and_seed_give_the_same_table(table: VoicesTable) -> None:
    assert a_table() == table
    assert len({one.seed for one in table.rows}) == len(table.rows) == 7


def test_the_prices_of_the_line_stand_when_she_answers(table: VoicesTable) -> None:
    lines = {line.text: line for line in read_lines([LINES])}
    for position in table.rows:
        line = lines[position.talk[-1].text]
        seen = observe_buyer(state_of(position))
        assert seen.own_last_bid == position.bid == round(100 * line.bid)
        assert seen.standing_ask == position.ask == round(100 * (line.price or line.ask))
        assert seen.turns[-1].text == line.text
        assert seen.turns[-1].actor == "seller"
        assert (position.move == "talk") == (line.price is None)
        assert list(seen.asks) == sorted(seen.asks, reverse=True)
        assert list(seen.bids) == sorted(seen.bids)


def test_every_voice_of_the_cast_has_spoken_and_a_third_can_join(table: VoicesTable) -> None:
    position = table.rows[0]
    assert set(position.texts) == {role.name for role in CAST}
    again = spoken(position, [Role("third", "A third", "", lambda seed: Voice(seed + 1))])
    assert list(again.texts) == [*position.texts, "third"]
    assert {name: again.texts[name] for name in position.texts} == position.texts


@pytest.mark.parametrize(
    ("change", "answered"),
    [
        ({}, True),
        ({"price": None}, True),
        ({"price": None, "acts": [("agreement", "done")]}, False),
        ({"price": 2700}, False),
        ({"price": 6000}, False),
        ({"bid": 0}, False),
        ({"bid": 5800}, False),
    ],
)
def test_a_line_that_ends_the_game_or_breaks_its_rules_is_left_out(
    change: dict[str, object], answered: bool
) -> None:
    assert is_answered(a_line(**change)) is answered


def test_a_line_is_drawn_once_however_often_it_stands_in_the_files() -> None:
    lines = [a_line(text=f"{n % 5}") for n in range(20)]
    assert len(choose(lines, 200, 1)) == 5
    assert choose(lines, 3, 1) == choose(lines, 3, 1)
    assert len(choose(lines, 3, 1)) == 3


def test_a_broken_file_names_its_line(tmp_path) -> None:  # type: ignore[no-untyped-def]
    broken = tmp_path / "lines.jsonl"
    broken.write_text(LINES.read_text().splitlines()[0] + '\n{"text": 1}\n')
    with pytest.raises(UnreadableLines, match=r"lines\.jsonl, line 2"):
        read_lines([broken])


def shipped() -> tuple[VoicePosition, ...]:
    table = VoicesTable.shipped()
    assert table is not None
    return table.rows


def test_what_ships_can_be_played_again_and_gives_no_budget_away() -> None:
    for position in shipped():
        seen = observe_buyer(state_of(position))
        assert (seen.standing_ask, seen.own_last_bid) == (position.ask, position.bid)
        assert len(texts_of(position)) == len(set(position.texts.values()))
        assert not any(names_secret(text, seen.budget) for text in position.texts.values())


def test_verdicts_that_ship_are_on_texts_that_ship() -> None:
    verdicts, table = VerdictsTable.shipped(), VoicesTable.shipped()
    assert table is not None
    if verdicts is None:
        assert tallies(table, ()) == ()
        return
    known = {(one.id, code) for one in table.rows for code in texts_of(one)}
    assert {(one.id, one.code) for one in verdicts.rows} <= known
