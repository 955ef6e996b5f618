"""One visitor is never taken for another, however cookies, headers, addresses and keys are bent."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from negotiation.bargain import sessions
from negotiation.errors import UnknownGame
from negotiation.games.visitors import unstored_key
from negotiation.models import Game
from rooms.accounts import invitation_for
from tests.support.builders import a_started_sale
from tests.support.finished import a_haggle, store
from tests.support.oracle.bargains import goods, visitors
from tests.support.oracle.readers import belongings
from tests.support.oracle.worlds import DICE, Ask, World, a_world, measure, plain, send
from tests.support.rooms import PASSWORD, a_host
from tests.support.viewers import owners_look
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha() -> Client:
    """Asha, who owns."""
    return a_visitor()


@pytest.fixture
def chetan() -> Client:
    """Chetan, who does not."""
    return a_visitor()


def comes_in(client: Client, name: str, path: str = "/account/login/") -> Any:
    return client.post(path, {"username": name, "password": PASSWORD})


# Sessions


@pytest.mark.parametrize("path", ["/account/login/", "/admin/login/"])
def test_a_key_from_before_a_login_is_nobody_afterwards(path: str, asha: Client) -> None:
    User.objects.create_superuser("asha", password=PASSWORD)
    known = key_of(asha)  # whoever planted it knows it
    assert comes_in(asha, "asha", path).status_code == 302
    assert key_of(asha) != known
    game = a_started_sale(key_of(asha))
    thief = Client()
    thief.cookies["sessionid"] = known
    assert thief.get(f"/sell/{game.pk}/").status_code == 404
    assert thief.get("/admin/").status_code == 302
    assert thief.get("/rooms/").wsgi_request.user.is_anonymous


def test_an_invitation_opened_at_a_hosts_browser_takes_nothing_of_hers(asha: Client) -> None:
    a_host("meera")
    comes_in(asha, "meera")
    game = a_started_sale(key_of(asha))
    before = key_of(asha)
    token = invitation_for(User.objects.create(username="omar"))
    answer = asha.post(
        reverse("account-join", args=[token]), {"new_password1": "a-new-pass-of-omar"}
    )
    assert answer.status_code == 302
    game.refresh_from_db()
    assert game.owner == before != key_of(asha)


def test_after_a_sign_out_the_key_and_its_sockets_are_nobodys(asha: Client) -> None:
    a_host("meera")
    comes_in(asha, "meera")
    key = key_of(asha)
    game = a_started_sale(key)
    assert owners_look(game, 0).frames
    asha.post("/account/logout/")
    with pytest.raises(UnknownGame):
        owners_look(game, 0)
    thief = Client()
    thief.cookies["sessionid"] = key
    assert thief.get(f"/sell/{game.pk}/").status_code == 404


def test_a_bent_key_is_nobodys(asha: Client) -> None:
    goods()
    key = unstored_key()
    owner = Client()
    owner.cookies["sessionid"] = key
    answer = owner.post("/api/sell/", LAMP, content_type="application/json")
    assert answer.status_code == 201, answer.content
    game = Game.objects.get(pk=answer.json()["id"])
    assert game.owner == key
    bent = (key[:-1], key[1:], key + "0", key.upper(), f" {key}", f"{key};", f'"{key}x"', key[::-1])
    for one in bent:
        other = Client()
        other.cookies["sessionid"] = one
        assert other.get(f"/sell/{game.pk}/").status_code == 404, one


LAMP = {"title": "Brass lamp", "asking_price": 2000, "reservation_price": 1200}


# Requests of others


@pytest.mark.parametrize("token", ["", "x" * 64, "other"])
def test_the_token_of_another_visitor_is_none(token: str) -> None:
    mine, theirs = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    mine.get("/sell/")
    theirs.get("/sell/")
    given = theirs.cookies["csrftoken"].value if token == "other" else token
    answer = mine.post(
        "/api/sell/", LAMP, content_type="application/json", headers={"X-CSRFToken": given}
    )
    assert answer.status_code == 403
    right = {"X-CSRFToken": mine.cookies["csrftoken"].value}
    answer = mine.post("/api/sell/", LAMP, content_type="application/json", headers=right)
    assert answer.status_code == 201


# Conditional and partial requests


@pytest.mark.parametrize("file", [".json", "/card.png"])
def test_a_known_etag_confirms_nothing_to_a_stranger(
    file: str, asha: Client, chetan: Client
) -> None:
    game = store(a_haggle(), owner=key_of(asha), shared=False)
    path = f"/replays/{game.pk}{file}"
    etag = asha.get(path).headers["ETag"]
    assert asha.get(path, headers={"If-None-Match": etag}).status_code == 304
    for headers in ({"If-None-Match": etag}, {"If-None-Match": "*"}, {"Range": "bytes=0-9"}):
        answer = chetan.get(path, headers=headers)
        assert answer.status_code == 404
        assert "ETag" not in answer.headers


def test_head_says_what_get_says(asha: Client, chetan: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha), shared=False)
    for path in (f"/replays/{game.pk}/", f"/replays/{game.pk}.json", f"/sell/{game.pk}/"):
        for client in (asha, chetan):
            head, get = client.head(path), client.get(path)
            assert head.status_code == get.status_code, path
            assert head.content == b""


# Headers and addresses

BENT_HEADERS = {
    "X-HTTP-Method-Override": "POST",
    "X-Method-Override": "DELETE",
    "X-Original-URL": "/admin/",
    "X-Rewrite-URL": "/admin/",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Prefix": "/evil",
    "X-Forwarded-For": "127.0.0.1",
    "Forwarded": "for=127.0.0.1;host=evil.example;proto=https",
    "X-Real-IP": "127.0.0.1",
    "Remote-User": "meera",
    "X-Remote-User": "boss",
    "Authorization": "Basic Ym9zczpib3Nz",
}


@pytest.mark.parametrize("name", BENT_HEADERS)
def test_a_header_makes_nobody_somebody(name: str) -> None:
    with a_world():
        people, things = belongings()
        for path in (f"/sell/{things['live']}/", f"/replays/{things['kept']}/", "/rooms/"):
            sent = {name: BENT_HEADERS[name]}
            bare = plain(send(people["chetan"], "GET", path, {}), {})
            assert plain(send(people["chetan"], "GET", path, sent), {}) == bare, path


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "a@b", "x" * 300, ""])
def test_another_host_is_refused(host: str, asha: Client) -> None:
    answer = (
        asha.get("/sell/", headers={"host": host}) if host else asha.get("/sell/", SERVER_NAME=" ")
    )
    assert answer.status_code == 400


TRICKS = (
    "//sell/{id}/", "/sell//{id}/", "/sell/{id}//", "/sell/{id}/;x", "/sell/{id};x/",
    "/sell/%2e/{id}/", "/sell/x/../{id}/", "/sell/x/%2e%2e/{id}/", "/SELL/{id}/", "/sell/{id}%00/",
    "/sell/{id}%2f", "/sell/{ID}/", "/buy/{id}/", "/replays/{id}/", "/replays/{id}.json/",
    "/api/sell/{id}//", "/api/buy/{id}/", "/api/market/{id}/", "/api/arena/{id}/", "/market/{id}/",
    "/arena/{id}/", "/watch/{id}/", "/pair/{id}/", "/challenge/{id}/", "/daily/card/{id}/",
    "/replays/{id}/?game_id={own}&game_id={id}", "/sell/{own}/?game_id={id}",
)  # fmt: skip


def test_no_address_of_anothers_game_is_a_way_in(asha: Client, chetan: Client) -> None:
    game, own = (
        a_started_sale(key_of(asha), title="Asha's secret lamp"),
        a_started_sale(key_of(chetan)),
    )
    for trick in TRICKS:
        path = trick.format(id=game.pk, ID=game.pk.upper(), own=own.pk)
        answer = chetan.get(path, follow=True)
        assert "secret lamp" not in answer.content.decode(), path
        assert (answer.status_code == 200) == path.startswith(f"/sell/{own.pk}"), path


def test_a_key_that_stands_twice_names_one_game(asha: Client, chetan: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha), shared=False)
    for body in ('{"seq":2,"seq":2,"action":"walk","id":"%s"}', '{"game_id":"%s","seq":2,"seq":3}'):
        said = body % game.pk
        answer = chetan.post(f"/api/replays/{game.pk}/fork/", said, content_type="application/json")
        assert answer.status_code in (404, 422)
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    "language", ["../../etc/passwd", "hi\x00", "x" * 5000, "hi;en", "HI", "zz"]
)
def test_a_language_is_one_of_the_sites(language: str, asha: Client) -> None:
    asha.cookies["django_language"] = json.dumps(language)
    answer = asha.get("/sell/")
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] in ("en-in", "hi")


# One after the other in one process


def test_what_a_stranger_hears_does_not_depend_on_who_asked_before() -> None:
    def deal(first: str) -> World:
        people, things = belongings()
        for ask in asks(World(people, things, ""), first):
            DICE.seed(ask[1])  # what a look makes (a market to watch) is not its looker's
            send(people[ask[2]], *ask[:2], {"Accept-Language": "hi"} if first == "asha" else {})
        return World(people, things, "the same")

    def asks(world: World, who: str = "chetan") -> list[Ask]:
        things = world.things
        places = (
            *("/", "/sell/", "/arena/", "/api/arena/", "/market/", "/replays/", "/api/replays/"),
            *("/daily/", "/leaderboard/people/", "/search/?q=lamp", "/rooms/", "/puzzles/"),
            *(f"/replays/{things['shared']}/", f"/replays/{things['shared']}/card.png"),
            *(f"/arena/{things['match']}/", f"/watch/{things['watch']}/", "/learn/people/"),
            *(f"/challenge/{things['challenge']}/", f"/daily/card/{things['card']}.png"),
            *(f"/sell/{things['live']}/", f"/market/{things['market']}/", "/status/"),
        )
        return [("GET", place, who, {}, None) for place in places]

    found = measure("who asked before", ("chetan", "asha"), deal, asks)
    assert found.leaks == []
    assert found.compared == len(asks(World({}, _Any(), "")))


class _Any(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return key


__all__ = ["sessions", "visitors"]
