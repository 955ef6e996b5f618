"""A study's data: who and what is in it, that it explains itself, and that it plays again."""

import csv
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from bazaar_site.env_secrets import make_signing_key
from bazaarbatna.bargain.moves import Walk
from negotiation.bargain import sessions
from negotiation.bargain.commands import Say
from negotiation.models import EventRow, Game, GameAnswer, SealedRecord
from rooms.debrief.games import played_in
from rooms.export.checking import check, count_rows
from rooms.export.rows import Person, Promises
from rooms.export.tables import PARTICIPANTS, TABLES
from rooms.export.views import packed
from rooms.export.writing import SIGNATURE, SUMS, export_to, file_names, sum_of
from rooms.models import Member, Room, RoomGame, Study
from rooms.pages import safe_text
from tests.support.builders import a_started_sale
from tests.support.class_rooms import a_game, a_member, a_room, bid, secrets_of, walks
from tests.support.studies import a_deal, a_participant, a_study, an_answer

pytestmark = pytest.mark.django_db

FORBIDDEN = ("session", "owner", "rival", "client", "key", "watch")


def unsafe_text(cell: str) -> str:
    """The text of a cell that ``safe_text`` wrote."""
    return cell[1:] if cell.startswith("'") else cell


class Asked:
    """A study with a pair, somebody against a policy, and answers."""

    def __init__(self, **consent: Any) -> None:
        self.study: Study = a_study(**consent)
        self.room: Room = self.study.room
        self.asha: Member = a_participant(self.room, "Asha")
        self.ravi: Member = a_participant(self.room, "Ravi")
        self.meena: Member = a_participant(self.room, "Meena", "silent", is_pilot=True)
        self.pair: RoomGame = a_deal(self.room, self.asha, self.ravi)
        self.alone: RoomGame = a_deal(self.room, self.meena, "sauda")
        an_answer(self.asha, "fair", 6)
        an_answer(self.ravi, "why", "@sum, because\nshe knew 50 % more")


@pytest.fixture
def asked() -> Asked:
    return Asked()


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a table, from JSON."""
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().split("\n") if line]


def cells(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a table, from CSV."""
    with (folder / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def everything(folder: Path) -> str:
    """All bytes of an export but the file of external ids."""
    return "\n".join(
        path.read_text() for path in sorted(folder.iterdir()) if path.name != "pay.csv"
    )


def test_a_price_that_was_taken_back_is_in_the_log_and_in_no_count(tmp_path: Path) -> None:
    study = a_study()
    asha = a_participant(study.room, "Asha")
    misheard = "1500 se shuru karte hain"
    a_game(
        study.room,
        asha,
        "sauda",
        [
            bid(1100),
            ("seller", "offer", 1500, misheard),
            ("seller", "say", 0, "no, I said 1,800"),
            bid(1300),
            walks("seller"),
        ],
    )
    told = export_to(study.room, tmp_path)
    assert check(tmp_path).faults == []
    assert told["rows"]["games"] == 1
    kinds = [row["kind"] for row in rows(tmp_path, "events")]
    assert kinds[2:6] == ["offer", "tells", "withdrawn", "offer"]
    [game] = rows(tmp_path, "games")
    assert game["first_ask"] == 1800
    [played] = played_in(study.room)
    assert [move.price for move in played.moves if move.side == "seller"][:1] == [1800]
    assert misheard not in [move.text for move in played.moves]


def test_an_export_plays_every_game_again_to_the_byte(asked: Asked, tmp_path: Path) -> None:
    usual = csv.field_size_limit()
    told = export_to(asked.room, tmp_path)
    found = check(tmp_path)
    assert found.faults == []
    assert found.games == told["rows"]["games"] == 2
    assert csv.field_size_limit() == usual, "whoever reads other tables has its limit still"
    stored = EventRow.objects.filter(game=asked.pair.game).order_by("seq")
    payloads = [bytes(row.payload).decode() for row in stored]
    assert [row["payload"] for row in rows(tmp_path, "events")][: len(payloads)] == payloads


def test_rows_are_counted_whatever_stands_in_a_cell_and_whoever_counts_beside() -> None:
    cells = [
        "plain",
        "",
        '"',
        'a ""quoted"" word',
        "two\nlines",
        "\r",
        "a\r\nb",
        ",",
        "e" * 200_000,
    ]
    file = io.StringIO(newline="")
    csv.writer(file).writerows([cells, ["one"], *([cell, "x"] for cell in cells)])
    # As if the limit of the process were what somebody else has set it to.
    usual = csv.field_size_limit(100)
    try:
        file.seek(0)
        assert count_rows(file) == 2 + len(cells)
    finally:
        csv.field_size_limit(usual)


def test_the_command_writes_and_checks(asked: Asked, tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("export_study", asked.room.code.lower(), out=tmp_path / "data", stdout=out)
    assert "2 games" in out.getvalue()
    call_command("export_study", check=tmp_path / "data", stdout=out)
    assert "2 games played again" in out.getvalue()
    with pytest.raises(CommandError, match="not empty"):
        call_command("export_study", asked.room.code, out=tmp_path / "data")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("events.jsonl", '\\"price\\":150000', '\\"price\\":150001'),
        ("games.jsonl", '\\"reservation\\":120000', '\\"reservation\\":120001'),
        ("games.csv", "Pressure", "Preasure"),
    ],
)
def test_a_changed_byte_is_found(
    asked: Asked, tmp_path: Path, name: str, old: str, new: str
) -> None:
    export_to(asked.room, tmp_path)
    path = tmp_path / name
    changed = path.read_text().replace(old, new, 1)
    assert changed != path.read_text()
    path.write_text(changed)
    assert any(name in fault for fault in check(tmp_path).faults)
    sums = (tmp_path / SUMS).read_text()
    for one in file_names():
        sums = re.sub(rf"\w+  {re.escape(one)}\n", f"{sum_of(tmp_path / one)}  {one}\n", sums)
    (tmp_path / SUMS).write_text(sums)
    # With new sums, too: they are not those that this house signed.
    assert any(SIGNATURE in fault for fault in check(tmp_path).faults)
    (tmp_path / SIGNATURE).unlink()
    # And without a signature the game that was changed is no game of its rules any more.
    found = check(tmp_path)
    assert bool(found.faults) == name.endswith("jsonl")
    assert found.signer == ""


