"""The market over OpenEnv's HTTP: no cookie, no token, no row in any table.

No test here may touch the database: pytest-django would say so.
"""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.test import Client, override_settings

from arena.gpu_market.openenv.first import FIRST
from bazaarbatna.envs.market.actions import to_action, write_action
from bazaarbatna.envs.market.seat import MarketStanding
from bazaarbatna.envs.market.views import MarketView, read_view
from bazaarbatna.envs.openenv.dialogue import Dialogue
from bazaarbatna.envs.openenv.door import openapi, schemas
from bazaarbatna.envs.openenv.market import MARKET, PREFIX
from bazaarbatna.market import advance, make_market, start, step
from bazaarbatna.market.planner import play_scored
from bazaarbatna.market.policies.registry import make_policy
from negotiation.openenv.serving import forget_all
from tests.support.market_secrets import market_leaks

WAIT = {"action": "wait"}
NAMES = MarketView.__struct_fields__


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
    return client.post(f"{PREFIX}/{path}", text, content_type="application/json", **more)


def opened(client: Client, **wanted: Any) -> str:
    return str(post(client, "reset", wanted).json()["metadata"]["episode_id"])


def test_an_episode_is_played_by_its_id_to_the_engines_own_score(asha: Client) -> None:
    answer = post(asha, "reset", {"seed": 3, "task": "market_round", "lab": "lab_1"})
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert not answer.cookies
    told, policy = answer.json(), make_policy("rule_expert", 3)
    id_ = told["metadata"]["episode_id"]
    while not told["done"]:
        action = write_action(policy(read_view(told["observation"])))
        if told["observation"]["round"] % 2:
            told = post(asha, "step", {"episode_id": id_, "action": action}).json()
        else:
            noted = {**action, "metadata": {"episode_id": id_}}
            told = post(asha, "step", {"action": noted, "timeout_s": 5.0}).json()
    scored = play_scored(make_market("market_round", 3), make_policy("rule_expert", 3), lab=1)
    standing = asha.get(f"{PREFIX}/state", {"episode_id": id_}).json()
    assert told["metadata"]["score"] == standing["score"] == scored.total
    assert (standing["done"], standing["seed"], standing["step_count"]) == (True, 3, 5)


def test_nothing_that_chetan_receives_is_hidden_before_the_end(asha: Client) -> None:
    """Every byte of every answer, of a sensible policy that also sends nonsense."""
    chetan, searched = asha, 0
    for seed, task in ((1, "single_trade"), (2, "market_round"), (3, "coalition_market")):
        for lab in (0, 1):
            wanted = {"task": task, "seed": seed, "lab": lab, "episode_id": "c"}
            state, _ = start(make_market(task, seed))
            answer = post(chetan, "reset", wanted)
            state, _ = advance(state, (lab,))
            policy, turn = make_policy("random_valid", seed), 0
            while state.ended is None:
                got = [
                    answer,
                    chetan.get(f"{PREFIX}/state", {"episode_id": "c"}),
                    post(chetan, "step", {"episode_id": "c", "action": [1]}),
                    post(chetan, "reset", {"task": task, "lab": 9, "episode_id": "c"}),
                ]
                for one in got:
                    assert market_leaks(one.content.decode(), state, lab) == []
                    assert state.scenario.salt not in str(one.headers)
                    searched += 1
                action = write_action(policy(read_view(answer.json()["observation"])))
                if turn % 3 == 2:
                    action = {"action": "allocate_to_job", "job_id": "job_1_0", "payment": -1}
                state, _ = step(state, lab, to_action(action))
                answer = post(chetan, "step", {"episode_id": "c", "action": action})
                turn += 1
            assert answer.json()["observation"]["result"]["opened"]["seed"] == (
                state.scenario.sealed.seed
            )
    assert searched > 100


def test_the_first_api_shows_dev_nothing_hidden_either(asha: Client) -> None:
    dev, at, searched = asha, FIRST.format(name="dev"), 0
    for seed, task in ((1, "single_trade"), (2, "market_round"), (3, "coalition_market")):
        state, _ = start(make_market(task, seed, reward="published"))
        state, _ = advance(state, (0,))
        body: Any = {"task_type": task, "seed": seed}
        got = [dev.post(f"{at}/reset", body, content_type="application/json")]
        policy = make_policy("random_valid", seed)
        while True:
            got += [dev.get(f"{at}/state"), dev.get(f"{at}/state", {"include_private": "true"})]
            for one in got:
                assert market_leaks(one.content.decode(), state, 0) == []
                searched += 1
            seen = {name: got[0].json()["observation"][name] for name in NAMES}
            if seen["last_action_result"] and seen["last_action_result"]["ok"]:
                seen["last_action_result"]["code"] = None
            action = write_action(policy(read_view(seen)))
            state, _ = step(state, 0, to_action(action))
            if state.ended:
                break
            action["action_type"] = action.pop("action")
            got = [dev.post(f"{at}/step", action, content_type="application/json")]
    assert searched > 30


