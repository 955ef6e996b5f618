"""Comments and marks of a host: in the gradebook, and to each person alone once they are shown."""

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client

from rooms.debrief.games import played_in
from rooms.models import Member, Room
from tests.rooms.debrief.test_access import address, as_host, as_member
from tests.support.class_rooms import a_game, a_member, a_room, ask, bid, takes, walks


def table(client: Client, room: Room) -> dict[str, dict[str, str]]:
    text = client.get(address(room, "gradebook.csv")).content.decode("utf-8-sig")
    return {row["Nickname"]: row for row in csv.DictReader(io.StringIO(text))}


def write(client: Client, member: Member, seen: int = 0, **more: Any) -> Any:
    posted = {"member": member.number, "seen": seen, **more}
    return client.post(address(member.room, "gradebook/"), posted)


def test_each_reads_the_own_marks_once_they_are_shown(four: Room) -> None:
    host, meena, omar = as_host(four), as_member(four, "Meena"), as_member(four, "Omar")
    names = ["Listens", "=Plans", "", ""]
    assert host.post(address(four, "gradebook/"), {"name": names}).status_code == 302
    one, other = four.members.get(nickname="Meena"), four.members.get(nickname="Omar")
    marks = {"mark-0": "4", "mark-1": "0", "mark-2": "9"}
    assert write(host, one, comment="You asked\nbefore you paid.", **marks).status_code == 302
    assert write(host, other, comment="=Too hasty", **{"mark-0": "1"}).status_code == 302
    for client in (meena, omar):
        assert "You asked" not in client.get(address(four, "")).content.decode()
        for page in ("gradebook/", "gradebook.csv"):
            assert client.get(address(four, page)).status_code == 404
        assert client.post(address(four, "gradebook/"), {"shown": "on"}).status_code == 404
    host.post(address(four, "gradebook/"), {"name": names, "shown": "on"})
    hers, his = (client.get(address(four, "")).content.decode() for client in (meena, omar))
    assert "You asked" in hers
    assert "4 of 5" in hers
    assert "0 of 5" in hers
    assert "Too hasty" not in hers
    assert "1 of 5" not in hers
    assert "Too hasty" in his
    assert "You asked" not in his
    rows = table(host, four)
    assert (rows["Meena"]["Listens"], rows["Meena"]["'=Plans"]) == ("4", "0")
    assert rows["Meena"]["Comment"] == "You asked\nbefore you paid."
    assert (rows["Omar"]["Comment"], rows["Omar"]["'=Plans"]) == ("'=Too hasty", "")
    host.post(address(four, "gradebook/"), {"name": names})
    assert "You asked" not in meena.get(address(four, "")).content.decode()


def test_a_mark_is_not_lost_while_its_name_is_blank(four: Room) -> None:
    host, meena = as_host(four), four.members.get(nickname="Meena")
    host.post(address(four, "gradebook/"), {"name": ["Listens", "Plans"]})
    assert write(host, meena, **{"mark-0": "4", "mark-1": "2"}).status_code == 302
    host.post(address(four, "gradebook/"), {"name": ["", "Plans"]})
    assert write(host, meena, seen=1, comment="Well done", **{"mark-1": ""}).status_code == 302
    host.post(address(four, "gradebook/"), {"name": ["Listens", "Plans"]})
    row = table(host, four)["Meena"]
    assert (row["Listens"], row["Plans"], row["Comment"]) == ("4", "", "Well done")


def test_of_two_hosts_none_writes_over_the_other_unseen(four: Room) -> None:
    host, meena = as_host(four), four.members.get(nickname="Meena")
    assert write(host, meena, comment="First").status_code == 302
    late = write(host, meena, comment="Second")
    assert late.status_code == 409
    told = late.content.decode()
    assert "Somebody else wrote this meanwhile: “First”" in told
    assert "Second" in told
    assert 'name="seen" value="1"' in told
    meena.refresh_from_db()
    assert meena.comment == "First"
    assert write(host, meena, seen=1, comment="Second").status_code == 302
    assert write(host, meena, seen=2, comment="x" * 1001).status_code == 409
    meena.refresh_from_db()
    assert meena.comment == "Second"


@pytest.mark.parametrize(
    ("page", "theirs", "mine"),
    [
        ("gradebook/", {"name": ["Listens"]}, {"name": ["Plans", "Asks"]}),
        ("survey/", {"ask": "Fair?", "kind": "scale"}, {"ask": "What now?", "kind": "text"}),
    ],
)
def test_of_two_hosts_none_changes_what_is_asked_unseen(
    four: Room, page: str, theirs: dict[str, Any], mine: dict[str, Any]
) -> None:
    host, at = as_host(four), address(four, page)
    seen = told_mark(host.get(at))
    twice = [host.post(at, {**theirs, "seen": seen}).status_code for _ in range(2)]
    assert twice == [302, 302], "pressed twice"
    late = host.post(at, {**mine, "seen": seen})
    assert late.status_code == 409
    words = late.content.decode()
    (word,) = (one if isinstance(one, str) else one[0] for one in [next(iter(theirs.values()))])
    assert f"Somebody else wrote this meanwhile: “{word}”" in words
    assert 'value="Plans"' in words or 'value="What now?"' in words, "nothing typed is lost"
    four.refresh_from_db()
    assert word in f"{four.rubric}{four.survey}"
    # Having read it, one keeps the own after all.
    assert host.post(at, {**mine, "seen": told_mark(late)}).status_code == 302
    four.refresh_from_db()
    assert word not in f"{four.rubric}{four.survey}"


def told_mark(page: Any) -> str:
    return str(page.content.decode().partition('name="seen" value="')[2].partition('"')[0])


@pytest.mark.parametrize("number", ["", "x", "77", "²"])
def test_nobody_is_graded_who_is_not_there(four: Room, number: str) -> None:
    posted = {"member": number, "seen": "0", "comment": "Who?"}
    assert as_host(four).post(address(four, "gradebook/"), posted).status_code == 404


def test_a_right_walk_is_a_good_decision(db: None) -> None:
    room = a_room()
    asha, ravi = a_member(room, "Asha"), a_member(room, "Ravi")
    a_game(room, asha, ravi, [bid(1100), ask(1800), walks("buyer")])
    a_game(room, asha, ravi, [bid(1100), ask(1600), walks("buyer")], number=2)
    none = (2000, 1700, 1200)
    a_game(room, asha, ravi, [bid(1100), walks("seller")], limits=none, number=3)
    a_game(room, asha, ravi, [bid(1500), takes("seller")], number=4)
    games = played_in(room)
    assert [game.decided_well("buyer") for game in games] == [True, False, True, True]
    assert [game.decided_well("seller") for game in games] == [None, None, True, True]
    rows = table(as_host(room), room)
    assert rows["Ravi"]["Good decisions, percent"] == "75.0"
    assert rows["Asha"]["Good decisions, percent"] == "100.0"


def test_the_result_of_each_game_stands_beside_the_marks(four: Room) -> None:
    page = as_host(four).get(address(four, "gradebook/")).content.decode()
    told = {one.split("</h2>")[0]: one for one in page.split("<h2>")[1:]}
    asha, omar = (told[name].split("<label")[0] for name in ("1. Asha", "4. Omar"))
    words = [" ".join(re.sub("<[^>]+>", " ", one).split()) for one in (asha, omar)]
    assert "Game 1 · Seller · ₹1,500 · 60 %" in words[0]
    assert "Game 3 · Buyer · no deal" in words[0]
    assert "Game 2 · Buyer · no deal · 0 %" in words[1]
    assert "Game 4 · Seller · ₹800 · 100 %" in words[1]
