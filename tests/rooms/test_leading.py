"""Leading a room: a copy, a list of names, a word to all, a pause, somebody beside the host."""

import csv
import html
import io
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import URLPattern
from django.utils import timezone

from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.cases.case import Case, in_library
from negotiation.bargain import pairs
from negotiation.bargain.clocks import clocks_of
from negotiation.errors import Paused
from negotiation.models import EventRow, Game
from rooms import hosting, lobby
from rooms.export.checking import check
from rooms.export.writing import export_to
from rooms.models import Member, Room, RoomGame, Study
from rooms.seating import pairing
from rooms.study import hosts
from rooms.study.files import from_values
from rooms.urls import urlpatterns
from tests.rooms.study.conftest import DESIGN
from tests.support.rooms import a_browser, a_host, a_room, at_desk, comes_in, goods, seen

pytestmark = pytest.mark.django_db


def told(page: object) -> str:
    return page.content.decode()  # type: ignore[attr-defined,no-any-return]


def test_a_copy_plays_the_same_and_has_nobody_in_it() -> None:
    host = a_host()
    room = a_room(host, games=3, zone="narrow", reveal="own")
    hosts.save(room, from_values({**DESIGN, "plan": {"rounds": 7}}))
    room.refresh_from_db()
    place = at_desk(host).post(f"/rooms/{room.code}/copy/")["Location"]
    again = Room.objects.exclude(pk=room.pk).get()
    assert place == f"/rooms/{again.code}/desk/"
    assert (again.plan, again.name) == (room.plan, room.name)
    mine, theirs = Study.objects.get(room=room), Study.objects.get(room=again)
    assert {**theirs.design, "exits": {}} == {**mine.design, "exits": {}}
    assert theirs.design["exits"]["finished"]["url"] == mine.design["exits"]["finished"]["url"]
    assert theirs.seed != mine.seed
    assert theirs.is_pilot
    assert not again.members.exists()


LIST = "Name;Group\nAsha;1\nBilal;2\n=cmd|' /C calc'!A0;2\nमीना;1\n"


def test_a_list_gives_seats_that_links_open() -> None:
    host = a_host()
    room = a_room(host, games=1)
    desk = at_desk(host)
    file = SimpleUploadedFile("class.csv", b"\xef\xbb\xbf" + LIST.encode())
    assert desk.post(f"/rooms/{room.code}/roster/", {"file": file}).status_code == 302
    names = list(room.members.order_by("number").values_list("nickname", flat=True))
    assert names == ["Asha", "Bilal", "cmd|' /C calc'!A0", "मीना"]
    assert set(room.members.values_list("session", flat=True)) == {""}
    # The same list again seats nobody twice.
    desk.post(f"/rooms/{room.code}/roster/", {"names": LIST})
    assert room.members.count() == 4
    links = desk.get(f"/rooms/{room.code}/links.csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(links)))
    assert rows[1][0] == "Asha"
    asha = a_browser()
    asha.post(rows[1][1].partition("testserver")[2])
    lobby = told(asha.get(f"/rooms/{room.code}/"))
    assert "1 person is in the room" in lobby
    assert "Bilal" not in lobby


def test_who_has_not_come_is_not_paired() -> None:
    host = a_host()
    room = a_room(host, games=1, playing=True)
    at_desk(host).post(f"/rooms/{room.code}/roster/", {"names": "Asha\nBilal"})
    pairing.advance(room, now=True)
    assert not RoomGame.objects.exists()


@pytest.mark.parametrize(
    ("names", "word"),
    [
        ("Asha\nSauda\n", "Line 2"),
        ("Asha\nasha\n", "Line 2"),
        ("\n\n", "no name"),
        ("\u200b\u200b", "Line 1"),
    ],
)
def test_a_list_with_a_fault_seats_nobody_and_stays_on_the_page(names: str, word: str) -> None:
    host = a_host()
    room = a_room(host)
    page = at_desk(host).post(f"/rooms/{room.code}/roster/", {"names": names})
    assert page.status_code == 422
    assert word in told(page)
    assert names.strip().partition("\n")[0] in told(page)
    assert not room.members.exists()


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("sep=;\r\nName;Group\r\nAsha;1\r\n", ["Asha"]),
        ("\r\n\nFull name;Group\nAsha Rao;1\n", ["Asha Rao"]),
        ("First name,Surname,Email\nAsha,Rao,a@x.org\nBilal,Khan,b@x.org\n", ["Asha", "Bilal"]),
        ("Student Name\tRoll\nAsha\t1\n", ["Asha"]),
        ("Roll no,Name\n1,Asha\n2,Bilal\n", ["Asha", "Bilal"]),
        ("Surname;First name\nRao;Asha\nDas;asha\nKhan;Bilal\n", ["Asha Rao", "asha Das", "Bilal"]),
        ('Student,ID\n    Points Possible,\n"Rao, Asha",1\n', ["Rao, Asha"]),
        ("Last name\nRao\n", ["Rao"]),
        ("No,Name\n1\n2,=1+1\n3,\n", ["1+1"]),
        ("\n".join(f"छात्र {n}" for n in range(300)), [f"छात्र {n}" for n in range(300)]),
        ("Name;Group\rAsha;1\rBilal;2\r", ["Asha", "Bilal"]),
        ('"Rao, Asha",1\n"Khan, Bilal",2\n', ["Rao, Asha", "Khan, Bilal"]),
        ("Asha\nStudent\n", ["Asha", "Student"]),
        ('"Asha\nBilal\nChetan\n', []),
    ],
)
def test_tables_as_schools_write_them(table: str, names: list[str]) -> None:
    host = a_host()
    room = a_room(host)
    file = SimpleUploadedFile("class.csv", table.encode())
    page = at_desk(host).post(f"/rooms/{room.code}/roster/", {"file": file})
    assert list(room.members.order_by("number").values_list("nickname", flat=True)) == names
    assert (page.status_code == 302) is bool(names)
    assert names or "cannot be read as a table" in told(page)


