"""Hugging Face endpoints: the chat route of a real server, and the older native one."""

from typing import Any

import pytest

from agents.backends.base import Chat, Message, Refused
from agents.backends.hf import CHAT_ROUTE, HfBackend
from agents.testing.backends import check_backend
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Asked, Body, Say, Status
from tests.support.model_servers import TransformersServe

CHAT = Chat(
    (Message("system", "You buy."), Message("user", "200 for the kettle?")),
    max_new_tokens=24,
    seed=7,
)


async def test_a_real_server_answers_in_pieces(babbling_model: TransformersServe) -> None:
    backend = HfBackend(babbling_model.url, model=babbling_model.model, timeout_s=60)
    heard: list[str] = []
    completion = await backend.complete(CHAT, heard.append)
    assert "".join(heard) == completion.text
    assert len(heard) > 5
    assert completion.prompt_tokens is not None
    assert completion.prompt_tokens > 10
    assert completion.completion_tokens == 24
    assert completion.model.startswith(babbling_model.model)


async def test_a_real_server_passes_the_kit(babbling_model: TransformersServe) -> None:
    await check_backend(
        HfBackend(babbling_model.url, model=babbling_model.model, timeout_s=60), callers=3
    )


async def test_a_real_server_shows_signs_of_life(babbling_model: TransformersServe) -> None:
    assert await HfBackend(babbling_model.url).probe() == ""
    assert await HfBackend(babbling_model.url, model="tiny").probe() == "tiny"


async def test_a_real_server_refuses_another_model(babbling_model: TransformersServe) -> None:
    with pytest.raises(Refused, match="http-400"):
        await HfBackend(babbling_model.url, model="mallory/evil").complete(CHAT)


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
async def test_the_address_may_be_typed_in_any_way(scripted: FaultyServer, ending: str) -> None:
    await HfBackend(scripted.url + ending).complete(CHAT)
    assert [asked.path for asked in scripted.asked] == ["/v1/chat/completions"]


async def test_the_request_says_what_the_chat_says(scripted: FaultyServer) -> None:
    await HfBackend(scripted.url, "s3cret", "sauda-8b").complete(CHAT)
    asked = scripted.asked[0]
    assert asked.body == {
        "model": "sauda-8b",
        "messages": [
            {"role": "system", "content": "You buy."},
            {"role": "user", "content": "200 for the kettle?"},
        ],
        "max_tokens": 24,
        "temperature": 0.6,
        "top_p": 0.9,
        "seed": 7,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert asked.headers["authorization"] == "Bearer s3cret"


async def test_what_servers_refuse_is_left_out(scripted: FaultyServer) -> None:
    await HfBackend(scripted.url).complete(Chat(CHAT.messages, temperature=0.0, top_p=1.0))
    asked = scripted.asked[0]
    assert asked.body.keys().isdisjoint({"model", "top_p", "seed"})
    assert "authorization" not in asked.headers


async def test_a_server_that_does_not_stream_is_understood(scripted: FaultyServer) -> None:
    scripted.streams = False
    scripted.always(Say("theek hai"))
    heard: list[str] = []
    completion = await HfBackend(scripted.url).complete(CHAT, heard.append)
    assert (completion.text, heard) == ("theek hai", ["theek hai"])
    assert (completion.prompt_tokens, completion.completion_tokens) == (40, 12)
    assert completion.model == "scripted-1"


async def test_a_stream_under_a_wrong_name_is_understood(scripted: FaultyServer) -> None:
    event = 'data: {"choices": [{"delta": {"content": "ok"}, "finish_reason": "stop"}]}\n\n'
    scripted.always(Body(event, content_type="text/plain"))
    assert (await HfBackend(scripted.url).complete(CHAT)).text == "ok"


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        "many",
        {"prompt_tokens": -1, "completion_tokens": "12"},
        {"prompt_tokens": 10**30},
        {"prompt_tokens": 10**4000},
    ],
)
@pytest.mark.parametrize("streams", [True, False])
async def test_nonsense_about_tokens_breaks_nothing(
    scripted: FaultyServer, usage: Any, streams: bool
) -> None:
    scripted.streams = streams
    scripted.always(Say("ok", usage=usage, finish_reason=17))
    completion = await HfBackend(scripted.url).complete(CHAT)
    assert completion.text == "ok"
    assert completion.prompt_tokens is None
    assert completion.completion_tokens is None