def test_sums_that_are_none_are_a_fault(asked: Asked, tmp_path: Path) -> None:
    export_to(asked.room, tmp_path)
    (tmp_path / SUMS).write_text("nonsense\n")
    assert any("is not in it" in fault for fault in check(tmp_path).faults)


def test_an_export_is_signed_by_this_house_and_an_old_one_is_not(
    asked: Asked, tmp_path: Path, settings: Any
) -> None:
    export_to(asked.room, tmp_path)
    found = check(tmp_path)
    assert (found.faults, found.is_ours, len(found.signer)) == ([], True, 16)
    settings.SIGNING_KEY = make_signing_key()
    found = check(tmp_path)
    assert (found.faults, found.is_ours) == ([], False)
    (tmp_path / SIGNATURE).unlink()
    assert check(tmp_path).faults == []


def test_the_codebook_declares_every_column_that_is_written(asked: Asked, tmp_path: Path) -> None:
    export_to(asked.room, tmp_path)
    book = cells(tmp_path, "codebook")
    declared = {(row["table"], row["column"]) for row in book}
    for table in TABLES:
        with (tmp_path / f"{table.name}.csv").open(newline="") as file:
            header = next(csv.reader(file))
        assert {(table.name, name) for name in header} <= declared
        if "jsonl" in table.formats:
            written = {key for row in rows(tmp_path, table.name) for key in row}
            assert {(table.name, name) for name in written} <= declared
    assert all(row["meaning"] and row["kind"] for row in book)
    markdown = (tmp_path / "codebook.md").read_text()
    assert all(f"`{row['column']}`" in markdown for row in book)
    asked_of = {row["column"]: row for row in book if row["table"] == "answers"}
    assert asked_of["value where form = after and question = fair"]["levels"] == (
        "1: not at all; 7: very"
    )


def felt(asked: Asked) -> None:
    """Both of the pair told how it was, and so did Meena, who played a program."""
    for game, side, question, value in (
        (asked.pair, "seller", "process", 6),
        (asked.pair, "seller", "again", 1),
        (asked.pair, "buyer", "process", 2),
        (asked.alone, "seller", "self", 7),
    ):
        GameAnswer.objects.create(game=game.game, side=side, question=question, value=value)


