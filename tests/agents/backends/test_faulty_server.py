"""The scripted server does what it is told, also as a process of its own."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from agents.backends.base import Chat, Message, Refused
from agents.backends.ollama import OllamaBackend
from tests.support.commands import ROOT
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Asked, Say, Status
from tests.support.servers import free_port

CHAT = Chat((Message("user", "200?"),))


@pytest.fixture(scope="module")
def separate() -> Iterator[str]:
    """Address of a scripted server in a process of its own."""
    port = free_port()
    command = [sys.executable, "-m", "tests.support.model_servers", "--port", str(port)]
    with subprocess.Popen(
        [*command, "--say", "namaste"], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert b"127.0.0.1" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def script(url: str, method: str = "GET", body: Any = None) -> Any:
    """Talk to the control path."""
    request = urllib.request.Request(
        f"{url}/script", data=json.dumps(body).encode() if body else None, method=method
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


async def test_a_separate_process_obeys_its_script(separate: str) -> None:
    backend = OllamaBackend(separate, "m")
    assert (await backend.complete(CHAT)).text == "namaste"
    say, refuse = {"type": "say", "text": "theek hai"}, {"type": "status", "status": 503}
    script(separate, "POST", {"always": say, "then": [refuse]})
    with pytest.raises(Refused, match="http-503"):
        await backend.complete(CHAT)
    assert (await backend.complete(CHAT)).text == "theek hai"
    report = script(separate)
    assert [asked["body"]["messages"][0]["content"] for asked in report["asked"]] == ["200?"] * 3
    assert script(separate, "DELETE")["asked"] == []


def test_a_wrong_script_is_told_what_is_wrong(separate: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="400") as refused:
        script(separate, "POST", {"always": {"type": "sing"}})
    assert b"sing" in refused.value.read()
    refused.value.close()


async def test_a_callable_sees_the_question(scripted: FaultyServer) -> None:
    def count(asked: Asked) -> Say:
        return Say(str(len(asked.messages)))

    scripted.answer_with(count)
    scripted.then(Status(500))
    with pytest.raises(Refused):
        await OllamaBackend(scripted.url, "m").complete(CHAT)
    assert (await OllamaBackend(scripted.url, "m").complete(CHAT)).text == "1"


def test_a_taken_port_is_told_at_the_start(scripted: FaultyServer) -> None:
    with pytest.raises(OSError, match="in use"):
        FaultyServer(scripted.port).start()
