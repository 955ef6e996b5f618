"""Coming in: codes, nicknames, one browser is one member, another device."""

import pytest
from django.test import Client

from negotiation.models import Game
from rooms import hosting, joining
from rooms.doors import key_of_door, read_code
from rooms.errors import BadNickname, NicknameTaken, RoomFull
from rooms.models import Member
from tests.support.rooms import a_browser, a_host, a_room, at_desk, comes_in

pytestmark = pytest.mark.django_db


def test_a_code_and_a_nickname_are_enough() -> None:
    room = a_room()
    asha = a_browser()
    assert asha.post("/rooms/", {"code": room.code.lower()})["Location"] == f"/rooms/{room.code}/"
    comes_in(room, "Asha", asha)
    page = asha.get(f"/rooms/{room.code}/").content.decode()
    assert "You are in" in page
    assert "Asha" in page


def test_a_browser_is_one_member() -> None:
    room = a_room()
    asha = comes_in(room, "Asha")
    comes_in(room, "Somebody else", asha)
    assert [member.nickname for member in room.members.all()] == ["Asha"]


@pytest.mark.parametrize("text", ["abc-def", " ABC def ", "abcdef"])
def test_codes_are_read_as_people_type_them(text: str) -> None:
    assert read_code(text) == "ABCDEF"


@pytest.mark.parametrize("text", ["", "abc", "abcdefg", "аbcdef", "12abcd"])
def test_what_is_no_code_is_none(text: str) -> None:
    assert read_code(text) == ""


