"""Null in an optional field is as if the field were not there, whatever takes it."""

import json
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
import pytest
from django.test import Client
from msgspec.structs import fields
from pydantic import ValidationError

from bazaarbatna import nulls
from bazaarbatna.envs.auction.parallel import ArenaParallelEnv
from bazaarbatna.envs.bargain import actions
from bazaarbatna.envs.bargain.gymnasium_env import BazaarEnv
from bazaarbatna.envs.market.actions import ActionForm
from bazaarbatna.envs.market.gymnasium_env import GpuMarketEnv
from bazaarbatna.envs.openenv.bazaar import BAZAAR
from bazaarbatna.envs.openenv.dialogue import Dialogue
from bazaarbatna.envs.openenv.kinds import AnyKind
from bazaarbatna.envs.openenv.market import MARKET
from bazaarbatna.envs.openenv.mcp import OwnGame, Request, answer_rpc, read_rpc
from bazaarbatna.market import Malformed, MarketAction, read_action
from negotiation.games.bodies import Body
from negotiation.games.frames_in import read_with
from negotiation.games.game import lives
from negotiation.games.turn_live import TURNS
from negotiation.openenv.seed_era import SeedEraReset, SeedEraStep
from negotiation.openenv.serving import forget_all
from tests.support.oracle.bargains import goods
from training.bots.socket import BotReset, read_frame


@pytest.fixture(autouse=True)
def _an_empty_house() -> Iterator[None]:
    forget_all()
    yield
    forget_all()


def example(kind: Any) -> Any:
    """Return some value of a type, in JSON."""
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if get_args(kind) and get_origin(kind) not in (dict, list, tuple):
        return example(get_args(kind)[0])
    known = {str: "x", int: 1, float: 1.0, bool: True, dict: {}, list: []}
    return known[get_origin(kind) or kind]