def test_a_list_in_other_bytes_is_told() -> None:
    host = a_host()
    room = a_room(host)
    file = SimpleUploadedFile("class.csv", "Zoë".encode("utf-16"))
    page = at_desk(host).post(f"/rooms/{room.code}/roster/", {"file": file})
    assert (page.status_code, "CSV UTF-8" in told(page)) == (422, True)


def asked_by(page: str) -> str:
    """Where a table asks every few seconds what its room has to say."""
    return html.unescape(page.partition('class="room-notice" hx-get="')[2].partition('"')[0])


def test_a_word_to_all_stands_in_the_lobby_and_at_the_table_as_text() -> None:
    host = a_host()
    room = a_room(host, games=1)
    asha, bilal = comes_in(room, "Asha"), comes_in(room, "Bilal")
    desk = at_desk(host)
    desk.post(f"/rooms/{room.code}/desk/tell/", {"notice": 'Tea <b>&</b> "cake"'})
    assert "Tea &amp; &quot;cake&quot;" in told(asha.get(f"/rooms/{room.code}/"))
    seen(room)
    desk.post(f"/rooms/{room.code}/desk/start/")
    row = RoomGame.objects.get()
    assert row.seller is not None
    table = asha if row.seller.nickname == "Asha" else bilal
    asks = asked_by(told(table.get(f"/sell/{row.game_id}/")))
    notice = told(table.get(asks))
    assert "Tea &amp; &quot;cake&quot;" in notice
    assert table.get(asked_by(notice)).status_code == 204
    assert a_browser().get(f"/rooms/{room.code}/notice/").content == b""
    for strange in ("\0", "\ud800", "a b", "é"):
        asked = table.get(
            f"/rooms/{room.code}/notice/", {"game": strange.encode("utf8", "replace")}
        )
        assert "Tea &amp;" in told(asked)


def at_a_table(**plan: int) -> tuple[Room, Game]:
    room = a_room(a_host(), games=1, **plan)
    comes_in(room, "Asha")
    comes_in(room, "Bilal")
    seen(room)
    hosting.start(room)
    pairing.advance(room, now=True)
    return room, RoomGame.objects.get().game


