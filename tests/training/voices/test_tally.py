"""Sheets tell no names, verdicts are checked, and the tally is what a pencil would give."""

import io
import json
from pathlib import Path
from random import Random

import msgspec
import pytest
from django.core.management import CommandError, call_command

from bazaarbatna.intervals import bootstrap
from tests.training.voices.conftest import LINES, a_verdict
from training.receipts.tables import VerdictsTable, VoicesTable
from training.voices.judging import (
    EVERY,
    RUBRIC,
    BadVerdict,
    code_of,
    merged,
    read_sheet,
    sheet,
    tallies,
    texts_of,
)
from training.voices.positions import CAST


def filled(table: VoicesTable, mark: object = 1) -> str:
    """Sheet 1 with the same mark in every place."""
    return "\n".join(sheet(table, 1)).replace("null", json.dumps(mark))


def test_a_sheet_holds_every_text_and_no_name(table: VoicesTable) -> None:
    text = "\n".join(sheet(table, 1))
    for position in table.rows:
        for words in position.texts.values():
            assert words in text
    for role in CAST:
        assert role.title.lower() not in text.lower()
        assert f'"{role.name}"' not in text
    assert not any(name in text for name in ("seed", "budget"))


def test_the_order_on_a_sheet_is_not_the_order_of_the_voices(table: VoicesTable) -> None:
    firsts = {
        next(
            name
            for name, text in position.texts.items()
            if code_of(position, text) == next(iter(texts_of(position)))
        )
        for position in table.rows
    }
    assert firsts == {role.name for role in CAST}


def test_a_voice_that_joins_changes_no_code(table: VoicesTable) -> None:
    position = table.rows[0]
    more = msgspec.structs.replace(position, texts={**position.texts, "third": "Something else."})
    assert set(texts_of(position)) < set(texts_of(more))


def test_a_filled_sheet_is_read_back_and_a_blank_one_gives_nothing(table: VoicesTable) -> None:
    texts = sum(len(texts_of(position)) for position in table.rows)
    given = list(read_sheet(table, filled(table), "one"))
    assert len(given) == texts
    assert all(getattr(one, name) == 1 for one in given for name in RUBRIC)
    assert list(read_sheet(table, "\n".join(sheet(table, 1)), "one")) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"answers":1', '"answers":2', "is no verdict"),
        ('"answers":1', '"answers":null', "filled in part"),
        ('"answers":1,', "", "is no verdict"),
        ('"go_on":1', '"go_on":1,"voice":"bank"', "is no verdict"),
        ('"id":"v001"', '"id":"v999"', "v999 has no text"),
    ],
)
def test_a_wrong_line_is_named(table: VoicesTable, old: str, new: str, words: str) -> None:
    text = filled(table).replace(old, new, 1)
    changed = zip(filled(table).splitlines(), text.splitlines(), strict=True)
    number = next(n for n, (before, after) in enumerate(changed, 1) if before != after)
    with pytest.raises(BadVerdict, match=words) as wrong:
        list(read_sheet(table, text, "one"))
    assert str(wrong.value).startswith(f"Line {number}")


def test_a_later_verdict_of_a_judge_takes_the_place_of_the_earlier(table: VoicesTable) -> None:
    first = a_verdict(table, 0, "old", "one", 1, 1, 1, 1, 1)
    again = a_verdict(table, 0, "old", "one", 0, 0, 0, 0, 0)
    other = a_verdict(table, 0, "old", "two", 1, 0, 0, 0, 0)
    assert set(merged([first], [again, other])) == {again, other}