HOSTILE = (
    "\u202egnp.exe",
    "<script>alert(1)</script>Asha",
    "Asha\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
    "A\x00s\x07ha",
    "  Asha \n\t ",
    "Asha\ufeff\u200b\u2060",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_nicknames_become_harmless(text: str) -> None:
    shown = joining.join(a_room(), text, "s1").nickname
    assert shown
    assert len(shown) <= joining.LONGEST_NICKNAME
    assert "<" not in shown
    assert not set(shown) & set("\u202e\u200b\u2060\ufeff\n\t\x00\x07")


@pytest.mark.parametrize("text", ["\u200b\u200b", "\u3164", "...", "\u202e"])
def test_a_nickname_that_nobody_sees_is_refused(text: str) -> None:
    with pytest.raises(BadNickname):
        joining.join(a_room(), text, "s1")


@pytest.mark.parametrize("text", ["asha", "ASHA", "\u0410sha", "Asha ", "a s h a", "Ashа"])
def test_nobody_looks_like_somebody_else(text: str) -> None:
    room = a_room()
    joining.join(room, "Asha", "s1")
    with pytest.raises(NicknameTaken) as told:
        joining.join(room, text, "s2")
    assert joining.join(room, told.value.free, "s2").nickname == told.value.free


def test_nobody_speaks_for_the_house() -> None:
    with pytest.raises(NicknameTaken):
        joining.join(a_room(), "Sаudа", "s1")


def test_emoji_are_a_name() -> None:
    room = a_room()
    assert joining.join(room, "🦊", "s1").nickname == "🦊"
    assert joining.join(room, "🐼", "s2").nickname == "🐼"


def test_a_full_room_says_so_and_a_chair_that_is_left_is_free() -> None:
    room = a_room(most=1)
    asha = joining.join(room, "Asha", "s1")
    with pytest.raises(RoomFull):
        joining.join(room, "Bilal", "s2")
    page = a_browser().get(f"/rooms/{room.code}/").content.decode()
    assert "This room is full" in page
    joining.leave(asha)
    assert joining.join(room, "Bilal", "s2").number == 2


def test_a_finished_room_says_so() -> None:
    room = a_room()
    hosting.finish(room)
    client = a_browser()
    assert "finished" in client.get(f"/rooms/{room.code}/").content.decode()
    answer = client.post(f"/rooms/{room.code}/", {"nickname": "Asha"})
    assert answer.status_code == 409
    assert not room.members.exists()


def test_a_personal_link_moves_seat_and_games_and_the_old_device_is_told() -> None:
    room = a_room(playing=True, meeting="policy", roles="seller")
    phone = comes_in(room, "Asha")
    member = room.members.get()
    laptop = a_browser()
    assert "Sit here as Asha" in laptop.get(f"/rooms/seat/{member.key}/").content.decode()
    assert Member.objects.get().session == phone.session.session_key
    laptop.post(f"/rooms/seat/{member.key}/")
    game = Game.objects.get()
    assert game.owner == laptop.session.session_key
    assert laptop.get(f"/sell/{game.pk}/").status_code == 200
    assert phone.get(f"/sell/{game.pk}/").status_code == 404
    told = phone.get(f"/rooms/{room.code}/").content.decode()
    assert "has moved to another device" in told
    assert phone.get(f"/rooms/{room.code}/lobby/")["HX-Redirect"] == f"/rooms/{room.code}/"


def test_a_link_does_not_take_the_seat_of_somebody_who_sits_here() -> None:
    room = a_room()
    comes_in(room, "Asha")
    bilal = comes_in(room, "Bilal")
    key = room.members.get(nickname="Asha").key
    answer = bilal.post(f"/rooms/seat/{key}/")
    assert answer.status_code == 409
    assert "Bilal" in answer.content.decode()


def test_who_leaves_can_come_back_and_who_was_taken_out_cannot() -> None:
    host = a_host()
    room = a_room(host)
    asha = comes_in(room, "Asha")
    asha.post(f"/rooms/{room.code}/leave/")
    assert "You have left" in asha.get(f"/rooms/{room.code}/").content.decode()
    asha.post(f"/rooms/{room.code}/")
    assert room.members.get().left_at is None
    desk = at_desk(host)
    desk.post(f"/rooms/{room.code}/desk/remove/{room.members.get().pk}/")
    assert "taken you out" in asha.get(f"/rooms/{room.code}/").content.decode()
    assert asha.post(f"/rooms/{room.code}/").status_code == 403
    assert asha.get(f"/rooms/seat/{room.members.get().key}/").status_code == 404
    desk.post(f"/rooms/{room.code}/desk/readmit/{room.members.get().pk}/")
    assert "You are in" in asha.get(f"/rooms/{room.code}/").content.decode()


class TestGuessing:
    """Codes cannot be tried in numbers, and a school behind one router is not locked out."""

    def guess(self, client: Client, times: int) -> list[int]:
        letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
        codes = [f"ZZZZ{one}{two}" for one in letters for two in letters][:times]
        return [client.get(f"/rooms/{code}/").status_code for code in codes]

    def test_wrong_codes_are_counted_and_right_ones_are_not(self) -> None:
        room = a_room()
        for _ in range(70):
            assert a_browser().get(f"/rooms/{room.code}/").status_code == 200
        told = self.guess(a_browser(), 70)
        assert told[:60] == [404] * 60
        assert set(told[60:]) == {429}

    def test_a_locked_address_cannot_tell_right_from_wrong(self) -> None:
        room = a_room()
        self.guess(a_browser(), 61)
        assert a_browser().get(f"/rooms/{room.code}/").status_code == 429
        assert a_browser().post("/rooms/", {"code": room.code}).status_code == 429

    def test_who_is_in_stays_in_and_the_square_still_opens(self) -> None:
        room = a_room()
        asha = comes_in(room, "Asha")
        self.guess(a_browser(), 61)
        assert asha.get(f"/rooms/{room.code}/").status_code == 200
        bilal = a_browser()
        address = f"/rooms/{room.code}/?door={key_of_door(room)}"
        assert 'name="door"' in bilal.get(address).content.decode()
        joined = bilal.post(
            f"/rooms/{room.code}/", {"nickname": "Bilal", "door": key_of_door(room)}
        )
        assert joined.status_code == 302
        other = a_room()
        assert bilal.get(f"/rooms/{other.code}/?door={key_of_door(room)}").status_code == 429