def test_nobody_moves_and_no_time_runs_in_a_pause() -> None:
    room, game = at_a_table(clock_s=100, move_s=0, absent_s=60)
    hosting.pause(room, paused=True)
    game.refresh_from_db()
    with pytest.raises(Paused):
        pairs.play(game.pk, game.rival, Offer(Paise(10_000)))
    # An hour passes.
    ago = timezone.now() - timedelta(hours=1)
    EventRow.objects.filter(game=game).update(created_at=ago)
    Game.objects.update(buyer_seen_at=ago, seller_seen_at=ago)
    terms = {**game.terms, "pauses": [[ago.timestamp() + 10, 0]]}
    Game.objects.update(terms=terms)
    game.refresh_from_db()
    clocks = clocks_of(game)
    assert clocks is not None
    assert clocks.due is None
    assert clocks.left("buyer", 100, timezone.now()) == pytest.approx(90, abs=2)
    assert not pairs.look_after(game)
    hosting.pause(room, paused=False)
    game.refresh_from_db()
    assert pairs.look_after(game) is False, "ten seconds of its own have passed, not an hour"
    pairs.play(game.pk, game.rival, Offer(Paise(10_000)))
    game.refresh_from_db()
    clocks = clocks_of(game)
    assert clocks is not None
    assert clocks.used["buyer"] == pytest.approx(10, abs=2)


def test_no_game_begins_in_a_pause() -> None:
    room = a_room(a_host(), games=1, playing=True)
    hosting.pause(room, paused=True)
    comes_in(room, "Asha")
    comes_in(room, "Bilal")
    assert pairing.advance(room, now=True) == 0
    hosting.pause(room, paused=False)
    seen(room)
    assert pairing.advance(room, now=True) == 1


@pytest.mark.parametrize("verbs", [("pause", "close"), ("close", "pause")])
def test_a_closed_room_is_not_paused(verbs: tuple[str, str]) -> None:
    room, game = at_a_table()
    desk = at_desk(room.host)
    for verb in verbs:
        desk.post(f"/rooms/{room.code}/desk/{verb}/")
    room.refresh_from_db()
    assert (room.state, room.is_paused) == (Room.State.OVER, False)
    pairs.play(game.pk, game.rival, Offer(Paise(10_000)))


def test_two_lead_a_room_and_others_do_not() -> None:
    host, ravi, omar = a_host(), a_host("ravi"), a_host("omar")
    room = a_room(host, games=1)
    desk, beside, stranger = at_desk(host), at_desk(ravi), at_desk(omar)
    assert beside.get(f"/rooms/{room.code}/desk/").status_code == 404
    page = desk.post(f"/rooms/{room.code}/desk/add-cohost/", {"name": "nobody"}, follow=True)
    assert "Nobody else on this site has an account called “nobody”" in told(page)
    desk.post(f"/rooms/{room.code}/desk/add-cohost/", {"name": "ravi"})
    assert beside.get(f"/rooms/{room.code}/desk/").status_code == 200
    assert stranger.get(f"/rooms/{room.code}/desk/").status_code == 404
    beside.post(f"/rooms/{room.code}/desk/add-cohost/", {"name": "omar"})
    beside.post(f"/rooms/{room.code}/desk/drop-cohost/", {"name": "ravi"})
    assert [one.account.username for one in room.cohosts.all()] == ["ravi"]
    beside.post(f"/rooms/{room.code}/desk/start/")
    room.refresh_from_db()
    assert room.state == Room.State.PLAYING
    desk.post(f"/rooms/{room.code}/desk/drop-cohost/", {"name": "ravi"})
    assert beside.get(f"/rooms/{room.code}/desk/").status_code == 404


def test_a_second_host_deletes_no_room_and_finds_nothing_once_removed() -> None:
    host, ravi = a_host(), a_host("ravi")
    room = a_room(host, games=1)
    hosting.add_cohost(room, "ravi")
    desk, beside, stranger = at_desk(host), at_desk(ravi), at_desk(a_host("omar"))
    delete = f"/rooms/{room.code}/data/delete/"
    assert delete not in told(beside.get(f"/rooms/{room.code}/data/"))
    assert delete in told(desk.get(f"/rooms/{room.code}/data/"))
    assert beside.post(delete).status_code == 403
    member = Member.objects.get(room=room, session=comes_in(room, "Asha").session.session_key)
    pages = [f"/rooms/{_filled(one, room, member)}" for one in urlpatterns if "code>" in str(one)]
    assert [at for at in pages if beside.get(at).status_code != stranger.get(at).status_code]
    desk.post(f"/rooms/{room.code}/desk/drop-cohost/", {"name": "ravi"})
    for at in pages:
        assert beside.get(at).status_code == stranger.get(at).status_code, at
        assert beside.post(at).status_code == stranger.post(at).status_code, at
    assert Room.objects.filter(pk=room.pk).exists()
    # A desk that still stands open, with everybody's link on it, goes by itself.
    now = beside.get(f"/rooms/{room.code}/desk/now/")
    assert (now.status_code, now.headers["HX-Redirect"]) == (404, "/rooms/")


