"""What people agreed to flows into training and the fit; without that nothing does."""

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from agents.dialects.compact import dialect
from bazaarbatna.bargain.people.dialogues import Dialogue
from bazaarbatna.bargain.people.fit import HUMAN, Row
from bazaarbatna.bargain.people.joining import Counted, join, report
from negotiation.models import PAIR, Game
from tests.support.class_rooms import a_game, a_member, a_room, ask, bid, takes
from training.data.consented import (
    LEAST_GAMES,
    TooFewGames,
    consented,
    names_of,
    spoken_games,
    tells_who,
    write_consented,
)
from training.data.corpus import Corpus
from training.stages.config import BadConfig, SftConfig
from training.stages.sft import _of_people

COMPACT = dialect("compact")


class Log:
    """Stands for a run's work: takes what is said of it."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, words: str) -> None:
        self.said.append(words)


@pytest.fixture
def games(db: None) -> list[Game]:
    """Twelve pairs, and one sale to Sauda; all agreed."""
    room = a_room()
    found = []
    for number in range(12):
        asha, ravi = a_member(room, f"Asha {number}"), a_member(room, f"Ravi {number}")
        deeds = [
            bid(1100, f"1100 today? {number}"),
            ask(1800, "Call me: 98765 43210"),
            bid(1500, "1500, cash"),
            takes("seller", "Done."),
        ]
        found.append(a_game(room, asha, ravi, deeds).game)
    sold = a_game(room, a_member(room, "Meena"), "sauda", [bid(1300), takes("seller")])
    Game.objects.update(may_train=True)
    Game.objects.filter(pk__in=[game.pk for game in found]).update(suite=PAIR)
    return [*found, sold.game]


def everything(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.iterdir()))


def test_lessons_are_what_people_who_bought_saw_and_did(games: list[Game], tmp_path: Path) -> None:
    card = write_consented(tmp_path, COMPACT, lambda _: None)
    book = Corpus(tmp_path)
    lessons = book.lessons("train") + book.lessons("held-out")
    assert card["games"] == 13
    # Two bids of each pair; what Sauda bid is no person's.
    assert len(lessons) == 24
    answers = [json.loads(lesson.answer) for lesson in lessons]
    assert {answer["action"] for answer in answers} == {"offer"}
    assert any("1500, cash" in answer["message"] or answer["message"] for answer in answers)
    assert all(lesson.prompt[-1].role == "user" for lesson in lessons)
    assert len(book.prose()) >= 11


@pytest.mark.parametrize(
    "change",
    [
        {"may_train": False},
        {"status": Game.Status.LIVE},
        {"source": Game.Source.WHAT_IF},
        {"source": Game.Source.IMPORT},
    ],
)
def test_one_flag_less_is_one_game_less(
    games: list[Game], tmp_path: Path, change: dict[str, Any]
) -> None:
    write_consented(tmp_path / "before", COMPACT, lambda _: None)
    assert "1100 today? 5" in everything(tmp_path / "before")
    Game.objects.filter(pk=games[5].pk).update(**change)
    write_consented(tmp_path / "after", COMPACT, lambda _: None)
    found = everything(tmp_path / "after")
    assert "1100 today? 5" not in found
    assert "1100 today? 6" in found
    assert len((tmp_path / "after" / "dialogues.jsonl").read_text().splitlines()) == 12


def test_without_the_flag_nothing_at_all_is_read(games: list[Game], tmp_path: Path) -> None:
    Game.objects.update(may_train=False)
    assert not consented().exists()
    assert list(spoken_games()) == []
    with pytest.raises(TooFewGames):
        write_consented(tmp_path / "none", COMPACT, lambda _: None)
    assert not (tmp_path / "none").exists()


def test_a_game_from_a_rematch_is_left_out(games: list[Game]) -> None:
    Game.objects.filter(pk=games[0].pk).update(rematch_of=games[1])
    assert len(list(spoken_games())) == 12


def test_nothing_tells_who_somebody_is(games: list[Game], tmp_path: Path) -> None:
    write_consented(tmp_path, COMPACT, lambda _: None)
    found = everything(tmp_path)
    assert "43210" not in found
    assert "Call me" not in found
    assert "Asha" not in found
    for game in Game.objects.all():
        for told in (game.pk, game.owner, game.rival):
            assert not told or told not in found


@pytest.mark.parametrize(
    "line",
    [
        "pay to ravi@okaxis", "9@upi", "ravi.k @ ybl", "रवि@okaxis", "a.b@example.co", "@ravi_k",
        "t.me/ravi", "wa.me/919876543210", "see instagram.com/x", "ravisteel.in", "रवि.भारत/x",
        "ｔ.me/ravi", "https://x.y", "ravi at gmail dot com", "chat.whatsapp.com/xyz",
        "call ९८७६५ ४३२१०", "98765-43210",
    ],
)  # fmt: skip
def test_what_leads_to_somebody_goes(line: str) -> None:
    assert tells_who(line)


@pytest.mark.parametrize(
    "line",
    [
        "50@2", "8500/-", "2 @ 50", "10@100rs", "rs.50@2 each", "@ 500 each", "1,50,000/- final",
        "₹1,25,00,000", "3.5/4", "12/10/2024", "good.come again", "और/या", "9,50,000 se 9,60,000",
    ],
)  # fmt: skip
def test_what_is_a_price_stays(line: str) -> None:
    assert not tells_who(line, {"ravi", "आशा"})


@pytest.mark.parametrize(
    "line",
    [
        "hello Ravi!", "raviji", "r.a.v.i here", "R A V I", "XxRaVi123", "Rávi", "ravi_k9",
        "आशाजी", "आशा, सुनो",
    ],
)  # fmt: skip
def test_nicknames_go_however_they_are_written(games: list[Game], line: str) -> None:
    game = games[0]
    game.names = {"seller": "Ravi_K9", "buyer": "आशा जी"}
    assert tells_who(line, names_of(game))


@pytest.mark.parametrize("line", ["for a vista", "1500 for the lamp", "जी हाँ, 1500", "k, done"])
def test_other_words_stay(games: list[Game], line: str) -> None:
    game = games[0]
    game.names = {"seller": "Ravi_K9", "buyer": "आशा जी"}
    assert not tells_who(line, names_of(game))
    game.names = {"seller": "Guest 12", "buyer": "15"}
    assert not tells_who("1500 for a guest, 12 rounds, 15", names_of(game))


def test_a_line_with_a_nickname_is_left_out_of_the_files(games: list[Game], tmp_path: Path) -> None:
    game = Game.objects.get(pk=games[0].pk)
    Game.objects.filter(pk=game.pk).update(names={"seller": "Asha", "buyer": "today"})
    write_consented(tmp_path, COMPACT, lambda _: None)
    found = everything(tmp_path)
    assert "1100 today? 0" not in found
    assert "1100 today? 1" in found


def test_the_same_game_is_always_held_out_or_never(games: list[Game], tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_consented(tmp_path / name, COMPACT, lambda _: None)
    assert everything(tmp_path / "one") == everything(tmp_path / "other")


def test_a_side_counts_as_people_only_while_people_sat_there(games: list[Game]) -> None:
    sides = sorted(game.sides for game in spoken_games())
    assert sides == [("seller",), *[("seller", "buyer")] * 12]
    taken = Game.objects.get(pk=games[0].pk)
    last = [row for row in taken.events.order_by("seq") if row.kind == "offer"][-1]
    taken.events.filter(pk=last.pk).update(backend="network", policy_version="sauda@1")
    assert sorted(game.sides for game in spoken_games())[:2] == [("seller",), ("seller",)]


def test_the_command_writes_what_sft_reads(
    games: list[Game], tmp_path: Path, settings: Any
) -> None:
    settings.CORPORA_DIR = tmp_path
    out = io.StringIO()
    call_command("export_training", stdout=out)
    assert "13 games" in out.getvalue()
    log = Log()
    config = SftConfig.model_validate({"consented": "from-people"})
    read = _of_people(log, config, COMPACT)  # type: ignore[arg-type]
    assert read == Corpus(tmp_path / "from-people").lessons("train")
    assert "lessons of people" in log.said[0]
    with pytest.raises(BadConfig, match="was written for"):
        _of_people(log, config, dialect("chat"))  # type: ignore[arg-type]
    with pytest.raises(BadConfig, match="no corpus"):
        _of_people(log, SftConfig.model_validate({"consented": "nowhere"}), COMPACT)  # type: ignore[arg-type]
    assert _of_people(log, SftConfig.model_validate({}), COMPACT) == []  # type: ignore[arg-type]
    with pytest.raises(CommandError, match="without folders"):
        call_command("export_training", name="../elsewhere")


def test_the_command_writes_nothing_of_a_few(db: None, tmp_path: Path, settings: Any) -> None:
    settings.CORPORA_DIR = tmp_path
    with pytest.raises(CommandError, match=f"below {LEAST_GAMES}"):
        call_command("export_training")
    assert list(tmp_path.iterdir()) == []


def a_dialogue(price: float) -> Dialogue:
    return Dialogue(4, price, "buyer", (1.0, 0.9), (0.5, price))


def test_people_here_move_the_figures_as_far_as_they_are_many() -> None:
    rows = [Row(human, human.value, human.value, human.value, human.value) for human in HUMAN]
    few = join([Counted(("seller", "buyer"), a_dialogue(0.6))] * 10, rows)
    assert all(row.after == row.human.value and row.after_fits for row in few)
    many = {
        row.human.key: row
        for row in join([Counted(("seller", "buyer"), a_dialogue(0.6))] * 1299, rows)
    }
    mean = many["deal_mean"]
    assert mean.after == pytest.approx((mean.human.value + 0.6) / 2)
    assert mean.before_fits
    assert not mean.after_fits
    assert "| deal price, mean | 0.82 | 0.600 | 1299 | 0.710 | yes | no |" in report(many.values())


def test_of_a_game_with_a_policy_only_the_person_counts() -> None:
    rows = [Row(human, human.value, human.value, human.value, human.value) for human in HUMAN]
    found = {
        row.human.key: row.games for row in join([Counted(("seller",), a_dialogue(0.6))] * 40, rows)
    }
    assert found["seller_step_1"] == found["first_ask_50"] == 40
    assert found["buyer_step_1"] == found["first_bid_50"] == found["deals"] == 0


def test_the_fit_prints_before_and_after(
    games: list[Game],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_consented(tmp_path, COMPACT, lambda _: None)
    from negotiation.management.commands import people_fit

    rows = [Row(human, human.value, human.value, human.value, human.value) for human in HUMAN]
    monkeypatch.setattr(people_fit, "compare", lambda: rows)
    call_command("people_fit", join=tmp_path / "dialogues.jsonl")
    said = capsys.readouterr().out
    assert "people before" in said
    assert f"fits {len(HUMAN)} of {len(HUMAN)} figures before" in said
    counted = [
        msgspec.json.decode(line, type=Counted)
        for line in (tmp_path / "dialogues.jsonl").read_bytes().splitlines()
    ]
    assert sum(len(one.sides) == 2 for one in counted) == 12