async def test_a_server_without_chat_generates_text_and_this_is_remembered(
    scripted: FaultyServer,
) -> None:
    scripted.missing.add(CHAT_ROUTE)
    scripted.always(Say(" theek hai \nUser: and now I say 100"))
    backend = HfBackend(scripted.url + "/v1", "s3cret")
    heard: list[str] = []
    first = await backend.complete(CHAT, heard.append)
    await backend.complete(CHAT)
    assert first.text == "theek hai"
    assert heard == ["theek hai"]
    assert [asked.path for asked in scripted.asked] == ["/v1/chat/completions", "/", "/"]
    assert scripted.asked[2].headers["authorization"] == "Bearer s3cret"
    assert scripted.asked[2].body == {
        "inputs": "System: You buy.\n\nUser: 200 for the kettle?\n\nAssistant:",
        "parameters": {
            "max_new_tokens": 24,
            "return_full_text": False,
            "stop": ["\nUser:", "\nSystem:", "\nAssistant:"],
            "do_sample": True,
            "top_p": 0.9,
            "seed": 7,
            "temperature": 0.6,
        },
    }


async def test_without_chance_the_native_route_is_told_so(scripted: FaultyServer) -> None:
    scripted.missing.add(CHAT_ROUTE)
    await HfBackend(scripted.url).complete(Chat(CHAT.messages, temperature=0.0))
    parameters = scripted.asked[1].body["parameters"]
    assert parameters["do_sample"] is False
    assert parameters.keys().isdisjoint({"temperature", "top_p"})


@pytest.mark.parametrize("status", [404, 405, 422])
async def test_a_wrong_model_name_is_no_reason_to_give_up_the_chat_route(
    scripted: FaultyServer, status: int
) -> None:
    backend = HfBackend(scripted.url)
    scripted.then(Status(status), Status(400))
    with pytest.raises(Refused, match=f"http-{status}"):
        await backend.complete(CHAT)
    await backend.complete(CHAT)
    assert [asked.path for asked in scripted.asked] == [
        "/v1/chat/completions",
        "/",
        "/v1/chat/completions",
    ]


async def test_a_prompt_given_back_is_not_part_of_the_answer(scripted: FaultyServer) -> None:
    scripted.missing.add(CHAT_ROUTE)

    def echo(asked: Asked) -> Say:
        return Say(asked.body["inputs"] + " 150")

    scripted.answer_with(echo)
    assert (await HfBackend(scripted.url).complete(CHAT)).text == "150"


async def test_a_server_that_lists_no_models_is_asked_for_its_health(
    scripted: FaultyServer,
) -> None:
    assert await HfBackend(scripted.url).probe() == "scripted-1"
    scripted.missing.add("/v1/models")
    assert await HfBackend(scripted.url, model="sauda").probe() == "sauda"
    scripted.missing.add("/health")
    with pytest.raises(Refused, match="http-404"):
        await HfBackend(scripted.url).probe()


def test_without_an_address_it_is_not_configured() -> None:
    assert not HfBackend("  ").configured()
    assert HfBackend("http://127.0.0.1:9").configured()


def test_the_settings_name_it(settings: Any) -> None:
    settings.SAUDA_HF = {"url": "http://h", "token": "t", "model": "m", "timeout_s": 3.0}
    backend = HfBackend.from_settings()
    assert (backend.timeout_s, backend.metered, backend.configured()) == (3.0, True, True)