def _filled(one: URLPattern, room: Room, member: Member) -> str:
    parts = {"code": room.code, "member_id": member.pk, "verb": "start", "arm": "all"}
    return re.sub(r"<\w+:(\w+)>", lambda found: parts.get(found[1], "plan"), str(one.pattern))


def test_both_open_replays_at_their_own_desks() -> None:
    room, game = at_a_table()
    pairs.close(game.pk, "closed")
    host = room.host
    hosting.add_cohost(room, a_host("ravi").username)
    desk, beside = at_desk(host), at_desk(room.cohosts.get().account)
    for client in (desk, beside, desk):
        client.get(f"/rooms/{room.code}/desk/")
    assert desk.get(f"/replays/{game.pk}/").status_code == 200
    assert beside.get(f"/replays/{game.pk}/").status_code == 200
    room.cohosts.all().delete()
    assert beside.get(f"/replays/{game.pk}/").status_code == 404


def test_a_crowd_rehearses_a_copy_of_a_room() -> None:
    room = a_room(a_host(), games=3, partners="rotation", roles="swapped")
    out = StringIO()
    call_command("rehearse", room.code, people=6, stdout=out)
    assert not room.members.exists()
    again = Room.objects.exclude(pk=room.pk).get()
    assert again.name.startswith("Rehearsal: ")
    assert "6 people, 9 games" in out.getvalue()
    assert "9 different pairs" in out.getvalue()
    assert "0 people played fewer" in out.getvalue()
    assert not again.games.exclude(game__status=Game.Status.ENDED).exists()
    with pytest.raises(CommandError):
        call_command("rehearse", "ZZZZZZ")


def test_a_crowd_rehearses_a_study_as_a_pilot() -> None:
    goods()
    room = a_room(a_host(), meeting="policy", roles="seller", buyer="rules:linear")
    hosts.save(room, from_values(DESIGN))
    out = StringIO()
    call_command("rehearse", room.code, people=4, stdout=out)
    again = Room.objects.exclude(pk=room.pk).get()
    assert set(again.members.values_list("is_pilot", "end")) == {(True, "finished")}
    assert "Arms: chat: 2, prices: 2. How their parts ended: finished: 4" in out.getvalue()


def test_a_crowd_rehearses_conditions_in_orders_and_says_what_it_thinks(tmp_path: Path) -> None:
    goods()
    room = a_room(a_host(), meeting="people", roles="swapped")
    beliefs = [{"name": "limit", "rounds": [1, 2], "required": True}]
    between = [{"type": "number", "name": "felt", "ask": "How?", "after_games": [2]}]
    conditions: list[Any] = [
        {"name": "talk", "plan": {"chat": True}, "instructions": "Now words."},
        {"name": "mute", "plan": {"chat": False, "games": 2}, "instructions": "No words now."},
    ]
    more: dict[str, Any] = {"beliefs": beliefs, "between": between, "conditions": conditions}
    hosts.save(room, from_values({**DESIGN, "arms": [{"name": "all"}], **more}))
    out = StringIO()
    call_command("rehearse", room.code, people=8, stdout=out)
    assert "Orders: mute → talk: 4, talk → mute: 4" in out.getvalue()
    assert "0 people played fewer" in out.getvalue()
    again = Room.objects.exclude(pk=room.pk).get()
    assert set(again.members.values_list("end", flat=True)) == {"finished"}
    for row in again.games.select_related("seller", "buyer", "game"):
        people = [one for one in (row.seller, row.buyer) if one]
        assert len({one.condition_in(row.round) for one in people}) == 1
        assert row.game.terms.get("chat", True) is (people[0].condition_in(row.round) == "talk")
    rows = export_to(again, tmp_path)["rows"]
    assert check(tmp_path).faults == []
    assert rows["person_games"] == 24
    assert rows["beliefs"] >= 24
    felt = again.members.filter(answers__question="felt", answers__form="between-2")
    assert felt.count() == 8


