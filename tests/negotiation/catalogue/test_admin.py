"""Operators see listings, games and logs, and nothing sealed."""

import pytest
from django.contrib import admin
from django.test import Client

from bazaarbatna.bargain.episode import start
from negotiation.catalogue.shelving import load_catalogue
from negotiation.models import EventRow, Game, Listing, SealedRecord
from tests.support.finished import a_scenario

pytestmark = pytest.mark.django_db

BUDGET = "170000"
RESERVATION = "120000"
SALT = "a1b2c3"


@pytest.fixture
def operator(admin_client: Client) -> Client:
    return admin_client


@pytest.fixture
def live_game() -> Game:
    import msgspec

    scenario = a_scenario()
    _, events = start(scenario)
    game = Game.objects.create(owner="ashas-session-key", title="Cooker", policy="sauda")
    SealedRecord.objects.create(game=game, scenario=msgspec.msgpack.encode(scenario))
    for seq, event in enumerate(events, 1):
        EventRow.objects.create(
            game=game, seq=seq, kind="opened", payload=msgspec.json.encode(event)
        )
    return game


def pages_of(game: Game) -> list[str]:
    row = EventRow.objects.filter(game=game).first()
    assert row
    return [
        "/admin/negotiation/game/",
        f"/admin/negotiation/game/{game.pk}/change/",
        "/admin/negotiation/eventrow/",
        f"/admin/negotiation/eventrow/{row.pk}/change/",
    ]


def test_no_page_of_a_live_game_shows_a_sealed_value(operator: Client, live_game: Game) -> None:
    Game.objects.filter(pk=live_game.pk).update(watch_key="keyofthelinkforhersister")
    for page in pages_of(live_game):
        shown = operator.get(page)
        assert shown.status_code == 200, page
        text = shown.content.decode()
        assert str(live_game.pk) in text
        secrets = ("ashas-session-key", "keyofthelinkforhersister")
        for hidden in (BUDGET, RESERVATION, "1,700", "1,200", SALT, *secrets):
            assert hidden not in text, (page, hidden)


def test_sealed_records_have_no_page(operator: Client) -> None:
    assert SealedRecord not in admin.site._registry
    assert operator.get("/admin/negotiation/sealedrecord/").status_code == 404


def test_games_and_their_logs_cannot_be_changed(operator: Client, live_game: Game) -> None:
    for page in pages_of(live_game)[1::2]:
        assert operator.post(page, {"title": "Forged"}).status_code == 403
        assert operator.post(page.replace("change", "delete")).status_code == 403
    for model in ("game", "eventrow"):
        assert operator.get(f"/admin/negotiation/{model}/add/").status_code == 403
    live_game.refresh_from_db()
    assert live_game.title == "Cooker"


def test_listings_are_shown_with_prices_and_found_by_words(operator: Client) -> None:
    load_catalogue()
    shown = operator.get("/admin/negotiation/listing/", {"q": "hawkins"}).content.decode()
    assert "Hawkins Contura" in shown
    assert "₹1,750" in shown
    assert "₹1,250" in shown
    assert "Levi" not in shown


def test_a_listing_edited_by_an_operator_is_found_by_its_new_words(operator: Client) -> None:
    load_catalogue()
    cooker = Listing.objects.get(source_key="kitchen-hawkins-5l")
    fields = {
        name: getattr(cooker, name)
        for name in (
            "category", "description", "condition_label", "city", "list_price", "street_price",
            "currency",
        )
    }  # fmt: skip
    page = f"/admin/negotiation/listing/{cooker.pk}/change/"
    assert operator.post(page, fields | {"title": "Zebra pot"}).status_code == 302
    cooker.refresh_from_db()
    assert " zebra pot " in cooker.search_text


def test_visitors_have_no_admin(client: Client) -> None:
    assert client.get("/admin/negotiation/game/").status_code == 302
