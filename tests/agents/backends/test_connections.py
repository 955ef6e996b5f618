"""Connections are kept, ended at once when nobody waits, and never left behind."""

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable

import pytest

from agents.backends.base import Backend, BadAnswer, Chat, Message, TooSlow, Unreachable
from agents.backends.hf import HfBackend
from agents.backends.ollama import OllamaBackend
from tests.support.faulty_server import FaultyServer
from tests.support.model_answers import Asked, Body, Say, Silence, Status
from tests.support.servers import free_port
from tests.support.waiting import in_time

CHAT = Chat((Message("user", "200 for the kettle?"),))

Make = Callable[[str], Backend]
both = pytest.mark.parametrize(
    "make", [HfBackend, lambda url: OllamaBackend(url, "m")], ids=["hf", "ollama"]
)


@both
async def test_one_connection_serves_call_after_call(scripted: FaultyServer, make: Make) -> None:
    backend = make(scripted.url)
    for _ in range(5):
        await backend.complete(CHAT)
    assert len(scripted.asked) == 5
    assert scripted.connections == 1


@both
async def test_a_connection_with_an_unread_rest_is_not_kept(
    scripted: FaultyServer, make: Make
) -> None:
    backend = make(scripted.url)
    scripted.then(Body("x", times=5_000_000))
    with pytest.raises(BadAnswer):
        await backend.complete(CHAT)
    await backend.complete(CHAT)
    assert scripted.connections == 2


@both
async def test_callers_at_the_same_time_get_their_own_answers(
    scripted: FaultyServer, make: Make
) -> None:
    def echo(asked: Asked) -> Say:
        return Say(f"you said {asked.messages[0]['content']}", pause_s=0.002)

    scripted.answer_with(echo)
    backend = make(scripted.url)
    answers = await asyncio.gather(
        *(backend.complete(Chat((Message("user", str(number)),))) for number in range(40))
    )
    assert [answer.text for answer in answers] == [f"you said {number}" for number in range(40)]
    assert scripted.connections <= 40


@both
@pytest.mark.parametrize("pieces", [0, 2])
async def test_a_cancelled_call_hangs_up_at_once(
    scripted: FaultyServer, make: Make, pieces: int
) -> None:
    scripted.always(Silence(after_pieces=pieces))
    call = asyncio.ensure_future(make(scripted.url).complete(CHAT))
    await in_time(lambda: len(scripted.asked) == 1, within_s=5)
    assert scripted.hang_ups == 0
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await in_time(lambda: scripted.hang_ups == 1, within_s=5)


@both
async def test_a_call_that_is_too_slow_hangs_up(scripted: FaultyServer, make: Make) -> None:
    scripted.always(Silence(after_pieces=1))
    backend = make(scripted.url)
    backend.timeout_s = 0.1
    with pytest.raises(TooSlow):
        await backend.complete(CHAT)
    await in_time(lambda: scripted.hang_ups == 1, within_s=5)


@both
async def test_a_deadline_of_the_caller_is_not_taken_for_our_own(
    scripted: FaultyServer, make: Make
) -> None:
    scripted.always(Silence())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await make(scripted.url).complete(CHAT)


@both
async def test_a_server_that_comes_back_is_found_again(make: Make) -> None:
    with FaultyServer() as server:
        backend = make(server.url)
        await backend.complete(CHAT)
        server.stop()
        with pytest.raises(Unreachable):
            await backend.complete(CHAT)
        server.start()
        await backend.complete(CHAT)


@both
async def test_a_server_that_dies_in_the_middle_cuts_off(make: Make) -> None:
    with FaultyServer() as server:
        server.always(Silence(after_pieces=2))
        call = asyncio.ensure_future(make(server.url).complete(CHAT))
        await in_time(lambda: len(server.asked) == 1, within_s=5)
        await asyncio.to_thread(server.stop)
        with pytest.raises(BadAnswer, match="cut-off"):
            await call


@both
@pytest.mark.parametrize("closing", [True, False])
def test_every_event_loop_has_connections_of_its_own_and_leaves_none(
    scripted: FaultyServer, make: Make, closing: bool
) -> None:
    backend = make(scripted.url)

    async def ask_twice(*, closing: bool = False) -> None:
        await backend.complete(CHAT)
        await backend.complete(CHAT)
        if closing:
            await backend.close()

    for _ in range(3):
        asyncio.run(ask_twice(closing=closing))
    threads = [threading.Thread(target=asyncio.run, args=(ask_twice(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()  # a connection left open would warn now, and warnings are errors here
    assert len(scripted.asked) == 14
    assert scripted.connections == 7


def test_closing_from_one_loop_closes_the_connections_of_another(scripted: FaultyServer) -> None:
    backend = HfBackend(scripted.url)
    asked, closed = threading.Event(), threading.Event()

    async def ask_and_stay() -> None:
        await backend.complete(CHAT)
        asked.set()
        await asyncio.to_thread(closed.wait)
        await backend.complete(CHAT)

    thread = threading.Thread(target=asyncio.run, args=(ask_and_stay(),))
    thread.start()
    asked.wait()
    asyncio.run(backend.close())
    closed.set()
    thread.join()
    assert scripted.connections == 2


@both
def test_a_loop_that_ended_without_a_word_is_forgotten(make: Make) -> None:
    backend = make(f"http://127.0.0.1:{free_port()}")
    ended = weakref.WeakSet[asyncio.AbstractEventLoop]()
    for _ in range(3):
        loop = asyncio.new_event_loop()
        with pytest.raises(Unreachable):
            loop.run_until_complete(backend.complete(CHAT))
        loop.close()
        ended.add(loop)
        del loop
    gc.collect()
    assert len(ended) == 1


@both
async def test_an_answer_does_not_wait_for_a_connection_to_end(
    scripted: FaultyServer, make: Make
) -> None:
    backend = make(scripted.url)
    scripted.then(Silence(after_pieces=99))
    completion = await asyncio.wait_for(backend.complete(CHAT), 2)
    assert completion.text.startswith("one two")
    await in_time(lambda: scripted.hang_ups == 1, within_s=5)
    await backend.complete(CHAT)


@both
async def test_a_closed_backend_can_be_asked_again(scripted: FaultyServer, make: Make) -> None:
    backend = make(scripted.url)
    await backend.complete(CHAT)
    await backend.close()
    await backend.complete(CHAT)
    assert scripted.connections == 2


@both
async def test_no_proxy_of_the_environment_is_asked(
    scripted: FaultyServer, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    await make(scripted.url).complete(CHAT)


@both
async def test_nobody_is_asked_twice(scripted: FaultyServer, make: Make) -> None:
    scripted.always(Status(503))
    with pytest.raises(Exception, match="http-503"):
        await make(scripted.url).complete(CHAT)
    assert len(scripted.asked) == 1
