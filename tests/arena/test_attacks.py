"""Mallory and the arena: what a seat may not know, and what no request may break."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arena.auction.web import matches, running
from arena.auction.web.game import AUCTION
from arena.auction.web.orders import WORTH, Order, prices_of
from arena.models import Match, Stage
from bazaarbatna.bargain.sellers import SELLERS
from negotiation import limits, ttl_cache
from negotiation.bargain.scenarios import default_reservation
from negotiation.models import Game, Listing
from tests.support.tables import a_listing, a_match, plays_out
from tests.support.visitors import a_visitor

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def forgotten() -> None:
    """What was on in the last test is not on any more."""
    ttl_cache.forget()


@pytest.fixture
def mallory() -> Client:
    return a_visitor()


def limit_of(listing: Listing, seed: int) -> int:
    order = Order(
        listing=listing, line_up=("rules:micro", "rules:smart"), persona="default", seed=seed
    )
    return AUCTION.scenario_of(matches.open_match("mallory", order).pk).sealed.reservation


def test_neither_the_stall_nor_an_earlier_match_tells_the_sellers_limit() -> None:
    listing = a_listing()
    told_on_the_stall = default_reservation(listing.street_price)
    found = {limit_of(listing, seed) for seed in range(8)}
    assert len(found) == 8
    assert told_on_the_stall not in found


def test_what_an_item_goes_for_is_drawn_within_bounds_and_once() -> None:
    listing = a_listing()
    drawn = [prices_of(listing, seed).street_price / listing.street_price for seed in range(300)]
    low, high = WORTH
    assert low <= min(drawn) < low + 0.02
    assert high - 0.02 < max(drawn) <= high
    assert prices_of(listing, 7) == prices_of(listing, 7)


@pytest.mark.parametrize("number", ["1" * 5000, "9" * 19, "²", "-1", "\x00"])
def test_a_number_that_is_none_breaks_no_page(number: str, mallory: Client) -> None:
    assert mallory.get("/arena/", {"listing": number}).status_code == 200
    waiting = matches.set_up(
        "", Order(listing=a_listing(), line_up=("person", "person")), exhibition=False
    )
    answer = mallory.post(f"/arena/{waiting.pk}/seat/", {"index": number})
    assert answer.status_code == 409


def test_nobody_sits_down_and_gets_up_for_ever(mallory: Client, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "matches": "2/minute"}
    limits.forget_settings()
    waiting = matches.set_up("", Order(listing=a_listing(), line_up=("person", "person")))
    address = f"/api/arena/{waiting.pk}/seat/"

    def sits_down() -> Any:
        answer = mallory.post(address, {"index": 0}, "application/json")
        mallory.delete(address)
        return answer

    assert [sits_down().status_code for _ in range(3)] == [200, 200, 429]
    page = a_visitor().post(f"/arena/{waiting.pk}/seat/", {"index": "1"})
    assert page.status_code == 429
    assert "many matches" in page.content.decode()


def test_the_row_of_a_live_match_does_not_name_the_persona() -> None:
    match = a_match("rules:micro", "rules:smart")
    row = Game.objects.filter(pk=match.pk).values().get()
    assert all(name not in str(value) for value in row.values() for name in SELLERS)
    plays_out(match.pk)
    ended = Game.objects.get(pk=match.pk)
    assert ended.persona in ended.policy_version


@pytest.mark.parametrize(
    "address", ["arena/%00/", "arena/a%00b/seat/", "sell/%00/", "buy/%00/", "replays/%00/fork/"]
)
def test_an_id_that_no_database_can_hold_is_no_match(address: str, mallory: Client) -> None:
    method = mallory.post if address.endswith(("seat/", "fork/")) else mallory.get
    body = {"index": 0} if address.endswith("seat/") else {"seq": 1, "action": "walk"}
    answer = method(f"/api/{address}", body, content_type="application/json")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "unknown-game"


def test_goods_that_are_deleted_while_a_match_waits_break_no_page(mallory: Client) -> None:
    mallory.get("/arena/")
    a_listing("Brass lamp")
    ttl_cache.forget()
    mallory.get("/arena/")
    waiting = Stage.objects.get().following
    assert waiting is not None
    people = matches.set_up("", Order(listing=a_listing("Tea set"), line_up=("person", "person")))
    Match.objects.all().update(starts_at=timezone.now() - timedelta(seconds=1))
    Match.objects.filter(phase="live").update(phase="ended")
    Listing.objects.all().delete()
    a_listing("Brass pot")
    ttl_cache.forget()
    assert mallory.get("/arena/").status_code == 200
    following = Stage.objects.get().following
    assert following is not None
    assert following != waiting
    assert people.pk not in running.orphans()
    assert mallory.post(f"/arena/{people.pk}/seat/", {"index": 0}).status_code == 302
    last = a_visitor().post(f"/arena/{people.pk}/seat/", {"index": 1})
    assert last.status_code == 404
    assert b"listing" in last.content
