"""The token of an endpoint is in its header and nowhere else."""

import logging
import traceback

import pytest

from agents.backends.base import BackendError, Chat, Message, Unreachable
from agents.backends.hf import HfBackend
from agents.backends.ollama import OllamaBackend
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Body, HangUp, Noise, Say, Silence, Status

TOKEN = "hf_Chetan-must-never-see"
CHAT = Chat((Message("user", "200?"),))


@pytest.mark.parametrize(
    "answer",
    [Say("ok"), Status(401), Silence(), HangUp(), Noise(), Body("{}"), Body("x", times=10**6)],
    ids=str,
)
async def test_no_log_and_no_error_names_the_token(
    scripted: FaultyServer, caplog: pytest.LogCaptureFixture, answer: Say
) -> None:
    scripted.always(answer)
    backend = HfBackend(scripted.url, TOKEN, timeout_s=0.2)
    told = ""
    with caplog.at_level(logging.DEBUG):
        try:
            await backend.complete(CHAT)
        except BackendError as error:
            told = "".join(
                traceback.TracebackException.from_exception(error, capture_locals=True).format()
            )
    assert scripted.asked[0].headers["authorization"] == f"Bearer {TOKEN}"
    logged = caplog.text + "".join(repr(record.__dict__) for record in caplog.records)
    assert TOKEN not in logged + told + repr(backend) + str(backend)


async def test_a_password_in_the_address_is_a_secret_too(scripted: FaultyServer) -> None:
    backend = HfBackend(scripted.url.replace("//", f"//asha:{TOKEN}@"))
    await backend.complete(CHAT)
    assert scripted.asked[0].headers["authorization"].startswith("Basic ")
    assert TOKEN not in repr(backend)
    assert TOKEN not in repr(OllamaBackend(f"http://asha:{TOKEN}@ollama.test", "m"))


@pytest.mark.parametrize("token", ["two\nlines", "a b", "टोकन", "\x00"])
async def test_a_token_that_no_header_can_carry_is_told_without_naming_it(
    scripted: FaultyServer, token: str
) -> None:
    with pytest.raises(Unreachable, match=r"^bad-token$") as fault:
        await HfBackend(scripted.url, token).complete(CHAT)
    assert fault.value.__cause__ is None
    assert scripted.connections == 0


async def test_blanks_around_a_token_do_not_matter(scripted: FaultyServer) -> None:
    await HfBackend(scripted.url, f" {TOKEN}\n").complete(CHAT)
    assert scripted.asked[0].headers["authorization"] == f"Bearer {TOKEN}"
