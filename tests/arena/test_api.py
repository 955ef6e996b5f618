"""The arena over HTTP, without a server: nothing runs by itself, so any state can be read."""

import json

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from arena.auction.web import matches
from arena.models import Match
from bazaarbatna.auction.events import Hold
from negotiation import limits, ttl_cache
from tests.support import callers
from tests.support.tables import a_listing, plays_out

pytestmark = pytest.mark.django_db

ONE_PERSON = ["person", "rules:micro"]


class Caller(callers.Caller):
    """Somebody who starts matches of the arena."""

    def starts(self, *line_up: str, **more: object) -> HttpResponse:
        body = {"listing": a_listing().pk, "lineup": line_up or ONE_PERSON, **more}
        return self.send("/api/arena/", body)


@pytest.fixture(autouse=True)
def forgotten() -> None:
    """What was on in the last test is not on any more."""
    ttl_cache.forget()


@pytest.fixture
def asha() -> Caller:
    return Caller()


@pytest.fixture
def chetan() -> Caller:
    return Caller()


def test_a_match_has_an_address_and_a_socket(asha: Caller) -> None:
    answer = asha.starts()
    assert answer.status_code == 201
    opened = answer.json()
    assert opened["ws"] == f"/ws/arena/{opened['id']}/"
    assert answer["Location"] == f"/api/arena/{opened['id']}/"


def test_a_seat_reads_its_budget_and_nobody_else_does(asha: Caller, chetan: Caller) -> None:
    place = asha.starts()["Location"]
    own = asha.reads(place)
    assert own["you"]["actor"] == "buyer-1"
    assert own["you"]["budget"] > 0
    assert own["awaiting"]["you"] is True
    other = chetan.reads(place)
    assert other["you"] is None
    assert other["awaiting"]["you"] is False
    assert [seat.get("you") for seat in other["seats"]] == [None, None]


def test_no_view_names_an_owner(asha: Caller, chetan: Caller) -> None:
    place = asha.starts()["Location"]
    key = asha.client.cookies["sessionid"].value
    for path in (place, "/api/arena/"):
        assert key not in json.dumps(chetan.reads(path))
        assert key not in json.dumps(asha.reads(path))


def test_after_the_end_everybody_reads_everything(asha: Caller, chetan: Caller) -> None:
    opened = asha.starts()
    plays_out(opened.json()["id"])
    frames = chetan.reads(opened["Location"])["frames"]
    assert frames[-1]["event"]["opened"]["reservation"]
    placed = [frame["event"] for frame in frames if frame["event"]["kind"] == "placed"]
    assert {"action" in event for event in placed} == {True}


def test_asking_what_is_on_starts_something(asha: Caller) -> None:
    a_listing()
    listed = asha.reads("/api/arena/")
    assert [one["phase"] for one in listed["now"]] == ["live"]
    assert [one["phase"] for one in listed["next"]] == ["waiting"]
    assert {seat["open"] for seat in listed["next"][0]["seats"]} == {True}
    again = asha.reads("/api/arena/")
    assert [one["id"] for one in again["now"]] == [one["id"] for one in listed["now"]]


def test_a_seat_is_taken_and_given_back(asha: Caller, chetan: Caller) -> None:
    match_id = asha.starts("person", "person", "person").json()["id"]
    seat = f"/api/arena/{match_id}/seat/"
    assert chetan.send(seat, method="DELETE").status_code == 403
    assert chetan.send(seat, {"index": 1}).json()["seats"][1]["you"] is True
    assert chetan.send(seat, method="DELETE").status_code == 204
    assert chetan.send(seat, {"index": 2}).status_code == 200


@pytest.mark.parametrize("body", [{}, {"index": -1}, {"index": "x"}, {"index": 0, "owner": "me"}])
def test_a_seat_is_a_small_number(asha: Caller, body: object) -> None:
    match_id = asha.starts("person", "person").json()["id"]
    answer = asha.send(f"/api/arena/{match_id}/seat/", body)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "bad-request"


def test_unknown_matches_are_not_found(asha: Caller) -> None:
    assert asha.client.get("/api/arena/nosuch/").status_code == 404
    answer = asha.send("/api/arena/nosuch/seat/", {"index": 0})
    assert answer.json()["error"]["code"] == "unknown-game"


def test_one_address_cannot_fill_the_arena(asha: Caller, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "matches": "2/minute"}
    limits.forget_settings()
    listing = a_listing().pk
    body = {"listing": listing, "lineup": ONE_PERSON}
    statuses = [asha.send("/api/arena/", body).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]
    assert Match.objects.count() == 2


def test_a_page_of_another_site_starts_nothing() -> None:
    stranger = Client(enforce_csrf_checks=True)
    body = {"listing": a_listing().pk, "lineup": ONE_PERSON}
    answer = stranger.post("/api/arena/", body, content_type="application/json")
    assert answer.status_code == 403
    assert Match.objects.count() == 0


def test_a_person_waits_for_nobody_when_it_is_alone(asha: Caller) -> None:
    match_id = asha.starts().json()["id"]
    match = Match.objects.get(pk=match_id)
    assert match.phase == Match.Phase.LIVE
    assert match.turn_ends_at is not None
    live, position = matches.current(match_id)
    matches.write(live, position, 1, Hold(), None)
    assert matches.current(match_id)[1].state.awaited == (0,)
