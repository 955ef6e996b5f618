"""Who plays whom: nobody twice in a round, nobody alone for longer than said."""

from datetime import timedelta

import pytest
from django.utils import timezone

from bazaar_site.rooms import hosting, joining, pairing
from bazaar_site.rooms.models import Member, Room, RoomGame
from negotiation.bargain.terms import terms_of
from negotiation.models import Game
from tests.support.rooms import a_host, a_room, at_desk, comes_in, seen

pytestmark = pytest.mark.django_db


def filled(count: int, **plan: object) -> Room:
    room = a_room(playing=True, **plan)
    for number in range(count):
        joining.join(room, f"Person {number}", f"session-{number}")
    return room


def ends_all(room: Room) -> None:
    Game.objects.filter(in_room__room=room).update(
        status=Game.Status.ENDED, ended_at=timezone.now(), outcome="walk"
    )
    seen(room)


def test_everybody_plays_the_house_at_once() -> None:
    room = filled(4, meeting="policy", roles="seller")
    assert pairing.advance(room) == 4
    assert pairing.advance(room) == 0
    games = Game.objects.all()
    assert {game.kind for game in games} == {"sell"}
    assert {game.owner for game in games} == {f"session-{n}" for n in range(4)}
    assert all(terms_of(game).back == f"/rooms/{room.code}/" for game in games)
    assert len({game.client for game in games}) == 4
    assert all(game.client.startswith(f"room:{room.code}:") for game in games)


def test_nothing_is_opened_before_the_start_nor_after_the_end() -> None:
    room = a_room(meeting="policy")
    joining.join(room, "Asha", "s1")
    assert pairing.advance(room) == 0
    hosting.start(room)
    hosting.finish(room)
    assert pairing.advance(room) == 0
    hosting.reopen(room)
    assert pairing.advance(room) == 1


def test_who_is_not_there_gets_no_game() -> None:
    room = filled(2, meeting="policy")
    gone = room.members.get(number=1)
    Member.objects.filter(pk=gone.pk).update(
        seen_at=timezone.now() - timedelta(seconds=pairing.HERE_S + 5)
    )
    assert pairing.advance(room) == 1
    seen(room)
    assert pairing.advance(room) == 1


def test_a_series_swaps_seats() -> None:
    room = filled(1, meeting="policy", roles="swapped", games=4)
    for _ in range(4):
        assert pairing.advance(room) == 1
        ends_all(room)
    assert pairing.advance(room) == 0
    kinds = [row.game.kind for row in RoomGame.objects.order_by("round")]
    assert kinds in (["sell", "buy"] * 2, ["buy", "sell"] * 2)


def test_the_odd_one_waits_as_long_as_said_then_plays_the_house() -> None:
    room = filled(1, meeting="people", odd_s=45)
    assert pairing.advance(room) == 0
    Member.objects.update(joined_at=timezone.now() - timedelta(seconds=46))
    Room.objects.update(started_at=timezone.now() - timedelta(seconds=46))
    assert pairing.advance(room) == 1
    row = RoomGame.objects.get()
    assert (row.seller is None) != (row.buyer is None)


def test_the_host_lets_nobody_wait() -> None:
    host = a_host()
    room = a_room(host, meeting="people")
    comes_in(room, "Asha")
    at_desk(host).post(f"/rooms/{room.code}/desk/start/")
    assert RoomGame.objects.count() == 1


def test_room_games_do_not_use_up_the_address() -> None:
    room = a_room(playing=True, meeting="policy", roles="seller", most=400)
    for number in range(125):
        joining.join(room, f"P{number}", f"session-{number}")
    assert pairing.advance(room) == 125
    asha = comes_in(room, "Asha")
    assert asha.get(f"/rooms/{room.code}/lobby/")["HX-Redirect"].startswith("/sell/")


def test_members_see_only_their_own_games() -> None:
    room = a_room(playing=True, meeting="policy", roles="buyer")
    asha, bilal = comes_in(room, "Asha"), comes_in(room, "Bilal")
    game = Game.objects.get(owner=asha.session.session_key)
    assert asha.get(f"/buy/{game.pk}/").status_code == 200
    assert bilal.get(f"/buy/{game.pk}/").status_code == 404
    assert game.pk not in bilal.get(f"/rooms/{room.code}/").content.decode()
    ends_all(room)
    assert bilal.get(f"/replays/{game.pk}/").status_code == 404


def test_an_end_lets_the_next_game_begin() -> None:
    room = a_room(playing=True, meeting="policy", roles="seller", games=2)
    asha = comes_in(room, "Asha")
    first = Game.objects.get()
    asha.get(f"/sell/{first.pk}/")  # lets the buyer begin
    asha.post(f"/sell/{first.pk}/move/", {"action": "walk"})
    assert Game.objects.count() == 1  # she reads the end, she is not in the lobby
    asha.get(f"/rooms/{room.code}/")
    assert RoomGame.objects.filter(round=2).count() == 1


def test_a_lobby_that_was_closed_gives_no_sign_of_life_any_more() -> None:
    room = a_room(meeting="people")
    asha = comes_in(room, "Asha")
    address = asha.get(f"/rooms/{room.code}/").content.decode().split('hx-get="')[1].split('"')[0]
    page = address.split("page=")[1].split("&")[0]
    asha.post(f"/rooms/{room.code}/away/?page={page}")
    asha.get(address.replace("&amp;", "&"))
    assert room.members.get().seen_at is None
    asha.get(f"/rooms/{room.code}/")
    assert room.members.get().seen_at is not None