def test_how_a_game_was_stands_among_the_answers_with_its_game(
    asked: Asked, tmp_path: Path
) -> None:
    felt(asked)
    Study.objects.update(design={**asked.study.design, "plan": {"feelings": True}})
    export_to(asked.room, tmp_path)
    told = [row for row in rows(tmp_path, "answers") if row["form"] == "game"]
    names = {row["game"] for row in rows(tmp_path, "games")}
    assert {row["game"] for row in told} <= names
    assert {(row["participant"], row["question"], row["value"]) for row in told} == {
        (1, "process", 6), (1, "again", 1), (2, "process", 2), (3, "self", 7),
    }  # fmt: skip
    assert len(told) == 4
    assert all(row["game"] is None for row in rows(tmp_path, "answers") if row["form"] != "game")
    book = {row["column"]: row for row in cells(tmp_path, "codebook")}
    assert book["value where form = game and question = process"]["levels"] == (
        "1: very unfairly; 7: very fairly"
    )
    assert book["value where form = game and question = again"]["levels"] == "0 to 1"
    assert check(tmp_path).faults == []


def test_how_a_game_was_goes_with_the_promise_about_answers_and_with_its_game(
    tmp_path: Path,
) -> None:
    silent = Asked(keeps=["prices", "words"])
    felt(silent)
    export_to(silent.room, tmp_path / "silent")
    assert rows(tmp_path / "silent", "answers") == []
    left = Asked(withdrawal=["answers"])
    felt(left)
    Member.objects.filter(pk=left.asha.pk).update(withdrawn_at=timezone.now())
    export_to(left.room, tmp_path / "left")
    told = [row for row in rows(tmp_path / "left", "answers") if row["form"] == "game"]
    assert [row["participant"] for row in told] == [2, 3]
    gone = Asked(withdrawal=["games"])
    felt(gone)
    Member.objects.filter(pk=gone.asha.pk).update(withdrawn_at=timezone.now())
    export_to(gone.room, tmp_path / "gone")
    told = [row for row in rows(tmp_path / "gone", "answers") if row["form"] == "game"]
    assert [row["participant"] for row in told] == [3]


def test_every_level_that_is_written_is_declared(asked: Asked, tmp_path: Path) -> None:
    a_game(asked.room, asked.asha, asked.ravi, [bid(900)], number=2)
    a_game(
        asked.room,
        asked.meena,
        "sauda",
        [bid(900), ("seller", "walk", 0, "")],
        number=2,
        closed="absent",
    )
    export_to(asked.room, tmp_path)
    for table in TABLES:
        if "jsonl" not in table.formats:
            continue
        for column in table.columns:
            known = {level for level, _ in column.levels}
            found = {row[column.name] for row in rows(tmp_path, table.name)} - {None}
            assert not known or found <= known, column.name
            assert "currency" not in column.unit or column.kind == "number"


def test_numbers_of_the_two_formats_are_the_same(asked: Asked, tmp_path: Path) -> None:
    export_to(asked.room, tmp_path)
    for table in (one for one in TABLES if "jsonl" in one.formats):
        for row, cell in zip(rows(tmp_path, table.name), cells(tmp_path, table.name), strict=True):
            for column in table.columns:
                value, text = row[column.name], cell[column.name]
                if column.kind in ("text", "json"):
                    assert unsafe_text(text) == ("" if value is None else str(value))
                elif column.kind in ("whole", "number") and value is not None:
                    assert float(text) == value
                elif column.kind == "yes-no" and value is not None:
                    assert text == str(value).lower()


def test_a_cell_is_never_a_formula_and_words_come_back_whole(asked: Asked, tmp_path: Path) -> None:
    export_to(asked.room, tmp_path)
    said = cells(tmp_path, "turns")[0]["text"]
    assert said == "'=HYPERLINK(1100)\nfor me, bhaiya"
    assert rows(tmp_path, "turns")[0]["text"] == "=HYPERLINK(1100)\nfor me, bhaiya"
    assert rows(tmp_path, "turns")[1]["text"] == "It is nearly new 😀"
    for path in tmp_path.glob("*.csv"):
        with path.open(newline="") as file:
            for row in csv.reader(file):
                assert not any(
                    cell.lstrip(" ")[:1] in "=+-@\t\r" and not _is_number(cell)
                    for cell in row
                    if cell.strip()
                )


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"-?[\d.]+", cell) is not None


