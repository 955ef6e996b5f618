"""Ollama, by a server that speaks its API."""

from typing import Any

import pytest

from agents.backends.base import BackendError, BadAnswer, Chat, Message
from agents.backends.ollama import OllamaBackend
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Body, Say

CHAT = Chat((Message("user", "200 for the kettle?"),), max_new_tokens=24, seed=7)


async def test_it_answers_in_pieces_with_counts(scripted: FaultyServer) -> None:
    scripted.always(Say("theek hai, 170"))
    heard: list[str] = []
    completion = await OllamaBackend(scripted.url, "scripted-1").complete(CHAT, heard.append)
    assert completion.text == "theek hai, 170" == "".join(heard)
    assert len(heard) == 5
    assert completion.model == "scripted-1"
    assert (completion.prompt_tokens, completion.completion_tokens) == (40, 12)


@pytest.mark.parametrize("ending", ["", "/", "/api", "/api/chat"])
async def test_the_request_says_what_the_chat_says(scripted: FaultyServer, ending: str) -> None:
    await OllamaBackend(scripted.url + ending, "llama3.1").complete(CHAT)
    assert scripted.asked[0].path == "/api/chat"
    assert scripted.asked[0].body == {
        "model": "llama3.1",
        "messages": [{"role": "user", "content": "200 for the kettle?"}],
        "stream": True,
        "format": "json",
        "think": False,
        "keep_alive": "30m",
        "options": {"num_predict": 24, "temperature": 0.6, "top_p": 0.9, "seed": 7},
    }


async def test_a_server_that_does_not_stream_is_understood(scripted: FaultyServer) -> None:
    scripted.streams = False
    scripted.always(Say("theek hai"))
    assert (await OllamaBackend(scripted.url, "m").complete(CHAT)).text == "theek hai"


async def test_one_line_without_an_end_is_understood(scripted: FaultyServer) -> None:
    scripted.always(Body('{"message": {"content": "ok"}, "done": true}'))
    assert (await OllamaBackend(scripted.url, "m").complete(CHAT)).text == "ok"


@pytest.mark.parametrize("usage", [None, [], "many", {"prompt_tokens": -1}, 10**30, 10**4000])
async def test_nonsense_about_tokens_breaks_nothing(scripted: FaultyServer, usage: Any) -> None:
    scripted.always(Say("ok", usage=usage, finish_reason=17))
    completion = await OllamaBackend(scripted.url, "m").complete(CHAT)
    assert completion.text == "ok"
    assert completion.prompt_tokens is None


async def test_the_last_line_need_not_say_anything(scripted: FaultyServer) -> None:
    scripted.always(Body('{"message": {"content": "ok"}}\n\n{"done": true}\n'))
    assert (await OllamaBackend(scripted.url, "m").complete(CHAT)).text == "ok"


async def test_an_error_in_the_middle_is_an_error(scripted: FaultyServer) -> None:
    line = '{"message": {"content": "ok"}}\n{"error": "model runner stopped"}\n'
    scripted.always(Body(line))
    with pytest.raises(BadAnswer, match="error-in-answer"):
        await OllamaBackend(scripted.url, "m").complete(CHAT)


async def test_the_probe_looks_for_our_model(scripted: FaultyServer) -> None:
    assert await OllamaBackend(scripted.url, "scripted-1").probe() == "scripted-1"
    assert await OllamaBackend(scripted.url, "scripted-1:latest").probe() == "scripted-1:latest"
    with pytest.raises(BackendError, match="model-missing") as missing:
        await OllamaBackend(scripted.url, "llama3.1").probe()
    assert not missing.value.retryable


def test_the_settings_name_it(settings: Any) -> None:
    settings.SAUDA_OLLAMA = {"url": "", "model": "m", "timeout_s": 3.0}
    backend = OllamaBackend.from_settings()
    assert (backend.timeout_s, backend.metered, backend.configured()) == (3.0, False, False)