def least(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return an object with what is required alone."""
    return {field.name: example(field.type) for field in fields(kind) if field.required}


def with_nulls(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the same with every optional field as null."""
    return least(kind) | {field.name: None for field in fields(kind) if not field.required}


FRAMES = [
    (live, frame)
    for live in dict.fromkeys((*lives(), TURNS))
    for frame in get_args(live.frame_type)
]


@pytest.mark.parametrize(("live", "frame"), FRAMES)
def test_in_frames_of_viewers(live: Any, frame: type[msgspec.Struct]) -> None:
    tag = {"type": frame.__struct_config__.tag}
    decoder, types = msgspec.json.Decoder(Union[*get_args(live.frame_type)]), live.types
    read = read_with(decoder, types, json.dumps(tag | with_nulls(frame)))
    assert read == read_with(decoder, types, json.dumps(tag | least(frame)))


@pytest.mark.parametrize(
    "kind", [BAZAAR.wanted, MARKET.wanted, SeedEraReset, SeedEraStep, BotReset]
)
def test_in_what_environments_take(kind: type[msgspec.Struct]) -> None:
    assert nulls.converted(with_nulls(kind), kind) == nulls.converted(least(kind), kind)
    decoder, text = msgspec.json.Decoder(kind), json.dumps(with_nulls(kind))
    assert nulls.decoded(decoder, text) == nulls.converted(least(kind), kind)


@pytest.mark.parametrize("name", ["accept", "walk"])
def test_in_actions_of_the_bazaar(name: str) -> None:
    told = with_nulls(actions.Action) | {"action": name}
    assert actions.read_action(told) == actions.Action(name)  # type: ignore[arg-type]
    assert told["message"] is None, "what was given stays as it is"


def test_in_actions_of_the_market() -> None:
    assert read_action(with_nulls(ActionForm) | {"action": "wait"}) == MALFORMED
    told = {name: value for name, value in with_nulls(ActionForm).items() if name != "metadata"}
    assert read_action(told | {"action": "wait"}) == MarketAction("wait")
    assert MARKET.read(with_nulls(ActionForm) | {"action": "wait"}).action == MarketAction("wait")


MALFORMED = Malformed("Object contains unknown field `metadata`")


def optional_of(body: type[Body]) -> dict[str, None]:
    return {name: None for name, field in body.model_fields.items() if not field.is_required()}


BODIES: dict[str, dict[str, Any]] = {
    "SaleIn": {"listing": 1, "policy": "rules:boulware"},
    "PurchaseIn": {"listing": 1},
    "ThumbIn": {"seq": 1, "thumb": "up"},
    "NewGame": {},
    "NewMarket": {"task": "single_trade"},
    "Deed": {"action": {}},
    "NewPace": {"pause": True},
    "WhatIf": {"seq": 1, "action": {}},
    "NewMatch": {"listing": 1, "lineup": []},
    "ChosenSeat": {"index": 0},
    "ForkIn": {"seq": 1, "action": "walk"},
    "Registration": {"name": "x"},
}


def bodies() -> list[type[Body]]:
    from bazaar_site import urls

    assert urls.api
    return sorted(Body.__subclasses__(), key=lambda one: one.__name__)


@pytest.mark.parametrize("body", bodies())
def test_in_bodies_of_the_api(body: type[Body]) -> None:
    known = BODIES[body.__name__]
    told = {**optional_of(body), **known}
    assert body.model_validate(told) == body.model_validate(known)
    for name, field in body.model_fields.items():
        if field.is_required():
            with pytest.raises(ValidationError, match=name):
                body.model_validate({**known, name: None})
    with pytest.raises(ValidationError):
        body.model_validate({**known, "strange": None})


def test_what_is_required_is_asked_for_by_name() -> None:
    with pytest.raises(msgspec.ValidationError, match="`action`"):
        nulls.converted({"action": None}, actions.Action)
    with pytest.raises(msgspec.ValidationError, match="strange"):
        nulls.converted({"action": "walk", "message": None, "strange": None}, actions.Action)


def test_nulls_that_mean_something_stay() -> None:
    told = {"action": "walk", "message": None, "metadata": {"note": None}}
    assert nulls.converted(told, actions.Action).metadata == {"note": None}


def test_a_null_deep_inside_is_left_out_there_alone() -> None:
    class Leaf(msgspec.Struct):
        word: str = "none"

    class Tree(msgspec.Struct):
        leaves: list[Leaf]
        word: str = "tree"

    text = '{"leaves":[{"word":"a"},{"word":null}],"word":null}'
    read = nulls.decoded(msgspec.json.Decoder(Tree), text)
    assert read == Tree([Leaf("a"), Leaf()])


def test_many_nulls_cost_no_more_than_some() -> None:
    class Leaf(msgspec.Struct):
        word: str = ""

    text = json.dumps([{"word": None}] * 1000)
    with pytest.raises(msgspec.ValidationError, match="null"):
        nulls.decoded(msgspec.json.Decoder(list[Leaf]), text)


# At the wire


def post(path: str, body: object) -> Any:
    answer = Client().post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def answered(kind: AnyKind, *frames: dict[str, Any]) -> list[dict[str, Any]]:
    line = Dialogue(kind)
    return [json.loads(line.answer(json.dumps(frame)) or "null") for frame in frames]


RESET = {"seed": 7, "task": "single_deal", "variant": None, "seller": None}
BID = {"action": "offer", "price": 20, "message": None, "metadata": None}


BID_OF_OLD = {"action": "offer", "price": 20, "message": None}


def test_over_http() -> None:
    id_ = post("/env/bazaar/reset", RESET | {"episode_id": None})["metadata"]["episode_id"]
    body = {"action": BID, "episode_id": id_, "timeout_s": None, "request_id": None}
    assert post("/env/bazaar/step", body)["observation"]["round"] == 2


def test_over_the_first_api() -> None:
    id_ = post("/reset?seed=7", RESET | {"seed": None, "session_id": None})["session_id"]
    told = post("/step", {**BID_OF_OLD, "session_id": id_, "episode_id": None})
    assert told["observation"]["round"] == 2


@pytest.mark.django_db
def test_over_the_api_of_the_site() -> None:
    listing = goods().pk
    told = {"listing": listing, "title": None, "policy": None, "share_replay": None}
    answer = Client().post("/api/sell/", json.dumps(told), content_type="application/json")
    assert answer.status_code == 201, answer.content
    wrong = Client().post("/api/buy/", '{"listing": null}', content_type="application/json")
    assert wrong.status_code == 422
    assert "listing" in wrong.json()["error"]["detail"]


def test_over_the_socket() -> None:
    plain, nullish = (
        answered(BAZAAR, {"type": "reset", "data": {"seed": 7}}, {"type": "step", "data": bid})
        for bid in ({"action": "offer", "price": 20}, BID)
    )
    assert nullish[1]["type"] == plain[1]["type"] == "observation"
    assert nullish[1]["data"]["observation"] == plain[1]["data"]["observation"]
    assert answered(BAZAAR, {"type": "reset", "data": None})[0]["type"] == "observation"
    options = {"options": None, "reward": None, "lab": None, "judge_mode": None, "task": None}
    waits = with_nulls(ActionForm) | {"action": "wait"}
    market = answered(MARKET, {"type": "reset", "data": options}, {"type": "step", "data": waits})
    assert [one["type"] for one in market] == ["observation", "observation"]
    assert market[1]["data"]["observation"]["last_action_result"]["ok"]


def test_of_bots_and_of_mcp_clients() -> None:
    assert read_frame('{"type":"reset","data":null}') == read_frame('{"type":"reset"}')
    step = read_frame(json.dumps({"type": "step", "data": BID}))
    assert step == read_frame('{"type":"step","data":{"action":"offer","price":20}}')
    asked = b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}'
    wanted = read_rpc(asked)
    assert isinstance(wanted, Request)
    answer = answer_rpc(BAZAAR, OwnGame(BAZAAR), wanted)
    assert answer is not None
    assert len(answer["result"]["tools"]) == 5


def test_in_options_of_gymnasium_and_pettingzoo() -> None:
    env = BazaarEnv(variant="fixed")
    nothing = {"game": None, "suite": None, "variant": None, "seller": None}
    assert env.reset(seed=3, options=nothing)[1]["commitment"]
    env.step({"move": 1, "price": None})
    market = GpuMarketEnv()
    market.reset(seed=3, options={"world": None, "task": None, "shocks": None, "reward": None})
    assert market.step(with_nulls(ActionForm) | {"action": "wait"})
    table = ArenaParallelEnv()
    table.reset(seed=3, options={"match": None, "persona": None})
    table.step({name: {"move": 3, "price": None, "signal": 0} for name in table.agents})
