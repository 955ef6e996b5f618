"""Models in a process of their own: the same words, and nobody waits for one that is gone."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agents.backends.base import BackendError, Completion, OnText, unheard
from agents.backends.local import remote
from agents.backends.local.backend import LocalBackend
from agents.testing.backends import check_backend
from tests.agents.local.conftest import asha_asks
from tests.support.commands import ROOT
from tests.support.faulty_server import FaultyServer
from tests.support.local_models import when_ready
from tests.support.model_answers import Body, Half, HangUp, Noise, Status
from tests.support.model_process import ModelProcess
from tests.support.waiting import in_time

LONG = 30_000
"""Tokens: seconds of work, on any machine."""
MANY = 24
SOON_S = remote.LOOK_EVERY_S + remote.ANSWERS_WITHIN_S


@pytest.fixture(scope="module")
def process(babbling: Path) -> Iterator[ModelProcess]:
    with ModelProcess(babbling, SAUDA_LOCAL_TIMEOUT_S="60", SAUDA_LOCAL_PATIENCE_S="60") as served:
        yield served


@pytest.fixture(autouse=True)
async def closed(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """After a test nobody looks twice a second whether its server is back."""
    started: list[LocalBackend] = []
    start = LocalBackend.start

    def noted(backend: LocalBackend) -> None:
        started.append(backend)
        start(backend)

    monkeypatch.setattr(LocalBackend, "start", noted)
    yield
    for backend in started:
        await backend.close()


@pytest.fixture(scope="module")
def process_of_endless(endless: Path) -> Iterator[ModelProcess]:
    with ModelProcess(endless, SAUDA_LOCAL_TIMEOUT_S="60", SAUDA_LOCAL_PATIENCE_S="60") as served:
        yield served


async def behind(process: ModelProcess, model: Path, **given: object) -> LocalBackend:
    backend = LocalBackend(str(model), places=(process.place,), timeout_s=60, **given)  # type: ignore[arg-type]
    backend.start()
    await in_time(lambda: backend.state == "ready")
    return backend


async def test_the_contract_holds_there_too(process, babbling):
    await check_backend(await behind(process, babbling), callers=12)


async def test_words_are_those_of_this_process_alone_and_in_company(process, babbling):
    def chats():
        return [asha_asks(n, max_new_tokens=24, temperature=0) for n in range(12)]

    here = await when_ready(LocalBackend(str(babbling), timeout_s=60))
    there = await behind(process, babbling)
    alone = [(await here.complete(chat)).text for chat in chats()]
    together = await asyncio.gather(*(there.complete(chat) for chat in chats()))
    assert [one.text for one in together] == alone
    assert [(await there.complete(chat)).text for chat in chats()[:3]] == alone[:3]
    await here.close()


async def test_pieces_come_before_the_end(process_of_endless, endless):
    heard: list[str] = []
    backend = await behind(process_of_endless, endless)
    completion = await backend.complete(asha_asks(max_new_tokens=3000), heard.append)
    assert len(heard) > 1
    assert "".join(heard) == completion.text


async def test_who_leaves_makes_room(process_of_endless, endless):
    backend = await behind(process_of_endless, endless)
    begun = asyncio.Event()
    long = asha_asks(max_new_tokens=LONG)
    asked = asyncio.create_task(backend.complete(long, lambda _: begun.set()))
    await begun.wait()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert isinstance(await backend.complete(asha_asks(max_new_tokens=4)), Completion)


async def test_a_prompt_that_does_not_fit_is_refused_in_our_words(process, babbling):
    backend = await behind(process, babbling)
    with pytest.raises(BackendError) as refused:
        await backend.complete(asha_asks(max_new_tokens=100_000))
    assert refused.value.code == "prompt-too-long"


async def failing(backend: LocalBackend, hear: OnText = unheard) -> str:
    """Ask until it fails, and give the code."""
    try:
        await backend.complete(asha_asks(max_new_tokens=LONG), hear)
    except BackendError as wrong:
        return wrong.code
    return ""


async def test_killed_in_the_middle_nobody_waits_and_it_comes_back(process_of_endless, endless):
    process = process_of_endless
    backend = await behind(process, endless)
    begun = asyncio.Event()
    asked = [asyncio.create_task(failing(backend, lambda _: begun.set())) for _ in range(MANY)]
    await begun.wait()
    process.kill()
    assert await asyncio.gather(*asked) == ["away"] * MANY
    assert await failing(backend) == "away"
    with pytest.raises(BackendError, match="away"):
        await backend.probe()
    process.start()
    await in_time(lambda: backend.state == "ready")
    assert isinstance(await backend.complete(asha_asks(max_new_tokens=4)), Completion)


async def test_one_that_hangs_lets_go_of_those_who_wait_and_is_asked_again_when_it_goes_on(
    process_of_endless, endless
):
    process = process_of_endless
    backend = await behind(process, endless)
    process.signal(signal.SIGSTOP)
    assert await failing(backend) == "away"
    began = time.monotonic()
    assert await failing(backend) == "away"
    assert time.monotonic() - began < SOON_S
    process.signal(signal.SIGCONT)
    await in_time(lambda: backend.state == "ready")
    assert isinstance(await backend.complete(asha_asks(max_new_tokens=4)), Completion)


async def test_in_a_crowd_only_those_who_would_be_answered_in_time_are_let_in(babbling):
    with ModelProcess(babbling, SAUDA_LOCAL_PATIENCE_S="0.5", SAUDA_LOCAL_BATCH="4") as process:
        backend = await behind(process, babbling)
        # Once the pace is known.
        for _ in range(3):
            await answered(backend, 300)
        began = time.monotonic()
        told = await asyncio.gather(
            *(backend.complete(asha_asks(n, max_new_tokens=300)) for n in range(60)),
            return_exceptions=True,
        )
        took = time.monotonic() - began
        codes = {getattr(one, "code", "answered") for one in told}
        assert codes == {"answered", "shed"}
        assert took < 30
        await answered(backend, 4)


async def answered(backend, most):
    """Ask until there is an answer: half a second of patience is little on a busy machine."""
    for _ in range(100):
        try:
            return await backend.complete(asha_asks(max_new_tokens=most))
        except BackendError:
            await asyncio.sleep(0.2)
    raise AssertionError("nobody was answered in a hundred tries")


async def test_a_process_whose_socket_was_taken_away_ends(babbling):
    with ModelProcess(babbling) as process:
        await asyncio.to_thread(Path(process.place).unlink)
        assert process.process is not None
        assert await asyncio.to_thread(process.process.wait, 60) == 1


async def test_another_model_than_the_one_that_is_meant_is_not_asked(process, scripted):
    backend = LocalBackend(str(scripted), places=(process.place,))
    backend.start()
    await asyncio.sleep(2 * remote.LOOK_EVERY_S)
    with pytest.raises(BackendError):
        await backend.complete(asha_asks())


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Noise(), "away"),
        (Body("<html>busy</html>"), "not-json"),
        (Half(), "away"),
        (HangUp(), "away"),
        (Status(500), "http-500"),
        (Status(503, body='{"error": {"code": "shed"}}'), "shed"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else value,
)
async def test_what_a_server_may_answer_instead(answer, code, babbling):
    with FaultyServer() as server:
        backend = LocalBackend(str(babbling), places=(server.url,))
        backend.start()
        await in_time(lambda: backend.state == "ready")
        server.then(answer)
        with pytest.raises(BackendError) as wrong:
            await backend.complete(asha_asks())
        assert wrong.value.code == code
        assert (await backend.complete(asha_asks())).text


def test_who_asks_there_needs_no_torch():
    program = (
        "import os, sys, django\n"
        "os.environ['SAUDA_MODEL_SERVERS'] = '/nowhere/models'\n"
        "os.environ['SAUDA_LOCAL_MODEL'] = ''\n"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'bazaar_site.settings'\n"
        "import bazaar_site.asgi\n"
        "from agents import asking\n"
        "assert asking.awake(bargains=True)\n"
        "print([name for name in ('torch', 'transformers', 'xllamacpp') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
