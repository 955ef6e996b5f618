"""A sale over HTTP: opened by anybody, read by its owner."""

import pytest
from django.test import Client, override_settings

from bazaarbatna.bargain import budgets
from bazaarbatna.bargain.sealed import is_kept
from negotiation.bargain.scenarios import stored_scenario
from negotiation.limits import forget_uses
from negotiation.models import Game, Listing
from tests.negotiation.api.conftest import Caller

LAMP = {"title": "Brass lamp", "asking_price": 2000, "reservation_price": 1200}


def a_listing() -> Listing:
    return Listing.objects.create(
        title="Hero cycle",
        category="cycles",
        list_price=500000,
        street_price=400000,
        source_key="cycle-1",
    )


def test_an_own_item_is_opened_with_its_brief(asha: Caller) -> None:
    answer = asha.post("/api/sell/", {**LAMP, "condition_label": "like_new"})
    assert answer.status_code == 201
    body = answer.json()
    game = Game.objects.get()
    assert set(body) == {"id", "ws", "url", "brief"}
    assert body["id"] == game.pk
    assert body["ws"] == f"/ws/sell/{game.pk}/"
    assert answer["Location"] == f"/api/sell/{game.pk}/"
    assert body["brief"]["asking_price"] == 2000
    assert body["brief"]["reservation_price"] == 1200
    assert body["brief"]["max_bonus"] == 80
    assert body["brief"]["max_rounds"] == 10
    assert game.owner == asha.key


def test_a_listing_is_opened_by_its_number(asha: Caller) -> None:
    answer = asha.post("/api/sell/", {"listing": a_listing().pk, "share_replay": True})
    brief = answer.json()["brief"]
    assert (brief["asking_price"], brief["reservation_price"]) == (5000, 2940)
    assert Game.objects.get().share_replay


@pytest.fixture
def hopeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """No price suits anybody, except where one was promised."""
    monkeypatch.setattr(budgets, "NO_ZONE", 1.0)


def opens(asha: Caller, what: str, body: dict[str, object]) -> tuple[Game, dict[str, str]]:
    answer = asha.post(f"/api/{what}/", body)
    assert answer.status_code == 201
    return Game.objects.get(pk=answer.json()["id"]), answer.json()["brief"]


@pytest.mark.parametrize("order", [("sell", "sell"), ("sell", "buy"), ("buy", "buy")])
def test_the_first_two_games_have_a_zone_and_say_so_and_later_ones_promise_none(
    asha: Caller, hopeless: None, order: tuple[str, str]
) -> None:
    poor = {"listing": a_listing().pk, "budget": 300}
    bodies: dict[str, dict[str, object]] = {"sell": LAMP, "buy": poor}
    for what in order:
        game, brief = opens(asha, what, bodies[what])
        assert stored_scenario(game).zopa > 0
        assert "your first two games are always so" in brief["walking_away"]
    for what, words in (("sell", "about one game in ten"), ("buy", "lie above your budget")):
        game, brief = opens(asha, what, bodies[what])
        assert stored_scenario(game).zopa < 0
        assert words in brief["walking_away"]
        assert "you do well to walk" in brief["walking_away"]
        assert "first two" not in brief["walking_away"]


