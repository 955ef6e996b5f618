"""The desk: what a host can do, what others cannot, what a desk never shows."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import msgspec
import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.money import rupees_text
from negotiation import ttl_cache
from negotiation.bargain import chairs, sessions
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.terms import PERSON
from negotiation.models import Game, Listing
from rooms import desk as room_desk
from rooms import hosting, joining, tending
from rooms.models import Member, Room, RoomGame
from rooms.seating import pairing
from rooms.web.ready import ready_rooms
from tests.support.rooms import a_browser, a_host, a_room, at_desk, comes_in, seen

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Tuesday group",
    "meeting": "people",
    "zone": "usual",
    "games": "1",
    "roles": "random",
    "buyer": "sauda",
    "seller": "seller:default",
    "rounds": "10",
    "absence": "policy",
    "odd_s": "45",
    "partners": "strangers",
    "talk": "turns",
    "unmet_s": "300",
    "chat": "on",
}


def test_a_room_is_opened_by_its_form() -> None:
    host = a_host()
    a_room(host)
    desk = at_desk(host)
    answer = desk.post("/rooms/new/", {**FORM, "most_price": "2100", "clock_s": "300"})
    room = Room.objects.get(code=answer["Location"].split("/")[2])
    assert (room.plan["most_price"], room.plan["clock_s"]) == (2100, 300)
    assert room.plan["tells"] is False
    page = desk.get(answer["Location"]).content.decode()
    assert room.code in page
    assert "<svg" in page
    assert 'style="' not in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"games": "0"},
        {"rounds": "1000"},
        {"zone": "huge"},
        {"buyer": "nobody"},
        {"least_price": "99999999"},
        {"listings": "12; drop"},
        {"listings": "424242"},
    ],
)
def test_a_form_that_makes_no_sense_opens_nothing(wrong: dict[str, str]) -> None:
    host = a_host()
    a_room(host)
    answer = at_desk(host).post("/rooms/new/", {**FORM, **wrong})
    assert answer.status_code == 422
    assert Room.objects.count() == 1


@pytest.mark.parametrize("key", ready_rooms())
def test_ready_rooms_open_with_one_press_and_can_be_led(key: str) -> None:
    host = a_host()
    for price in (1_200, 6_000, 15_000):
        Listing.objects.create(
            title=f"Thing {price}",
            list_price=price * 100,
            street_price=price * 80,
            source_key=str(price),
        )
    desk = at_desk(host)
    address = desk.post("/rooms/new/", {"ready": key})["Location"]
    page = desk.get(address).content.decode()
    made = ready_rooms()[key]
    assert made.questions[3] in page.replace("&#x27;", "'")
    room = Room.objects.get()
    comes_in(room, "Asha")
    comes_in(room, "Bilal")
    desk.post(f"{address}start/")
    wanted = 2 if made.plan.meeting == "policy" else 1
    assert Game.objects.count() == wanted
    assert msgspec.convert(room.plan, type(made.plan)) == made.plan


def test_others_never_see_a_room_of_mine() -> None:
    room = a_room(a_host())
    comes_in(room, "Asha")
    member = Member.objects.get()
    code = room.code
    for client in (at_desk(a_host("rana")), comes_in(room, "Bilal")):
        for address in (f"/rooms/{code}/desk/", f"/rooms/{code}/wall/", f"/rooms/{code}/desk/now/"):
            assert client.get(address).status_code in (302, 404)
        for verb in ("start", "close", "debrief", f"remove/{member.pk}"):
            assert client.post(f"/rooms/{code}/desk/{verb}/").status_code in (302, 404)
    room.refresh_from_db()
    assert (room.state, room.is_open) == ("gathering", False)
    assert Member.objects.filter(is_removed=True).count() == 0


def test_one_rooms_verbs_do_not_reach_into_another() -> None:
    host = a_host()
    mine, other = a_room(host), a_room(a_host("rana"))
    comes_in(other, "Asha")
    member = Member.objects.get()
    assert at_desk(host).post(f"/rooms/{mine.code}/desk/remove/{member.pk}/").status_code == 404


def test_the_desk_shows_nothing_sealed_and_no_price() -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people")
    asha, bilal = comes_in(room, "Asha"), comes_in(room, "Bilal")
    game = Game.objects.get()
    sealed = stored_scenario(game).sealed
    pages = [
        at_desk(host).get(address).content.decode()
        for address in (
            f"/rooms/{room.code}/desk/",
            f"/rooms/{room.code}/desk/now/",
            f"/rooms/{room.code}/wall/",
        )
    ]
    pages += [client.get(f"/rooms/{room.code}/").content.decode() for client in (asha, bilal)]
    for price in (sealed.reservation, sealed.budget):
        told = {rupees_text(to_rupees(price), "INR"), str(price), str(price // 100)}
        assert not [one for one in told for page in pages if one in page]


def test_the_house_plays_on_for_who_is_away() -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people", games=2)
    asha, bilal = comes_in(room, "Asha"), comes_in(room, "Bilal")
    row = RoomGame.objects.get()
    gone = row.seller
    assert gone is not None
    desk = at_desk(host)
    desk.post(f"/rooms/{room.code}/desk/replace/{gone.pk}/")
    row.refresh_from_db()
    assert row.closed == "", "the game goes on"
    game = Game.objects.get()
    assert game.policy == "seller:default"
    assert gone.session not in (game.owner, game.rival)
    shown = desk.get(f"/rooms/{room.code}/desk/").content.decode()
    assert "opposite the house" in shown
    assert f"opposite {gone.nickname}" not in shown
    client = asha if gone.nickname == "Asha" else bilal
    page = client.get(f"/rooms/{room.code}/lobby/?hidden=1").content.decode()
    assert "the house took your seat" in page, "a page out of sight brings nobody back"
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, game.owner, Walk())
    tending.hear_end(game.pk)
    row.refresh_from_db()
    assert row.closed == "replaced"


@pytest.mark.parametrize("games", [1, 2])
def test_whose_last_game_the_house_plays_on_is_away_and_not_done(games: int) -> None:
    room = a_room(a_host(), playing=True, meeting="people", games=games)
    comes_in(room, "Asha"), comes_in(room, "Bilal")
    row = RoomGame.objects.get()
    gone = row.buyer
    assert gone is not None
    ago = timezone.now() - timedelta(minutes=7)
    Game.objects.update(buyer_seen_at=ago)
    Member.objects.update(seen_at=ago - timedelta(minutes=5))
    assert room_desk.replace(room, gone)
    place = next(one for one in room_desk.desk_of(room).places if one.member.pk == gone.pk)
    assert (place.where, place.minutes) == ("away", 7), "seen at the table later than in the lobby"
    sessions.opponent_turn(row.game_id)
    sessions.play(row.game_id, Game.objects.get().owner, Walk())
    place = next(one for one in room_desk.desk_of(room).places if one.member.pk == gone.pk)
    assert (place.where == "done") is (games == 1)


def test_whoever_is_back_in_the_room_is_back_at_the_table() -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people", games=2)
    asha, bilal = comes_in(room, "Asha"), comes_in(room, "Bilal")
    row = RoomGame.objects.get()
    gone = row.buyer
    assert gone is not None
    room_desk.replace(room, gone)
    client = asha if gone.nickname == "Asha" else bilal
    place = f"/buy/{row.game_id}/"
    assert client.get(f"/rooms/{room.code}/lobby/").headers["HX-Redirect"] == place
    assert RoomGame.objects.count() == 1
    game = Game.objects.get()
    assert (game.policy, game.gone) == (PERSON, "")
    assert gone.session in (game.owner, game.rival)
    # Whoever was taken out of the room does not come back that way.
    room_desk.replace(room, gone)
    room_desk.remove(room, gone)
    for page in (f"/rooms/{room.code}/", place):
        client.get(page)
        assert Game.objects.get().policy == "sauda"


def test_the_desk_says_who_is_not_at_the_table_and_since_when() -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people", absent_s=600)
    desk, address = at_desk(host), f"/rooms/{room.code}/desk/"
    with time_machine.travel(timezone.now(), tick=False) as now:
        asha, _ = comes_in(room, "Asha"), comes_in(room, "Bilal")
        row = RoomGame.objects.get()
        own = row.seller
        assert own is not None
        kind, client = ("sell", asha) if own.nickname == "Asha" else ("buy", asha)
        now.shift(185)
        client.get(f"/{kind}/{row.game_id}/")
        shown = desk.get(address).content.decode()
        assert shown.count("not at the table") == 1
        assert "last seen 3 minutes ago" in shown
        mark = shown.split("desk/now/?mark=")[1].split('"')[0]
        assert desk.get(f"{address}now/?mark={mark}").status_code == 204
        now.shift(60)
        client.get(f"/{kind}/{row.game_id}/")
        assert "last seen 4 minutes" in desk.get(f"{address}now/?mark={mark}").content.decode()


def test_a_player_who_is_gone_from_the_site_is_named_and_other_games_go_on() -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people", absent_s=60)
    asha, bilal = comes_in(room, "Asha"), comes_in(room, "Bilal")
    desk = at_desk(host)
    address = f"/rooms/{room.code}/desk/"
    shown = desk.get(address).content.decode()
    assert "gone from this site" not in shown
    mark = shown.split("desk/now/?mark=")[1].split('"')[0]
    last_year = {**Room.objects.get().plan, "seller": "gone@1", "buyer": "gone@2"}
    Room.objects.update(plan=last_year)
    chetan = comes_in(room, "Chetan")
    told = desk.get(f"{address}now/?mark={mark}").content.decode()
    assert "gone from this site: gone@1, gone@2." in told
    waits = chetan.get(f"/rooms/{room.code}/").content.decode()
    assert "gone from this site" in waits
    row = RoomGame.objects.select_related("game", "buyer").get()
    Game.objects.update(terms={**row.game.terms, "seller": "gone@1", "buyer": "gone@2"})
    assert row.buyer is not None
    assert not room_desk.replace(room, row.buyer)
    ttl_cache.forget()  # absent people are due
    with time_machine.travel(timezone.now() + timedelta(seconds=70)):
        for client in (asha, bilal, chetan):
            assert client.get(f"/rooms/{room.code}/lobby/").status_code in (200, 204)
        assert desk.get(f"{address}now/").status_code == 200
    row.game.refresh_from_db()
    assert row.game.status == "ended"


def test_a_seat_is_taken_though_somebody_moves_at_that_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people")
    comes_in(room, "Asha")
    comes_in(room, "Bilal")
    row = RoomGame.objects.select_related("seller", "game").get()
    real = chairs.sit_down

    def moves_first(game: Game, seat: str, policy: str, version: str) -> bool:
        if game.last_seq == 1:
            sessions.play(game.pk, game.rival, Offer(Paise(50_000)))
        return real(game, seat, policy, version)

    monkeypatch.setattr(chairs, "sit_down", moves_first)
    assert row.seller is not None
    assert room_desk.replace(room, row.seller)
    assert Game.objects.get().policy == "seller:default"


def test_a_game_that_the_desk_ended_says_so_also_where_the_house_sat_in() -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people")
    comes_in(room, "Asha")
    comes_in(room, "Bilal")
    gone = RoomGame.objects.get().seller
    assert gone is not None
    room_desk.replace(room, gone)
    room_desk.end_games(room)
    tending.hear_end(Game.objects.get().pk)
    assert RoomGame.objects.get().closed == "closed"


def test_whoever_closed_the_lobby_after_a_game_does_not_read_its_end_any_more() -> None:
    room = a_room(playing=True, meeting="people", games=2)
    asha, bilal = comes_in(room, "Asha"), comes_in(room, "Bilal")
    Game.objects.update(status=Game.Status.ENDED, ended_at=timezone.now(), outcome="walk")
    assert [place.where for place in room_desk.desk_of(room).places] == ["reading"] * 2
    asha.get(f"/rooms/{room.code}/")
    assert [place.where for place in room_desk.desk_of(room).places] == ["here", "reading"]
    asha.post(f"/rooms/{room.code}/away/")
    bilal.post(f"/rooms/{room.code}/away/")
    assert [place.where for place in room_desk.desk_of(room).places] == ["away", "reading"]


def a_busy_room(host: User, people: int, games: int) -> Room:
    """A room that has played all its games but one, which goes on."""
    room = a_room(host, playing=True, meeting="people", games=games, most=100, clock_s=600)
    for number in range(people):
        joining.join(room, f"Person {number}", f"session-{number}")
    for _ in range(games - 1):
        pairing.advance(room, now=True)
        Game.objects.update(status=Game.Status.ENDED, ended_at=timezone.now(), outcome="walk")
        seen(room)
    pairing.advance(room, now=True)
    return room


def queries_of_a_poll(people: int, games: int) -> int:
    host = a_host(f"host-{people}")
    room = a_busy_room(host, people, games)
    desk = at_desk(host)
    page = desk.get(f"/rooms/{room.code}/desk/").content.decode()
    address = page.split('hx-get="')[1].split('"')[0]
    ttl_cache.forget()  # so that what is due now and then is due in this one
    with CaptureQueriesContext(connection) as seen_queries:
        assert desk.get(address).status_code == 204
    RoomGame.objects.all().delete()
    Game.objects.all().delete()
    return len(seen_queries)


def test_a_poll_of_a_desk_costs_the_same_for_many_people_and_games() -> None:
    few, many = queries_of_a_poll(4, 1), queries_of_a_poll(60, 5)
    assert few == many
    assert many <= 12


def test_who_is_taken_out_of_a_game_leaves_no_chair_empty() -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people", absence="close")
    comes_in(room, "Asha")
    comes_in(room, "Bilal")
    desk = at_desk(host)
    desk.post(f"/rooms/{room.code}/desk/remove/{Member.objects.get(number=1).pk}/")
    assert Game.objects.get().status == Game.Status.ENDED


def test_games_that_run_can_be_ended_with_the_room() -> None:
    host = a_host()
    room = a_room(host, playing=True, meeting="people")
    comes_in(room, "Asha")
    comes_in(room, "Bilal")
    at_desk(host).post(f"/rooms/{room.code}/desk/end-games/")
    room.refresh_from_db()
    assert room.state == Room.State.OVER
    assert Game.objects.get().outcome == "walk"
    assert pairing.advance(room) == 0


def test_the_debrief_is_opened_and_closed() -> None:
    host = a_host()
    room = a_room(host)
    desk = at_desk(host)
    for pressed, is_so in (
        ({"open": "1"}, (True, False)),
        ({"named": "1"}, (True, True)),
        ({"open": "0"}, (False, True)),
    ):
        answer = desk.post(f"/rooms/{room.code}/debrief/", {**pressed, "back": "desk"})
        assert answer["Location"] == f"/rooms/{room.code}/desk/"
        room.refresh_from_db()
        assert (room.is_open, room.is_named) == is_so
    assert desk.post(f"/rooms/{room.code}/desk/debrief/").status_code == 404, "one switch"


def test_whoever_has_the_room_sits_where_it_was_looked_at_last() -> None:
    host = a_host()
    room = a_room(host)
    for page in ("desk", "desk/now", "wall", "progress", "debrief", "gradebook.csv", "data"):
        browser = at_desk(host)
        slash = "" if page.endswith("csv") else "/"
        assert browser.get(f"/rooms/{room.code}/{page}{slash}").status_code == 200
        room.refresh_from_db()
        assert room.desk_session == browser.session.session_key, page


def test_a_poll_that_knows_everything_is_told_nothing() -> None:
    host = a_host()
    room = a_room(host)
    asha = comes_in(room, "Asha")
    page = asha.get(f"/rooms/{room.code}/").content.decode()
    address = page.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    assert asha.get(address).status_code == 204
    comes_in(room, "Bilal")
    assert "Bilal" in asha.get(address).content.decode()


def test_records_are_shown_to_the_next_partner_where_the_plan_says_so() -> None:
    room = a_room(playing=True, meeting="people", reputation=True, games=2)
    clients = {name: comes_in(room, name) for name in ("Asha", "Bilal")}
    assert (
        "No game in this room yet" in clients["Asha"].get(f"/rooms/{room.code}/").content.decode()
    )
    Game.objects.update(
        status="ended", outcome="deal", deal_price=150_000, seller_share=0.7, buyer_share=0.3
    )
    seller = RoomGame.objects.get().seller
    assert seller is not None
    other = "Bilal" if seller.nickname == "Asha" else "Asha"
    for name in ("Asha", "Bilal"):
        clients[name].get(f"/rooms/{room.code}/")
    page = clients[other].get(f"/rooms/{room.code}/").content.decode()
    assert "1 game, 1 closed with a deal" in page
    assert "70" in page.split("Of what there was to share")[1][:20]


def test_a_stranger_is_led_to_the_login() -> None:
    a_room()
    answer = a_browser().post("/rooms/new/", {"ready": "first"})
    assert answer["Location"] == "/account/login/?next=/rooms/"
    assert a_browser().get("/rooms/new/")["Location"] == "/account/login/?next=/rooms/new/"


@pytest.mark.parametrize("playing", [False, True])
def test_a_poll_of_a_full_lobby_is_cheap(
    playing: bool, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    room = a_room(meeting="people")
    for number in range(60):
        joining.join(room, f"Person {number}", f"session-{number}")
    asha = comes_in(room, "Asha")
    if playing:
        hosting.start(room)
        pairing.advance(room, now=True)
    page = asha.get(f"/rooms/{room.code}/").content.decode()
    address = page.split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    asha.get(address)
    with django_assert_max_num_queries(5):
        assert asha.get(address).status_code == 204