def test_the_search_would_find_each_kind_of_secret() -> None:
    state, _ = start(make_market("coalition_market", 3))
    sealed = state.scenario.sealed
    job = sealed.jobs[1][0]
    for value in (
        sealed.budgets[1] / 100,
        job.base_value / 100,
        round(job.value / 100, 4),
        {"id": job.id},
        {"archetype": "selfish"},
        sealed.archetypes[2],
        "demand_surge",
        sealed.seed,
        state.scenario.salt,
        {"surge": sealed.surge[2].base_value / 100},
    ):
        text = msgspec.json.encode({"observation": value}).decode()
        assert market_leaks(text, state, 0) != [], value


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("reset", "{", 400, "INVALID_JSON"),
        ("reset", b"\xff\xfe", 400, "INVALID_JSON"),
        ("reset", {"sede": 1}, 422, "VALIDATION_ERROR"),
        ("reset", {"seed": -1}, 422, "VALIDATION_ERROR"),
        ("reset", {"task": "nothing"}, 422, "VALIDATION_ERROR"),
        ("reset", {"lab": "lab_9"}, 422, "VALIDATION_ERROR"),
        ("reset", {"lab": True}, 422, "VALIDATION_ERROR"),
        ("reset", {"lab": 3, "seed": 1}, 422, "VALIDATION_ERROR"),
        ("reset", {"reward": "generous"}, 422, "VALIDATION_ERROR"),
        ("reset", {"options": ["flood"]}, 422, "VALIDATION_ERROR"),
        ("reset", {"options": ["sudden_supply"]}, 422, "VALIDATION_ERROR"),
        ("reset", "x" * 16_385, 413, "VALIDATION_ERROR"),
        ("step", "", 422, "VALIDATION_ERROR"),
        ("step", {"action": WAIT}, 422, "VALIDATION_ERROR"),
        ("step", {"action": WAIT, "episode_id": "x"}, 404, "SESSION_ERROR"),
        ("step", {"action": WAIT, "episode_id": 7}, 422, "VALIDATION_ERROR"),
        ("step", {"action": "wait", "episode_id": "x"}, 422, "VALIDATION_ERROR"),
        ("step", '{"action":{"payment":NaN}}', 400, "INVALID_JSON"),
        ("step", '{"action":{"payment":1e999}}', 422, "VALIDATION_ERROR"),
    ],
)
def test_what_is_wrong_is_said_in_the_sites_shape_with_the_protocols_code(
    asha: Client, path: str, body: object, status: int, code: str
) -> None:
    answer = post(asha, path, body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["detail"]


def test_any_object_is_an_action_and_an_invalid_one_uses_the_turn_up(asha: Client) -> None:
    id_ = opened(asha, seed=2, task="coalition_market")
    for turn, action in enumerate(({}, {"action": "fly"}, {"payment": 1e308}, {"a": [{}]}), 1):
        told = post(asha, "step", {"episode_id": id_, "action": action}).json()
        assert told["observation"]["last_action_result"]["code"] == "malformed_action"
        assert (told["observation"]["round"], told["reward"]) == (turn, -0.15)


def test_a_step_after_the_end_is_answered_and_changes_nothing(asha: Client) -> None:
    id_ = opened(asha, seed=2)
    post(asha, "step", {"episode_id": id_, "action": {"action": "finish"}})
    before = asha.get(f"{PREFIX}/state", {"episode_id": id_}).content
    late = post(asha, "step", {"episode_id": id_, "action": WAIT})
    assert late.status_code == 200
    assert late.json()["observation"]["last_action_result"]["code"] == "episode_done"
    assert (late.json()["done"], late.json()["reward"]) == (True, 0.0)
    assert asha.get(f"{PREFIX}/state", {"episode_id": id_}).content == before


def test_a_state_without_an_episode_is_that_of_an_empty_seat(asha: Client) -> None:
    assert asha.get(f"{PREFIX}/state").json() == json.loads(msgspec.json.encode(MarketStanding()))


def test_a_flood_of_sessions_is_capped_and_leaves_the_bazaar_alone(asha: Client) -> None:
    with override_settings(ENV_SESSIONS=3, ENV_SESSIONS_PER_CLIENT=2):
        for _ in range(2):
            assert post(asha, "reset", {}).status_code == 200
        mine = post(asha, "reset", {})
        assert (mine.status_code, mine["Retry-After"]) == (429, "30")
        assert mine.json()["error"]["code"] == "CAPACITY_REACHED"
        assert post(asha, "reset", {}, REMOTE_ADDR="10.0.0.2").status_code == 200
        full = post(asha, "reset", {}, REMOTE_ADDR="10.0.0.3")
        assert (full.status_code, full.json()["error"]["retry_after"]) == (503, 30)
        bazaar = asha.post("/env/bazaar/reset", "{}", content_type="application/json")
        assert bazaar.status_code == 200


def test_an_episode_of_the_one_environment_is_unknown_in_the_other(asha: Client) -> None:
    opened(asha, episode_id="mine")
    assert asha.get("/env/bazaar/state", {"episode_id": "mine"}).status_code == 404
    assert asha.get(f"{PREFIX}/state", {"episode_id": "mine"}).status_code == 200


def test_what_the_environment_is_can_be_asked(asha: Client) -> None:
    assert asha.get(f"{PREFIX}/health").json() == {"status": "healthy"}
    for address in ("", "/", "/metadata"):
        assert asha.get(f"{PREFIX}{address}").json()["name"] == "gpu_budget_negotiation"
    about = asha.get(f"{PREFIX}/metadata").json()
    page = settings.BASE_DIR / "docs/market_environments.md"
    assert page.read_text() == about["readme_content"]
    assert asha.get(f"{PREFIX}/openapi.json").json()["info"]["version"] == "1.0.0"
    assert post(asha, "mcp", "no json").json()["error"]["code"] == -32700
    assert asha.get(f"{PREFIX}/reset").json()["error"]["code"] == "method-not-allowed"
    assert asha.get(f"{PREFIX}/nothing").json()["error"]["code"] == "not-found"


def test_the_published_schemas_know_every_field_that_is_sent(asha: Client) -> None:
    published = asha.get(f"{PREFIX}/schema").json()
    assert published == json.loads(json.dumps(schemas(MARKET)))
    assert set(published["observation"]["properties"]) == set(MarketView.__struct_fields__)
    assert set(published["state"]["properties"]) == set(MarketStanding.__struct_fields__)
    assert len(published["action"]["properties"]["action"]["enum"]) == 14
    parts = openapi(MARKET)["components"]["schemas"]
    assert parts["StepRequest"]["properties"]["action"] == {
        "$ref": "#/components/schemas/ActionForm"
    }
    assert {"MarketReset", "MarketAnswer", "MarketStanding"} <= set(parts)


def told(dialogue: Dialogue, frame: object) -> dict[str, Any]:
    text = frame if isinstance(frame, str) else json.dumps(frame)
    return dict(json.loads(dialogue.answer(text) or ""))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "INVALID_JSON"),
        ('{"type":"steal"}', "UNKNOWN_TYPE"),
        ('{"type":"step"}', "VALIDATION_ERROR"),
        ('{"type":"step","data":[]}', "VALIDATION_ERROR"),
        ('{"type":"step","data":null}', "VALIDATION_ERROR"),
        ('{"type":"step","data":{"payment":Infinity}}', "INVALID_JSON"),
        ('{"type":"reset","data":{"task":"x"}}', "VALIDATION_ERROR"),
        ('{"type":"reset","data":[]}', "VALIDATION_ERROR"),
        ("x" * 16_385, "VALIDATION_ERROR"),
    ],
)
def test_a_wrong_message_gets_the_protocols_code_and_the_market_stays(text: str, code: str) -> None:
    mallory = Dialogue(MARKET)
    told(mallory, {"type": "reset", "data": {"seed": 1}})
    before = mallory.answer('{"type":"state"}')
    answer = told(mallory, text)
    assert (answer["type"], answer["data"]["code"]) == ("error", code)
    assert mallory.answer('{"type":"state"}') == before
    after = told(mallory, {"type": "step", "data": WAIT})
    assert after["data"]["observation"]["round"] == 1