@pytest.mark.parametrize("text", ["=1+1", " =1", "-2", "@x", "'quoted", "\t=1", "＝1", "plain", ""])
def test_what_is_made_safe_can_be_taken_back(text: str) -> None:
    assert unsafe_text(safe_text(text)) == text


def test_line_ends_of_other_alphabets_stay_inside_a_row(asked: Asked, tmp_path: Path) -> None:
    an_answer(asked.meena, "why", "one\u2028two\u2029three\x85four")
    export_to(asked.room, tmp_path)
    lines = (tmp_path / "answers.jsonl").read_text().splitlines()
    assert len(lines) == 3
    assert json.loads(lines[-1])["value"] == "one\u2028two\u2029three\x85four"


def test_nothing_says_who_somebody_is(asked: Asked, tmp_path: Path) -> None:
    Game.objects.update(client="203.0.113.7", watch_key=None)
    export_to(asked.room, tmp_path)
    found = everything(tmp_path)
    for member in (asked.asha, asked.ravi, asked.meena):
        for told in (member.session, member.key, member.external_id, member.nickname, member.pk):
            assert told not in found
    for one in (asked.pair, asked.alone):
        assert one.game_id not in found
    assert "203.0.113.7" not in found
    for table in TABLES:
        assert not any(word in name for name in table.header for word in FORBIDDEN)
    assert {row["external_id"] for row in cells(tmp_path, "pay")} == {
        "prolific-Asha", "prolific-Ravi", "prolific-Meena",
    }  # fmt: skip


def test_a_nickname_is_told_only_where_the_consent_names_it(tmp_path: Path) -> None:
    asked = Asked(keeps=["prices", "words", "times", "nickname"])
    export_to(asked.room, tmp_path)
    assert [row["nickname"] for row in rows(tmp_path, "participants")] == ["Asha", "Ravi", "Meena"]
    assert cells(tmp_path, "pay") == []
    assert cells(tmp_path, "answers") == []


def test_without_words_in_the_consent_none_are_told_and_it_still_plays(tmp_path: Path) -> None:
    asked = Asked(keeps=["prices"])
    export_to(asked.room, tmp_path)
    found = everything(tmp_path)
    assert "nearly new" not in found
    # Words of a program are no person's.
    assert found.count("bhaiya") == 4
    assert check(tmp_path).faults == []
    for row in rows(tmp_path, "turns"):
        assert not (row["by"] == "person" and row["text"])
        assert row["at"] is None
        assert row["seconds_since"] is None
    assert all(row["opened_at"] is None for row in rows(tmp_path, "games"))
    assert all(row["joined_at"] is None for row in rows(tmp_path, "participants"))


def test_without_prices_in_the_consent_no_game_is_told(tmp_path: Path) -> None:
    asked = Asked(keeps=["answers"])
    export_to(asked.room, tmp_path)
    assert rows(tmp_path, "games") == rows(tmp_path, "events") == []
    assert len(rows(tmp_path, "answers")) == 2


def test_who_never_consented_is_in_no_file_and_no_game_of_theirs_is(
    asked: Asked, tmp_path: Path
) -> None:
    silent = a_member(asked.room, "Zorawar")
    a_deal(asked.room, asked.asha, silent, number=2)
    an_answer(silent, "why", "I never said yes")
    told = export_to(asked.room, tmp_path)
    assert told["left_out"]["games_left_out"] == 1
    assert told["left_out"]["people_without_consent"] == 1
    assert "never said yes" not in everything(tmp_path)
    assert len(rows(tmp_path, "games")) == 2
    people = {row["participant"]: row for row in rows(tmp_path, "participants")}
    assert set(people) == {1, 2, 3}
    assert (people[1]["games"], people[1]["games_left_out"]) == (1, 1)


