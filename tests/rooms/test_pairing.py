"""Who plays whom: nobody twice in a round, nobody alone for longer than said."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from negotiation import ttl_cache
from negotiation.bargain.terms import terms_of
from negotiation.models import Game
from rooms import hosting, joining, presence
from rooms.models import Member, Room, RoomGame
from rooms.seating import pairing
from tests.support.rooms import a_host, a_room, at_desk, comes_in, seen, waited

pytestmark = pytest.mark.django_db


def filled(count: int, **plan: object) -> Room:
    room = a_room(playing=True, **plan)
    for number in range(count):
        joining.join(room, f"Person {number}", f"session-{number}")
    return room


def ends_all_games() -> None:
    Game.objects.update(status=Game.Status.ENDED, ended_at=timezone.now(), outcome="walk")


def ends_all(room: Room) -> None:
    ends_all_games()
    seen(room)


def page_of(client: Client, room: Room) -> str:
    """The name of a lobby that is opened now."""
    return client.get(f"/rooms/{room.code}/").content.decode().split("page=")[1].split('"')[0]


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
    Member.objects.filter(pk=gone.pk).update(here_until=timezone.now() - timedelta(seconds=5))
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
    waited(46)
    assert pairing.advance(room) == 1
    row = RoomGame.objects.get()
    assert (row.seller is None) != (row.buyer is None)


def test_who_reads_the_end_of_a_game_waits_for_nobody_yet() -> None:
    room = a_room(playing=True, meeting="people", odd_s=45, games=2)
    with time_machine.travel(timezone.now(), tick=False) as now:
        asha, bilal = comes_in(room, "Asha"), comes_in(room, "Bilal")
        ends_all_games()
        now.shift(300)
        asha.get(f"/rooms/{room.code}/")
        assert RoomGame.objects.count() == 1, "Bilal has 45 seconds to come back, too"
        now.shift(20)
        bilal.get(f"/rooms/{room.code}/")
        row = RoomGame.objects.get(round=2)
        assert row.seller is not None
        assert row.buyer is not None


def test_a_page_loaded_anew_does_not_begin_the_wait_anew() -> None:
    room = a_room(playing=True, meeting="people", odd_s=45)
    with time_machine.travel(timezone.now(), tick=False) as now:
        asha = comes_in(room, "Asha")
        for _ in range(9):
            now.shift(5)
            asha.post(f"/rooms/{room.code}/away/?page={page_of(asha, room)}")
            now.shift(1)
            asha.get(f"/rooms/{room.code}/")
        assert RoomGame.objects.count() == 1


def test_who_was_away_for_long_waits_from_coming_back() -> None:
    room = a_room(playing=True, meeting="people", odd_s=45)
    with time_machine.travel(timezone.now(), tick=False) as now:
        asha = comes_in(room, "Asha")
        asha.post(f"/rooms/{room.code}/away/?page={page_of(asha, room)}")
        now.shift(1200)
        asha.get(f"/rooms/{room.code}/")
        assert not RoomGame.objects.exists()


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
    page = page_of(asha, room)
    asha.post(f"/rooms/{room.code}/away/?page={page}")
    ttl_cache.forget()  # another process hears the late question
    asha.get(f"/rooms/{room.code}/lobby/?page={page}")
    assert not presence.is_here(room.members.get())
    asha.get(f"/rooms/{room.code}/")
    assert presence.is_here(room.members.get())


def test_who_closes_a_page_without_a_word_is_away_soon() -> None:
    room = a_room(meeting="people")
    with time_machine.travel(timezone.now(), tick=False) as now:
        asha = comes_in(room, "Asha")
        page = page_of(asha, room)
        for _ in range(20):
            now.shift(2)
            asha.get(f"/rooms/{room.code}/lobby/?page={page}")
            assert presence.is_here(room.members.get())
        now.shift(35)
        assert not presence.is_here(room.members.get())
        asha.get(f"/rooms/{room.code}/lobby/?page={page}&hidden=1")
        now.shift(65)
        assert presence.is_here(room.members.get()), "a page out of sight asks once a minute"


def test_a_question_that_was_read_before_the_page_closed_brings_nobody_back() -> None:
    room = a_room(meeting="people")
    asha = comes_in(room, "Asha")
    page = page_of(asha, room)
    with time_machine.travel(timezone.now() + timedelta(seconds=15)):
        late = room.members.get()
        presence.close_page(room.members.get(), page)
        presence.give_sign(late, page)
        assert not presence.is_here(room.members.get())


def test_of_two_tabs_that_close_at_once_neither_is_forgotten() -> None:
    room = a_room(meeting="people")
    comes_in(room, "Asha")
    one, two = room.members.get(), room.members.get()
    presence.close_page(one, "a" * 12)
    presence.close_page(two, "b" * 12)
    assert room.members.get().closed_pages.split() == ["a" * 12, "b" * 12]
    room.members.all().delete()
    presence.close_page(one, "c" * 12)


def test_pages_are_named_by_the_site_alone() -> None:
    room = a_room(meeting="people")
    asha = comes_in(room, "Asha")
    for name in ("x", "<b>", "a" * 11, "A" * 12):
        asha.post(f"/rooms/{room.code}/away/?page={name}")
    assert room.members.get().closed_pages.strip() == ""