def test_points_are_means_over_positions_of_means_over_judges(table: VoicesTable) -> None:
    verdicts = [
        a_verdict(table, 0, "bank", "one", 1, 1, 1, 1, 1),
        a_verdict(table, 0, "bank", "two", 0, 1, 1, 1, 0),
        a_verdict(table, 1, "bank", "one", 0, 0, 0, 0, 1),
        a_verdict(table, 0, "old", "one", 1, 1, 1, 1, 0),
        a_verdict(table, 1, "old", "one", 0, 0, 0, 1, 0),
    ]
    every = tallies(table, verdicts)[0]
    assert (every.language, every.judges) == (EVERY, 2)
    old, bank = every.voices
    assert (old.voice, bank.voice, bank.positions) == ("old", "bank", 2)
    assert bank.points.mean == pytest.approx((0.8 + 0.2) / 2)
    assert bank.questions["answers"].mean == pytest.approx((0.5 + 0) / 2)
    assert old.points.mean == pytest.approx((0.8 + 0.2) / 2)
    (pair,) = every.pairs
    # Equal in the one and equal in the other: half each.
    assert (pair.voice, pair.than, pair.better.mean) == ("bank", "old", 0.5)


def test_intervals_are_those_of_the_house(table: VoicesTable) -> None:
    verdicts = [
        a_verdict(table, at, "bank", "one", *(int(at % 5 >= n) for n in range(5)))
        for at in range(len(table.rows))
    ]
    points = tallies(table, verdicts)[0].voices[0].points
    values = [(min(at % 5, 4) + 1) / 5 for at in range(len(table.rows))]
    other = bootstrap(values, Random(1))
    assert other is not None
    assert points.mean == pytest.approx(other.mean)
    assert points.low == pytest.approx(other.low, abs=0.06)
    assert points.high == pytest.approx(other.high, abs=0.06)
    assert tallies(table, verdicts) == tallies(table, list(reversed(verdicts)))


def test_a_voice_that_nobody_judged_is_not_in_the_tally(table: VoicesTable) -> None:
    only = tallies(table, [a_verdict(table, 0, "bank", "one", 1, 1, 1, 1, 1)])
    assert [one.voice for one in only[0].voices] == ["bank"]
    assert only[0].pairs == ()
    assert [one.language for one in only] == [EVERY, table.rows[0].language]
    assert tallies(table, ()) == ()


def test_languages_are_counted_apart(judged: VoicesTable) -> None:
    verdicts = VerdictsTable.shipped()
    assert verdicts is not None
    found = tallies(judged, verdicts.rows)
    assert [one.language for one in found] == [EVERY, "english", "hinglish", "hindi"]
    assert [one.voices[0].positions for one in found] == [7, 3, 2, 2]
    for one in found:
        assert [voice.points.mean for voice in one.voices] == [pytest.approx(0.6), 1]
        assert one.pairs[0].better.mean == 1


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("voices", *words, stdout=out)
    return out.getvalue()


def test_from_lines_to_verdicts_by_the_command(receipts: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no texts yet"):
        run()
    assert "7 positions" in run("--lines", str(LINES), "--seed", "7")
    made = (receipts / "voices.json").read_bytes()
    assert "Nobody has judged" in run()
    run("--speak", "bank")
    assert json.loads((receipts / "voices.json").read_bytes())["rows"] == json.loads(made)["rows"]
    paper = tmp_path / "sheet.txt"
    # As an editor saves it that marks the byte order.
    paper.write_text(run("--sheet", "1").replace("null", "1"), encoding="utf-8-sig")
    told = run("--verdicts", str(paper), "--judge", "one")
    assert "all       old    1.000 [1.000, 1.000]" in told
    assert "bank better than old: 0.500" in told
    paper.write_text(paper.read_text().replace('"v001"', '"v999"'))
    kept = (receipts / "voice_verdicts.json").read_bytes()
    with pytest.raises(CommandError, match=r"sheet\.txt: Line \d+: v999"):
        run("--verdicts", str(paper), "--judge", "one")
    assert (receipts / "voice_verdicts.json").read_bytes() == kept


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("--sheet", "0"), "from 1 to 1"),
        (("--sheet", "2"), "from 1 to 1"),
        (("--speak", "nobody"), "Known: old, bank"),
        (("--verdicts", "x.txt"), "--judge is a name"),
        (("--verdicts", "x.txt", "--judge", "one"), "x.txt"),
        (("--lines", "x.jsonl"), "x.jsonl"),
    ],
)
def test_what_is_wrong_with_a_call_is_told(
    shown: VoicesTable, words: tuple[str, ...], wrong: str
) -> None:
    with pytest.raises(CommandError, match=wrong):
        run(*words)