@pytest.mark.parametrize(
    ("deletes", "games", "words", "answers"),
    [
        (["answers", "words"], 2, False, 1),
        (["games"], 1, False, 2),
        ([], 2, True, 2),
    ],
)
def test_a_withdrawal_takes_out_what_was_promised(
    tmp_path: Path, deletes: list[str], games: int, words: bool, answers: int
) -> None:
    asked = Asked(withdrawal=deletes)
    Member.objects.filter(pk=asked.asha.pk).update(withdrawn_at=timezone.now())
    export_to(asked.room, tmp_path)
    assert len(rows(tmp_path, "games")) == games
    assert len(rows(tmp_path, "answers")) == answers
    # Asha sold to Ravi: hers are these words, his are others.
    hers = [row for row in rows(tmp_path, "turns") if row["participant"] == 1]
    assert any(row["text"] for row in hers) == words
    his = [row["text"] for row in rows(tmp_path, "turns") if row["participant"] == 2]
    assert any(his) == (games == 2)
    assert check(tmp_path).faults == []
    assert rows(tmp_path, "participants")[0]["is_withdrawn"] is True


def test_a_game_of_somebody_who_was_deleted_is_left_out(asked: Asked, tmp_path: Path) -> None:
    asked.ravi.delete()
    told = export_to(asked.room, tmp_path)
    assert [row["seller_participant"] for row in rows(tmp_path, "games")] == [3]
    assert told["left_out"]["games_left_out"] == 1


def test_sealed_values_of_a_game_that_goes_on_are_in_no_file(asked: Asked, tmp_path: Path) -> None:
    live = a_game(
        asked.room,
        asked.asha,
        asked.ravi,
        [bid(3100)],
        limits=(5000, 3317, 4129),
        number=2,
    )
    told = export_to(asked.room, tmp_path)
    assert told["left_out"]["unfinished_games"] == 1
    found = everything(tmp_path)
    for secret in secrets_of(live):
        # A number by itself: in sums and one-way names any four figures may stand.
        assert not re.search(rf"(?<![\w.-]){re.escape(secret)}(?![\w-])", found)


def test_a_trial_run_is_marked_wherever_it_is(asked: Asked, tmp_path: Path) -> None:
    an_answer(asked.meena, "fair", 2)
    export_to(asked.room, tmp_path)
    assert [row["is_pilot"] for row in rows(tmp_path, "participants")] == [False, False, True]
    for table in TABLES:
        assert "is_pilot" in table.header
    marked = {row["game"] for row in rows(tmp_path, "games") if row["is_pilot"]}
    assert len(marked) == 1
    for name in ("turns", "events"):
        assert {row["game"] for row in rows(tmp_path, name) if row["is_pilot"]} == marked


def test_moves_of_who_took_a_seat_are_told_from_those_of_the_person(
    asked: Asked, tmp_path: Path
) -> None:
    offers = EventRow.objects.filter(game=asked.pair.game, kind="offer").order_by("seq")
    last_of_ravi = [row for row in offers if b'"buyer"' in bytes(row.payload)][-1]
    EventRow.objects.filter(pk=last_of_ravi.pk).update(backend="network", policy_version="sauda@1")
    Game.objects.filter(pk=asked.pair.game_id).update(policy="sauda", rival="")
    Game.objects.filter(pk=asked.pair.game_id).update(policy_version="sauda@1")
    told = export_to(asked.room, tmp_path)
    game = next(row for row in rows(tmp_path, "games") if row["seller_participant"] == 1)
    assert (game["buyer"], game["buyer_participant"]) == ("person", 2)
    assert (game["buyer_policy"], game["buyer_moves_by_policy"]) == ("sauda", 1)
    assert "sauda@1" in told["versions"]["policies"]["sauda"]


def test_a_room_without_a_study_has_no_data_to_take_away() -> None:
    room = a_room("A class")
    with pytest.raises(CommandError, match="study"):
        call_command("export_study", room.code, out=Path("nowhere-at-all"))
    assert not Path("nowhere-at-all").exists()


def test_the_same_data_gives_the_same_files(asked: Asked, tmp_path: Path) -> None:
    export_to(asked.room, tmp_path / "one")
    export_to(asked.room, tmp_path / "other")
    for name in file_names():
        if name != "study.json":
            assert sum_of(tmp_path / "one" / name) == sum_of(tmp_path / "other" / name)


