"""OpenEnv and the first API over HTTP: no cookie, no token, no row in any table.

No test here may touch the database: pytest-django would say so.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings

from bazaarbatna.bargain import grade, is_solved, make_scenario, play_suite_game
from bazaarbatna.envs.openenv.bazaar import PREFIX
from negotiation.openenv.serving import forget_all
from tests.support.players import SteadyBuyer
from tests.support.secrets import leaks

BID = {"action": "offer", "price": 20}

DEEP = '{"action":{"action":"walk","metadata":{"a":' + "[" * 9000 + "]" * 7000
"""Deeper than a reader may follow, and never closed."""


@pytest.fixture(autouse=True)
def _an_empty_house() -> Iterator[None]:
    forget_all()
    yield
    forget_all()


@pytest.fixture
def asha() -> Client:
    return Client(enforce_csrf_checks=True)


def post(client: Client, path: str, body: object, **more: Any) -> Any:
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(path, text, content_type="application/json", **more)


def test_an_episode_is_played_by_its_id(asha: Client) -> None:
    started = post(asha, f"{PREFIX}/reset", {"seed": 3, "variant": "fixed"})
    assert started.status_code == 200
    assert not started.cookies
    assert started["Cache-Control"] == "no-store"
    id_ = started.json()["metadata"]["episode_id"]
    for body in (
        {"episode_id": id_, "action": {"action": "offer", "price": 20}, "timeout_s": 5.0},
        {"action": {"action": "offer", "price": 21, "metadata": {"episode_id": id_}}},
    ):
        assert post(asha, f"{PREFIX}/step", body).status_code == 200
    standing = asha.get(f"{PREFIX}/state", {"episode_id": id_}).json()
    assert (standing["step_count"], standing["round"], standing["seed"]) == (2, 3, 3)
    ended = post(asha, f"{PREFIX}/step", {"episode_id": id_, "action": {"action": "walk"}}).json()
    assert ended["done"] is True
    assert ended["observation"]["result"]["reservation_price"] == 31.5


def test_nothing_that_chetan_receives_is_hidden_before_the_end(asha: Client) -> None:
    chetan, scenario = asha, make_scenario("read_the_tells@sampled-1", 8)
    got = [
        post(chetan, f"{PREFIX}/reset", {"task": "read_the_tells", "seed": 8, "episode_id": "c"})
    ]
    for price in (1.01, 1.02, 1e12, "x", None):
        action = {"action": "offer", "price": price}
        got.append(post(chetan, f"{PREFIX}/step", {"episode_id": "c", "action": action}))
        got.append(chetan.get(f"{PREFIX}/state", {"episode_id": "c"}))
        got.append(chetan.get("/state", {"session_id": "c"}))
        got.append(chetan.get("/score", {"session_id": "c"}))
    for answer in got:
        assert leaks(answer.content.decode(), scenario, own_bids=(1.01, 1.02)) == []
        assert scenario.salt not in str(answer.headers)


def test_a_state_without_an_episode_is_that_of_an_empty_seat(asha: Client) -> None:
    assert asha.get(f"{PREFIX}/state").json()["episode_id"] is None


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("reset", "{", 400, "INVALID_JSON"),
        ("reset", b"\xff\xfe", 400, "INVALID_JSON"),
        ("reset", {"sede": 1}, 422, "VALIDATION_ERROR"),
        ("reset", {"seed": -1}, 422, "VALIDATION_ERROR"),
        ("reset", {"task": "nothing"}, 422, "VALIDATION_ERROR"),
        ("reset", {"seller": "rule:default@9#0"}, 422, "VALIDATION_ERROR"),
        ("reset", "[" * 9000, 422, "VALIDATION_ERROR"),
        ("reset", "x" * 16_385, 413, "VALIDATION_ERROR"),
        ("step", DEEP, 400, "INVALID_JSON"),
        ("step", "", 422, "VALIDATION_ERROR"),
        ("step", {"action": {"action": "walk"}}, 422, "VALIDATION_ERROR"),
        ("step", {"action": {"action": "walk"}, "episode_id": "x"}, 404, "SESSION_ERROR"),
        ("step", {"action": {"action": "walk"}, "episode_id": 7}, 422, "VALIDATION_ERROR"),
        ("step", '{"action":{"action":"offer","price":NaN}}', 400, "INVALID_JSON"),
    ],
)
def test_what_is_wrong_is_said_in_the_sites_shape_with_the_protocols_code(
    asha: Client, path: str, body: object, status: int, code: str
) -> None:
    answer = post(asha, f"{PREFIX}/{path}", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["detail"]


def test_a_step_without_an_episode_is_told_where_to_name_it(asha: Client) -> None:
    answer = post(asha, f"{PREFIX}/step", {"action": {"action": "walk"}})
    assert "metadata.episode_id" in answer.json()["error"]["detail"]


def test_a_step_after_the_end_changes_nothing(asha: Client) -> None:
    id_ = post(asha, f"{PREFIX}/reset", {}).json()["metadata"]["episode_id"]
    walk = {"episode_id": id_, "action": {"action": "walk"}}
    post(asha, f"{PREFIX}/step", walk)
    late = post(asha, f"{PREFIX}/step", walk)
    assert (late.status_code, late.json()["error"]["code"]) == (409, "EXECUTION_ERROR")
    assert asha.get(f"{PREFIX}/state", {"episode_id": id_}).json()["step_count"] == 1


def test_wrong_methods_addresses_and_hosts_are_answered_in_json(asha: Client) -> None:
    assert asha.get(f"{PREFIX}/reset").json()["error"]["code"] == "method-not-allowed"
    assert asha.get(f"{PREFIX}/nothing").json()["error"]["code"] == "not-found"
    stranger = asha.get(f"{PREFIX}/health", headers={"host": "evil.example"})
    assert (stranger.status_code, stranger.json()["error"]["code"]) == (400, "bad-request")


def test_a_flood_of_sessions_is_capped_with_a_time_to_come_back(asha: Client) -> None:
    with override_settings(ENV_SESSIONS=3, ENV_SESSIONS_PER_CLIENT=2):
        for _ in range(2):
            assert post(asha, f"{PREFIX}/reset", {}).status_code == 200
        mine = post(asha, f"{PREFIX}/reset", {})
        assert (mine.status_code, mine["Retry-After"]) == (429, "30")
        assert mine.json()["error"]["code"] == "CAPACITY_REACHED"
        assert post(asha, f"{PREFIX}/reset", {}, REMOTE_ADDR="10.0.0.2").status_code == 200
        full = post(asha, f"{PREFIX}/reset", {}, REMOTE_ADDR="10.0.0.3")
        assert (full.status_code, full.json()["error"]["retry_after"]) == (503, 30)


def test_what_the_environment_is_can_be_asked(asha: Client) -> None:
    assert asha.get(f"{PREFIX}/health").json() == {"status": "healthy"}
    about = asha.get(f"{PREFIX}/metadata").json()
    assert (about["name"], about["version"]) == ("bazaar", "1.0.0")
    assert (settings.BASE_DIR / "docs/environment.md").read_text() == about["readme_content"]
    assert asha.get(f"{PREFIX}/openapi.json").json()["info"]["version"] == "1.0.0"
    rpc = post(asha, f"{PREFIX}/mcp", "no json")
    assert (rpc.status_code, rpc.json()["error"]["code"]) == (200, -32700)


def test_the_first_api_plays_a_whole_suite_for_a_lone_caller(asha: Client) -> None:
    answer = post(asha, "/reset?task=career_10&seed=5&variant=fixed", "").json()
    assert answer["session_id"] == answer["info"]["episode_id"]
    while not answer["done"]:
        seen = answer["observation"]
        assert asha.get("/state").json()["round"] == seen["round"]
        limit = min(seen["budget"], seen["opening_ask"])
        share = 0.45 + 0.55 * (seen["round"] - 1) / seen["max_rounds"]
        bid = int(limit * 100 * share) / 100
        action: dict[str, Any] = {
            "action": "offer",
            "price": bid,
            "message": f"I can do {bid:.2f}.",
        }
        if seen["standing_ask"] <= bid:
            action = {"action": "accept", "message": "Theek hai, done."}
        answer = post(asha, "/step", action).json()
    logs = play_suite_game("career_10@fixed-1", 5, lambda seed: SteadyBuyer(0))
    graded = asha.get("/score").json()
    assert graded["score"] == pytest.approx(grade("career_10@fixed-1", logs), abs=1e-9)
    assert graded["is_solved"] is is_solved("career_10@fixed-1", graded["score"])


def test_the_first_api_takes_its_reset_by_address_or_body_and_names_sessions(asha: Client) -> None:
    by_address = post(asha, "/reset?task=single_deal&seed=7&session_id=one", "").json()
    by_body = post(asha, "/reset", {"task": "single_deal", "seed": 7, "session_id": "two"}).json()
    assert by_address["observation"] == by_body["observation"]
    post(asha, "/step", {"action": "offer", "price": 20, "session_id": "one"})
    post(asha, "/step", {"action": {"action": "offer", "price": 20}, "session_id": "one"})
    assert asha.get("/state?session_id=one").json()["step_count"] == 2
    assert asha.get("/state?session_id=two").json()["step_count"] == 0
    assert asha.get("/score?session_id=one").json()["score"] == 0.0


def test_the_first_api_refuses_in_the_same_words(asha: Client) -> None:
    assert asha.get("/state?session_id=none").status_code == 404
    assert asha.get("/score?session_id=none").json()["error"]["code"] == "SESSION_ERROR"
    assert post(asha, "/reset?seed=many", "").json()["error"]["code"] == "VALIDATION_ERROR"
    assert post(asha, "/reset?sede=1", "").json()["error"]["code"] == "VALIDATION_ERROR"
    for answer in (asha.get("/state"), asha.get("/score"), post(asha, "/step", BID)):
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "VALIDATION_ERROR")
        assert "session_id" in answer.json()["error"]["detail"]
    assert asha.get("/health").json() == {"status": "healthy"}


def test_nobody_moves_a_game_that_another_client_of_the_address_began(asha: Client) -> None:
    mine = post(asha, "/reset?task=single_deal&seed=7", "").json()["session_id"]
    neighbour = Client()  # behind the same router
    assert post(neighbour, "/step", BID).status_code == 422
    neighbour.cookies["bazaar_game"] = mine
    assert post(neighbour, "/step", BID).status_code == 422
    assert asha.get(f"/state?session_id={mine}").json()["step_count"] == 0
    post(neighbour, "/reset?task=single_deal&seed=8", "")
    post(asha, "/step", BID)
    assert asha.get(f"/state?session_id={mine}").json()["step_count"] == 1


def test_looking_moves_nothing_and_pages_elsewhere_play_nothing(asha: Client) -> None:
    mine = post(asha, "/reset?task=single_deal&seed=7&session_id=run-1", "").json()["session_id"]
    for address in ("/reset", "/step", f"{PREFIX}/reset", f"{PREFIX}/step"):
        assert asha.get(address, {"session_id": mine, "seed": 8}).status_code == 405
    evil = {"HTTP_ORIGIN": "https://evil.example"}
    body = {**BID, "session_id": mine}
    for address in ("/reset?session_id=run-1", "/step", f"{PREFIX}/reset", f"{PREFIX}/step"):
        assert post(asha, address, body, **evil).status_code == 403
    assert asha.get("/state", {"session_id": mine}).json()["step_count"] == 0
    own = {"HTTP_ORIGIN": "http://testserver"}
    assert post(asha, "/step", body, **own).status_code == 200


def test_one_rule_says_which_pages_play_here_and_which_open_sockets(
    asha: Client, settings: Any
) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://*.class.example"]
    for own in ("http://testserver:80", "HTTP://TestServer", "https://a.class.example"):
        assert post(asha, f"{PREFIX}/reset", "", HTTP_ORIGIN=own).status_code == 200, own
    for other in ("https://testserver", "http://testserver:81", "null", "", "https://class.in"):
        assert post(asha, f"{PREFIX}/reset", "", HTTP_ORIGIN=other).status_code == 403, other


def test_every_task_that_is_listed_can_be_reset(asha: Client) -> None:
    rows = asha.get("/tasks").json()["tasks"]
    assert len(rows) == 8
    for row in rows:
        for suite in row["suites"]:
            started = post(asha, f"/reset?task={suite}&session_id=again", "").json()
            assert started["observation"]["suite"] == suite
            assert started["observation"]["max_rounds"] == row["max_rounds"]
            assert started["observation"]["games"] == row["games"]
