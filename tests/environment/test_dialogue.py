"""Whatever a client sends, it gets one answer in the protocol's words, and its game goes on."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazaarbatna.envs.bargain.seat import Answer, Standing
from bazaarbatna.envs.bargain.views import View
from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.dialogue import Dialogue
from bazaarbatna.envs.openenv.door import openapi, schemas
from bazaarbatna.envs.openenv.frames import LONGEST


def told(dialogue: Dialogue, frame: object) -> dict[str, Any]:
    text = frame if isinstance(frame, str) else json.dumps(frame)
    answer = dialogue.answer(text)
    assert answer is not None
    whole = json.loads(answer)
    assert isinstance(whole, dict)
    return whole


def test_a_game_is_played_in_the_frames_of_the_package() -> None:
    asha = Dialogue(BAZAAR)
    first = told(asha, {"type": "reset", "data": {"seed": 7, "task": "single_deal"}})
    assert first["type"] == "observation"
    assert set(first["data"]) == {"observation", "reward", "done", "metadata"}
    assert msgspec.convert(first["data"], Answer).observation.suite == "single_deal@sampled-1"
    second = told(asha, {"type": "step", "data": {"action": "offer", "price": 20}})
    assert second["data"]["observation"]["round"] == 2
    state = told(asha, {"type": "state"})
    assert msgspec.convert(state["data"], Standing).step_count == 1
    assert asha.answer('{"type":"close"}') is None


WRONG = [
    ("", "INVALID_JSON"),
    ("{", "INVALID_JSON"),
    ("\ud800", "INVALID_JSON"),
    ('{"type":"step","data":{"action":"offer","price":NaN}}', "INVALID_JSON"),
    ('{"type":"step","data":{"action":"offer","price":Infinity}}', "INVALID_JSON"),
    ("[" * 5000, "INVALID_JSON"),
    ("[]", "VALIDATION_ERROR"),
    ("null", "VALIDATION_ERROR"),
    ('"reset"', "VALIDATION_ERROR"),
    ("7", "VALIDATION_ERROR"),
    ("{}", "UNKNOWN_TYPE"),
    ('{"type":"steal"}', "UNKNOWN_TYPE"),
    ('{"type":null}', "UNKNOWN_TYPE"),
    ('{"type":["reset"]}', "UNKNOWN_TYPE"),
    ('{"type":"reset","data":[]}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"seed":-1}}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"seed":1.5}}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"seed":"1"}}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"seed":1e30}}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"sede":1}}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"task":"x"}}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"seller":"nice"}}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"variant":"hard"}}', "VALIDATION_ERROR"),
    ('{"type":"reset","data":{"episode_id":"' + "x" * 256 + '"}}', "VALIDATION_ERROR"),
    ('{"type":"reset","surprise":1}', "VALIDATION_ERROR"),
    ('{"type":"step"}', "VALIDATION_ERROR"),
    ('{"type":"step","data":{}}', "VALIDATION_ERROR"),
    ('{"type":"step","data":{"action":"offer"}}', "VALIDATION_ERROR"),
    ('{"type":"step","data":{"action":"offer","price":"40"}}', "VALIDATION_ERROR"),
    ('{"type":"step","data":{"action":"offer","price":true}}', "VALIDATION_ERROR"),
    ('{"type":"step","data":{"action":"steal","price":1}}', "VALIDATION_ERROR"),
    ('{"type":"step","data":{"action":"walk","reservation":1}}', "VALIDATION_ERROR"),
    ('{"type":"step","data":{"action":"walk","metadata":{"a":' + "[" * 9000, "INVALID_JSON"),
    ('{"type":"mcp","data":' + "[" * 9000, "INVALID_JSON"),
    ("x" * (LONGEST + 1), "VALIDATION_ERROR"),
    ("₹" * LONGEST, "VALIDATION_ERROR"),
]


@pytest.mark.parametrize(("text", "code"), WRONG)
def test_a_wrong_message_gets_the_protocols_code_and_the_game_goes_on(text: str, code: str) -> None:
    mallory = Dialogue(BAZAAR)
    told(mallory, {"type": "reset", "data": {"seed": 1}})
    answer = told(mallory, text)
    assert (answer["type"], answer["data"]["code"]) == ("error", code)
    assert answer["data"]["message"]
    after = told(mallory, {"type": "step", "data": {"action": "offer", "price": 10}})
    assert after["data"]["observation"]["round"] == 2


def test_a_bytes_message_is_no_json() -> None:
    assert json.loads(Dialogue(BAZAAR).answer(None) or "")["data"]["code"] == "INVALID_JSON"


def test_a_step_before_the_reset_or_after_the_end_is_told_apart() -> None:
    mallory, walk = Dialogue(BAZAAR), {"type": "step", "data": {"action": "walk"}}
    early = told(mallory, walk)["data"]
    told(mallory, {"type": "reset"})
    told(mallory, walk)
    late = told(mallory, walk)["data"]
    assert early["code"] == late["code"] == "EXECUTION_ERROR"
    assert "no game on the table" in early["message"]
    assert "over" in late["message"]


def test_a_wrong_reset_leaves_the_old_game_on_the_table() -> None:
    asha = Dialogue(BAZAAR)
    told(asha, {"type": "reset", "data": {"seed": 1, "episode_id": "mine"}})
    told(asha, {"type": "reset", "data": {"task": "nothing"}})
    assert told(asha, {"type": "state"})["data"]["episode_id"] == "mine"


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["type", "data", "action", "price", "message", "seed", "task"])
                | st.text(max_size=4),
                inner | st.sampled_from(["reset", "step", "state", "mcp", "offer", "accept"]),
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_no_message_at_all_is_our_fault(frame: object) -> None:
    mallory = Dialogue(BAZAAR)
    mallory.answer('{"type":"reset"}')
    answer = mallory.answer(json.dumps(frame))
    if answer is None:
        assert isinstance(frame, dict)
        assert frame["type"] == "close"
        return
    whole = json.loads(answer)
    assert whole["type"] in ("observation", "state", "error", "mcp")
    assert "our side" not in answer


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "x"}, "id": 7}, -32602),
        ({"jsonrpc": "2.0", "method": "tools/call", "params": {"arguments": 3}, "id": 7}, -32602),
        ({"jsonrpc": "2.0", "method": "prompts/list", "id": 7}, -32601),
        ({"method": "tools/list", "id": 7}, -32600),
        ({"jsonrpc": "1.0", "method": "tools/list", "id": 7}, -32600),
        ([], -32600),
        ({}, -32600),
    ],
)
def test_mcp_clients_are_answered_in_json_rpc(request_: object, code: int) -> None:
    answer = told(Dialogue(BAZAAR), {"type": "mcp", "data": request_})
    assert answer["type"] == "mcp"
    assert answer["data"]["jsonrpc"] == "2.0"
    assert answer["data"]["error"]["code"] == code


def test_the_published_schemas_know_every_field_that_is_sent() -> None:
    published = schemas(BAZAAR)
    assert set(published) == {"action", "observation", "reset_observation", "state"}
    assert set(published["observation"]["properties"]) == set(View.__struct_fields__)
    assert set(published["state"]["properties"]) == set(Standing.__struct_fields__)
    assert published["action"]["additionalProperties"] is False
    assert {"/reset", "/step", "/state"} <= set(openapi(BAZAAR)["paths"])
    text = json.dumps(openapi(BAZAAR))
    for name in ("Answer", "Reset", "StepRequest", "Standing"):
        assert f'"#/components/schemas/{name}"' in text
        assert name in openapi(BAZAAR)["components"]["schemas"]