def test_a_teacher_lets_one_student_be_forgotten() -> None:
    room, game = at_a_table()
    stays, goes = room.members.order_by("number")
    desk, stranger = at_desk(room.host), at_desk(a_host("omar"))
    at = f"/rooms/{room.code}/data/forget/{goes.pk}/"
    assert stranger.post(at).status_code == 404
    page = told(desk.get(at))
    assert f"Forget {goes.nickname}?" in page
    assert room.members.count() == 2, "a look deletes nothing"
    desk.post(at)
    assert list(room.members.all()) == [stays]
    assert not Game.objects.filter(pk=game.pk).exists()


def test_whoever_played_a_forgotten_person_is_dealt_another_game() -> None:
    room, game = at_a_table()
    goes, stays = room.members.order_by("number")
    desk, forget = at_desk(room.host), f"/rooms/{room.code}/data/forget/{goes.pk}/"
    assert [desk.post(forget).status_code for _ in range(2)] == [302, 404]
    comes_in(room, "Chetan")
    seen(room)
    pairing.advance(room, now=True)
    row = RoomGame.objects.get()
    assert {row.seller and row.seller.nickname, row.buyer and row.buyer.nickname} == {
        stays.nickname,
        "Chetan",
    }
    # What is over stays played, though it is deleted.
    pairs.close(row.game_id, "closed")
    desk.post(f"/rooms/{room.code}/data/forget/{stays.pk}/")
    assert room.members.get().dealt == 1
    assert game.pk != row.game_id


@pytest.mark.parametrize("case", [None, in_library()["scooter"]])
@pytest.mark.parametrize("meets", ["Chetan", "house"])
def test_whoever_sat_opposite_a_forgotten_person_is_told_and_led_on(
    case: Case | None, meets: str
) -> None:
    host = a_host()
    room = a_room(host, games=1, case=case)
    people = {name: comes_in(room, name) for name in ("Asha", "Bilal")}
    seen(room)
    desk = at_desk(host)
    desk.post(f"/rooms/{room.code}/desk/start/")
    goes, stays = room.members.order_by("number")
    client, row = people[stays.nickname], RoomGame.objects.get()
    # The page as it was drawn, and as it has asked once since.
    first = asked_by(told(client.get(lobby.way_to(stays, row))))
    again = asked_by(told(client.get(first)))
    assert client.get(again).status_code == 204, "all is well so far"
    if meets == "Chetan":
        comes_in(room, meets)
    desk.post(f"/rooms/{room.code}/data/forget/{goes.pk}/")
    for asks in (first, again):
        assert client.get(asks)["HX-Redirect"] == f"/rooms/{room.code}/"
    page = told(client.get(f"/rooms/{room.code}/"))
    assert "Your table was deleted" in page
    assert goes.nickname not in page
    # Whoever is forgotten is led to the door, and told nothing of somebody opposite.
    theirs = people[goes.nickname]
    assert theirs.get(first)["HX-Redirect"] == f"/rooms/{room.code}/"
    assert "Your table was deleted" not in told(theirs.get(f"/rooms/{room.code}/"))
    seen(room)
    desk.post(f"/rooms/{room.code}/desk/pair/")
    leads = client.get(f"/rooms/{room.code}/lobby/").headers["HX-Redirect"]
    row = RoomGame.objects.get()
    assert leads == lobby.way_to(stays, row)
    assert meets in {one.nickname if one else "house" for one in (row.seller, row.buyer)}
    table = client.get(leads)
    assert table.status_code == 200
    assert client.get(asked_by(told(table))).status_code == 200


def test_a_door_says_what_is_kept_and_until_when() -> None:
    room = a_room(a_host())
    assert room.keep_until is not None
    door = told(a_browser().get(f"/rooms/{room.code}/"))
    assert f"are kept until {room.keep_until.day} {room.keep_until:%B %Y}" in door
