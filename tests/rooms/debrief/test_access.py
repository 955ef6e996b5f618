"""Who may look at what, and that nobody learns a sealed value before the end or a name unasked."""

import csv
import io
import re

import msgspec
import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from bazaarbatna.bargain.scenario import Scenario
from negotiation.models import Game
from replays.browse.shelf import Filters, browse, visible
from rooms.models import Member, Room, RoomGame
from tests.support.class_rooms import a_game, a_member, a_room, ask, bid, takes

PAGES = ("progress/", "debrief/", "gradebook.csv")

LIMITS = (9876543.0, 6543217.0, 8317253.0)
"""An opening ask, a floor and a budget that stand nowhere by chance."""


def as_host(room: Room) -> Client:
    """The browser of a room's host."""
    client = Client()
    client.force_login(room.host)
    return client


def as_member(room: Room, nickname: str) -> Client:
    """The browser of a member, whose games move to its session."""
    client = Client()
    client.get("/")
    session = client.session.session_key
    member = room.members.get(nickname=nickname)
    Game.objects.filter(owner=member.session).update(owner=session)
    Game.objects.filter(rival=member.session).update(rival=session)
    Member.objects.filter(pk=member.pk).update(session=session)
    return client


def address(room: Room, page: str) -> str:
    """Where a room's page is."""
    return f"/rooms/{room.code}/{page}"


def sealed_in(row: RoomGame) -> set[str]:
    """Spell the sealed prices of a game in the ways in which a page or a file could hold them."""
    scenario = msgspec.json.decode(bytes(row.game.sealed.scenario), type=Scenario)
    sealed, spelled = scenario.sealed, set()
    for paise in (sealed.reservation, sealed.cost, sealed.budget):
        rupees = paise // 100
        head, tail = str(rupees)[:-3], str(rupees)[-3:]
        indian = ",".join([*re.findall(r"\d{1,2}(?=(?:\d\d)*$)", head), tail])
        spelled |= {str(rupees), f"{rupees:,}", indian}
    return spelled | {str(sealed.seed)} if sealed.seed > 10**6 else spelled


@pytest.fixture
def going_on(four: Room) -> RoomGame:
    """A fifth game of the four's room that goes on, with limits that cannot be mistaken."""
    seller, buyer = a_member(four, "Sita"), a_member(four, "Bilal")
    deeds = [bid(6000001), ask(9000001)]
    return a_game(four, seller, buyer, deeds, limits=LIMITS, number=1)


@pytest.mark.parametrize("page", PAGES)
def test_nobody_else_finds_a_room(four: Room, page: str) -> None:
    stranger, other = Client(), a_room("Another class", host="colleague")
    assert stranger.get(address(four, page)).status_code == 404
    assert as_host(other).get(address(four, page)).status_code == 404
    assert as_host(four).get(address(four, page)).status_code == 200
    assert as_host(four).get(f"/rooms/NOROOM/{page}").status_code == 404


def test_members_look_when_the_host_has_opened(four: Room) -> None:
    meena, host = as_member(four, "Meena"), as_host(four)
    assert meena.get(address(four, "debrief/")).status_code == 404
    assert meena.post(address(four, "debrief/"), {"open": "1"}).status_code == 404
    assert host.post(address(four, "debrief/"), {"open": "1"}).status_code == 302
    assert meena.get(address(four, "debrief/")).status_code == 200
    # What is the host's stays the host's.
    assert meena.get(address(four, "progress/")).status_code == 404
    assert meena.get(address(four, "gradebook.csv")).status_code == 404
    assert meena.post(address(four, "debrief/"), {"named": "1"}).status_code == 404
    assert Client().get(address(four, "debrief/")).status_code == 404
    host.post(address(four, "debrief/"), {"open": "0"})
    assert meena.get(address(four, "debrief/")).status_code == 404


def test_games_of_others_open_with_the_debrief(four: Room, going_on: RoomGame) -> None:
    meena, host = as_member(four, "Meena"), as_host(four)
    theirs = four.games.get(round=1, seller__nickname="Asha").game_id
    own = four.games.get(seller__nickname="Meena").game_id
    for page in ("", "share/"):
        assert meena.get(f"/replays/{theirs}/{page}").status_code in (404, 405)
    assert meena.get(f"/replays/{theirs}.json").status_code == 404
    assert meena.get(f"/replays/{own}/").status_code == 200
    # The desk has not been opened in this browser: the replays do not know the host yet.
    assert host.get(f"/replays/{theirs}/").status_code == 404
    host.get(address(four, "debrief/"))
    assert host.get(f"/replays/{theirs}/").status_code == 200
    host.post(address(four, "debrief/"), {"open": "1"})
    assert meena.get(f"/replays/{theirs}/").status_code == 200
    assert meena.get(f"/replays/{theirs}.json").status_code == 200
    assert Client().get(f"/replays/{theirs}/").status_code == 404
    # A game that goes on has no replay, for nobody.
    for client in (meena, host):
        assert client.get(f"/replays/{going_on.game_id}/").status_code == 404
    Member.objects.filter(nickname="Meena").update(session="somewhere-else")
    assert meena.get(f"/replays/{theirs}/").status_code == 404