def test_a_game_is_read_once_however_many_files_it_is_in(
    asked: Asked, tmp_path: Path, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(12):
        export_to(asked.room, tmp_path)
    assert SealedRecord.objects.count() == 2


@pytest.mark.parametrize(
    ("end", "is_finished"), [("", True), ("finished", True), ("screened", False)]
)
def test_who_was_sent_away_did_not_come_to_the_end(
    asked: Asked, end: str, is_finished: bool
) -> None:
    asked.asha.__dict__["end"] = end
    row = Person(asked.asha, 1, 0, Promises(asked.study))
    told = {column.name: column.of(row) for column in PARTICIPANTS.columns}
    assert (told["end"], told["is_finished"]) == (end or None, is_finished)


def test_a_policy_that_is_here_in_the_same_version_moves_as_it_did(
    asked: Asked, tmp_path: Path
) -> None:
    game = a_started_sale(asked.meena.session)
    for words in ("1900 is my price", "It is nearly new, 1850", "1800 then"):
        sessions.play(game.pk, asked.meena.session, Say(words))
        sessions.opponent_turn(game.pk)
        game.refresh_from_db()
        if game.status == Game.Status.ENDED:
            break
    if game.status != Game.Status.ENDED:
        sessions.play(game.pk, asked.meena.session, Walk())
    RoomGame.objects.create(room=asked.room, game=game, round=2, seller=asked.meena)
    out = io.StringIO()
    call_command("export_study", asked.room.code, out=tmp_path / "data", stdout=out)
    found = check(tmp_path / "data", ask=True)
    assert found.faults == []
    assert found.asked >= 2
    assert found.same == found.asked
    call_command("export_study", check=tmp_path / "data", ask=True, stdout=out)
    assert f"{found.asked} came out the same" in out.getvalue()


def test_a_deposit_without_who_is_paid_passes_its_own_check(tmp_path: Path) -> None:
    asked = Asked()
    place = tmp_path / "public.zip"
    place.write_bytes(b"".join(packed(asked.room, public=True)))
    with zipfile.ZipFile(place) as zipped:
        names = {Path(one).name for one in zipped.namelist()}
    assert names == {*file_names(), SUMS, SIGNATURE} - {"pay.csv"}
    found = check(place)
    assert found.faults == []
    assert found.games == 2
    with zipfile.ZipFile(place) as zipped:
        for one in (name for name in zipped.namelist() if name.endswith(("csv", "jsonl"))):
            text = zipped.read(one).decode()
            assert not re.search(r"20\d\d-\d\d-\d\dT", text), one
            assert "participants" not in one or re.search(r"20\d\d-\d\d-\d\d", text)
    with zipfile.ZipFile(place) as zipped, zipfile.ZipFile(tmp_path / "less.zip", "w") as less:
        for one in zipped.namelist():
            if not one.endswith("answers.csv"):
                less.writestr(one, zipped.read(one))
    assert check(tmp_path / "less.zip").faults == ["answers.csv: it is missing."]


def test_each_person_has_a_row_for_each_game(tmp_path: Path) -> None:
    asked = Asked()
    no_zone = a_game(
        asked.room, asked.asha, asked.ravi, [bid(800), walks("seller")], limits=(1000, 900, 850),
        number=2,
    )  # fmt: skip
    export_to(asked.room, tmp_path)
    rows = list(csv.DictReader((tmp_path / "person_games.csv").read_text().splitlines()))
    assert len(rows) == 5
    games = {
        row["game"]: row
        for row in csv.DictReader((tmp_path / "games.csv").read_text().splitlines())
    }
    for row in rows:
        game = games[row["game"]]
        assert row["price"] == game["price"]
        if row["has_deal"] == "true":
            gained = float(row["price"]) - float(row["own_limit"])
            assert float(row["surplus"]) == (gained if row["side"] == "seller" else -gained)
            assert row["share"] == game[f"{row['side']}_share"]
    last = [row for row in rows if row["round"] == "2"]
    assert no_zone.game.outcome == "walk"
    assert [(row["has_zone"], row["share"], row["met_before"]) for row in last] == [
        ("false", "", "1"),
        ("false", "", "1"),
    ]
    assert {row["partner"] for row in last} == {row["participant"] for row in last}