def test_a_hopeless_game_and_another_have_the_same_brief(
    asha: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        asha.post("/api/sell/", LAMP)
    briefs = []
    for chance in (0.0, 1.0):
        monkeypatch.setattr(budgets, "NO_ZONE", chance)
        game, brief = opens(asha, "sell", LAMP)
        assert (stored_scenario(game).zopa < 0) == (chance == 1.0)
        briefs.append(brief)
    assert briefs[0] == briefs[1]


def test_a_promised_zone_is_sealed_like_any_other(asha: Caller) -> None:
    game, brief = opens(asha, "sell", LAMP)
    scenario = stored_scenario(game)
    answer = asha.get(f"/api/sell/{game.pk}/").json()
    opened = answer["frames"][0]["event"]
    assert is_kept(opened["commitment"], scenario.sealed, scenario.salt)
    assert answer["brief"] == brief
    for secret in (scenario.sealed.budget, scenario.zopa):
        for form in (str(secret), f"{secret / 100:.2f}", f"{secret / 100:,.2f}"):
            assert form not in str(brief)


def test_games_of_others_use_up_nobodys_first_two(
    asha: Caller, chetan: Caller, hopeless: None
) -> None:
    for _ in range(3):
        asha.post("/api/sell/", LAMP)
    game, _ = opens(chetan, "sell", LAMP)
    assert stored_scenario(game).zopa > 0


def test_the_owner_reads_brief_state_and_log(asha: Caller) -> None:
    game_id = asha.post("/api/sell/", LAMP).json()["id"]
    view = asha.get(f"/api/sell/{game_id}/").json()
    assert view["status"] == "live"
    assert view["turn"] == "seller"
    assert view["brief"]["reservation_price"] == 1200
    assert [frame["seq"] for frame in view["frames"]] == [1, 2]
    assert view["seq"] == 2
    assert view["frames"][1]["event"]["actor"] == "buyer"


def test_the_owners_view_holds_nothing_of_the_buyer(asha: Caller) -> None:
    game_id = asha.post("/api/sell/", LAMP).json()["id"]
    answer = asha.get(f"/api/sell/{game_id}/").content.decode()
    scenario = stored_scenario(Game.objects.get())
    for secret in (str(scenario.sealed.budget), str(scenario.sealed.seed), scenario.salt):
        assert secret not in answer


def test_chetan_gets_the_answer_for_games_that_do_not_exist(asha: Caller, chetan: Caller) -> None:
    game_id = asha.post("/api/sell/", LAMP).json()["id"]
    his, nobodys = chetan.get(f"/api/sell/{game_id}/"), chetan.get("/api/sell/nosuchgame22/")
    assert his.status_code == nobodys.status_code == 404
    assert his.content == nobodys.content


@pytest.mark.parametrize(
    ("body", "status", "code", "word"),
    [
        ({}, 422, "bad-sale", "asking price"),
        ({"title": "Lamp", "asking_price": 10}, 422, "bad-sale", "floor"),
        ({**LAMP, "title": " "}, 422, "bad-sale", "title"),
        ({**LAMP, "asking_price": 1000}, 422, "invalid-price", "below"),
        ({**LAMP, "asking_price": 0}, 422, "invalid-price", "0.01"),
        ({**LAMP, "asking_price": -5}, 422, "invalid-price", "0.01"),
        ({**LAMP, "asking_price": 1e12}, 422, "invalid-price", "1,000,000,000"),
        ({**LAMP, "asking_price": "cheap"}, 422, "bad-request", "asking_price: must be a number"),
        ({**LAMP, "budget": 1}, 422, "bad-request", "budget: is not known here"),
        ({**LAMP, "policy": "nobody"}, 422, "unknown-policy", "sauda"),
        ({**LAMP, "condition_label": "shiny"}, 422, "bad-sale", "condition"),
        ({**LAMP, "policy": "x" * 61}, 422, "bad-request", "policy: is too long"),
        ({**LAMP, "description": "x" * 100_000}, 422, "bad-request", "description: is too long"),
        ({"listing": 987654}, 404, "unknown-listing", "no such listing"),
        ({"listing": "one"}, 422, "bad-request", "listing: must be a whole number"),
        ({"listing": 2**70}, 422, "bad-request", "listing"),
        ([], 422, "bad-request", "object"),
        ("lamp", 422, "bad-request", "object"),
    ],
)
def test_a_bad_sale_is_answered_in_one_shape_and_opens_nothing(
    body: object, status: int, code: str, word: str, asha: Caller
) -> None:
    answer = asha.post("/api/sell/", body)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code)
    assert word in error["detail"]
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"title":"Lamp","asking_price":NaN,"reservation_price":1}',
        b'{"title":"\\ud800","asking_price":2,"reservation_price":1}',
        b"",
    ],
)
def test_bytes_that_are_no_sale_are_answered_in_the_same_shape(raw: bytes, asha: Caller) -> None:
    answer = asha.post("/api/sell/", None, raw=raw)
    assert answer.status_code in (400, 422)
    assert set(answer.json()["error"]) >= {"code", "detail"}
    assert not Game.objects.exists()


def test_without_the_token_nothing_is_opened(asha: Caller) -> None:
    answer = asha.client.post("/api/sell/", LAMP, content_type="application/json")
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "csrf"
    assert "X-CSRFToken" in answer.json()["error"]["detail"]
    assert not Game.objects.exists()


def test_a_program_without_cookies_is_told_how_to_get_them(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post(
        "/api/sell/", LAMP, content_type="application/json"
    )
    assert answer.json()["error"]["code"] == "csrf"
    assert "csrftoken" in answer.cookies


def test_a_visitor_with_an_old_cookie_gets_a_session_that_can_own_a_game(asha: Caller) -> None:
    asha.client.session.flush()
    asha.client.cookies["sessionid"] = "longgonesessionkeylonggone"
    answer = asha.post("/api/sell/", LAMP)
    assert answer.status_code == 201
    assert Game.objects.get().owner == asha.key != "longgonesessionkeylonggone"
    assert asha.get(f"/api/sell/{answer.json()['id']}/").status_code == 200


@override_settings(LIMITS={"games": "2/hour", "visitors": "9/hour"})
def test_a_third_game_in_the_hour_is_told_when_to_come_back(asha: Caller) -> None:
    forget_uses()
    for _ in range(2):
        assert asha.post("/api/sell/", LAMP).status_code == 201
    answer = asha.post("/api/sell/", LAMP)
    assert answer.status_code == 429
    assert answer.json()["error"]["code"] == "rate-limited"
    assert 0 < int(answer["Retry-After"]) <= 3600
    assert answer.json()["error"]["retry_after"] == int(answer["Retry-After"])
    forget_uses()