def test_a_replay_says_truly_who_sees_it(four: Room) -> None:
    four.is_open = True
    four.save()
    meena = as_member(four, "Meena")
    for row in four.games.all():
        body = meena.get(f"/replays/{row.game_id}/").content.decode()
        assert "Only its room may see this" in body
        assert "Only the two of you" not in body
        assert "stays between the two" not in body
        assert "Only you see this" not in body


def test_lists_of_replays_do_not_ask_the_rooms(
    four: Room, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    four.is_open = True
    four.save()
    meena = as_member(four, "Meena")
    session = str(meena.session.session_key)
    assert visible(session).count() == 1
    assert [game.owner for game in browse(session, Filters()).games] == [session]
    with django_assert_max_num_queries(1):
        list(visible(session))


def test_no_sealed_value_of_a_live_game_is_in_any_byte(four: Room, going_on: RoomGame) -> None:
    secrets = sealed_in(going_on)
    assert {"6543217", "65,43,217", "8317253"} <= secrets
    host, sita, meena = as_host(four), as_member(four, "Sita"), as_member(four, "Meena")
    four.is_open = True
    four.save()
    for client, pages in ((host, PAGES), (sita, PAGES), (meena, PAGES)):
        for page in pages:
            for headers in ({}, {"HTTP_HX_REQUEST": "true"}):
                body = client.get(address(four, page), **headers).content.decode()
                assert not [secret for secret in secrets if secret in body], (page, headers)
    # So that the test can fail: when it has ended, they are there.
    row = going_on
    deeds = [bid(7000001), takes("seller")]
    again = a_game(four, row.seller, row.buyer, deeds, limits=LIMITS, number=2)  # type: ignore[arg-type]
    assert again.game.status == Game.Status.ENDED
    assert "₹65,43,217" in host.get(address(four, "debrief/")).content.decode()


def test_progress_names_nobody_and_no_price(four: Room, going_on: RoomGame) -> None:
    body = as_host(four).get(address(four, "progress/")).content.decode()
    for name in four.members.values_list("nickname", flat=True):
        assert name not in body
    assert "₹" not in body
    ended = four.games.filter(game__status=Game.Status.ENDED)
    for row in ended:
        assert row.game_id not in body


def test_a_member_gets_no_byte_of_others_before_it_is_open(four: Room) -> None:
    meena = as_member(four, "Meena")
    secrets = {"1,200", "1,700", "1200.0", "It is nearly new"}
    theirs = four.games.get(round=1, seller__nickname="Asha").game_id
    paths = [
        *(address(four, page) for page in PAGES),
        f"/replays/{theirs}/",
        f"/replays/{theirs}.json",
        f"/replays/{theirs}/grades/",
        f"/replays/{theirs}/card.png",
    ]
    for path in paths:
        answer = meena.get(path)
        assert answer.status_code == 404, path
        assert not [secret for secret in secrets if secret in answer.content.decode()]


@pytest.mark.parametrize("is_named", [True, False])
def test_names_stand_only_where_the_host_lets_them(four: Room, is_named: bool) -> None:
    four.is_named = is_named
    four.is_open = True
    four.save()
    meena, host = as_member(four, "Meena"), as_host(four)
    theirs = four.games.get(round=1, seller__nickname="Asha").game_id
    for client in (meena, host):
        body = client.get(address(four, "debrief/")).content.decode()
        assert ("Asha" in body, "=Ravi+1" in body) == (is_named, is_named)
    for path in (f"/replays/{theirs}/", f"/replays/{theirs}.json"):
        body = meena.get(path).content.decode()
        if not is_named:
            assert "Asha" not in body
    # The gradebook is for the host alone, by name.
    text = host.get(address(four, "gradebook.csv")).content.decode("utf-8-sig")
    assert [row[1] for row in csv.reader(io.StringIO(text))][1:3] == ["Asha", "'=Ravi+1"]


def test_only_who_agreed_is_quoted(four: Room) -> None:
    body = as_host(four).get(address(four, "debrief/")).content.decode()
    assert "It is nearly new, look at it" in body
    assert "Meena shall not be quoted here" not in body


def test_what_people_typed_is_written_out_harmlessly(db: None) -> None:
    room = a_room("<b>Class</b>", is_named=True)
    hostile = "<script>alert(1)</script>"
    seller = a_member(room, hostile, may_quote=True)
    deeds = [bid(1100), ask(1800, f"look {hostile} here"), bid(1500), takes("seller")]
    a_game(room, seller, a_member(room, "Ravi"), deeds, title='Lamp "<i>"')
    body = as_host(room).get(address(room, "debrief/")).content.decode()
    assert hostile not in body
    assert "<i>" not in body
    assert "<b>Class" not in body


def test_the_desk_moves_with_the_host(four: Room) -> None:
    first, second = as_host(four), as_host(four)
    first.get(address(four, "progress/"))
    four.refresh_from_db()
    assert four.desk_session == first.session.session_key
    second.get(address(four, "debrief/"))
    four.refresh_from_db()
    assert four.desk_session == second.session.session_key


def test_a_host_without_rights_elsewhere_is_just_a_visitor(four: Room) -> None:
    users = get_user_model().objects
    admin = users.create_superuser("root", password="open sesame")
    client = Client()
    client.force_login(admin)
    assert client.get(address(four, "debrief/")).status_code == 404
