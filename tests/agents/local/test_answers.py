"""What a caller gets, alone and in company."""

import asyncio
import threading

import pytest

from agents.backends.base import BackendError, Chat, Completion, Message, TooSlow, unheard
from agents.backends.local.backend import LocalBackend
from agents.backends.local.pace import Patience
from tests.agents.local.conftest import OBJECT, asha_asks
from tests.support.local_models import when_ready
from tests.support.positions import a_position

FOREVER = 1500
"""Tokens that take a tiny model seconds: long enough to be interrupted."""


async def test_an_answer_ends_with_its_first_object(speaker):
    completion = await speaker.complete(asha_asks())
    assert completion.text == "".join(OBJECT)
    assert completion.model == "scripted"


async def test_without_that_wish_an_answer_ends_with_its_turn(scripted):
    backend = await when_ready(LocalBackend(str(scripted), stop_at_object=False))
    completion = await backend.complete(asha_asks())
    assert completion.text == "".join(OBJECT) + " and more"
    assert completion.completion_tokens == 5
    await backend.close()


async def test_pieces_come_in_order_on_the_askers_own_loop_and_are_the_text(speaker, babbler):
    for backend in (speaker, babbler):
        pieces: list[str] = []
        threads = set()

        def hear(piece: str, pieces: list[str] = pieces, threads: set[int] = threads) -> None:
            pieces.append(piece)
            threads.add(threading.get_ident())

        completion = await backend.complete(asha_asks(3, seed=3), hear)
        assert "".join(pieces) == completion.text
        assert len(pieces) >= 3
        assert threads == {threading.get_ident()}


async def test_eight_of_different_lengths_say_the_same_alone_and_together(babbler):
    chats = [asha_asks(n, temperature=0, max_new_tokens=30 + 9 * n) for n in range(8)]
    alone = [await babbler.complete(chat) for chat in chats]
    together = await asyncio.gather(*map(babbler.complete, chats))
    assert together == alone
    assert [one.completion_tokens for one in together] == [30 + 9 * n for n in range(8)]
    assert len({one.text for one in together}) == 8


async def test_those_who_join_later_change_nothing_for_those_under_way(babbler):
    chats = [asha_asks(n, temperature=0, max_new_tokens=80 - 5 * (n % 9)) for n in range(14)]
    alone = [await babbler.complete(chat) for chat in chats]
    underway: list[asyncio.Task[Completion]] = []
    for chat in chats:
        heard = asyncio.Event()
        task = asyncio.create_task(babbler.complete(chat, lambda _, heard=heard: heard.set()))
        underway.append(task)
        await asyncio.wait((task, asyncio.create_task(heard.wait())), return_when="FIRST_COMPLETED")
    assert await asyncio.gather(*underway) == alone


async def test_a_seed_draws_the_same_words_in_any_company(hostile):
    # Its choices are clear, as a trained model's are: in a babble of random weights two tokens are
    # sooner or later so nearly alike that the order of an addition tells which one a draw meets.
    backend = await when_ready(LocalBackend(str(hostile), timeout_s=30))
    seen = a_position((1800, 1650), (1000,))
    chats = [backend._residents.main.phrase(Chat((), seen=seen, seed=n)) for n in range(24)]
    worker, patience = backend._residents.main.worker, Patience(30, 30)
    alone = [(await worker.answer(chat, unheard, patience)).text for chat in chats]
    asked = (worker.answer(chat, unheard, patience) for chat in chats)
    assert [one.text for one in await asyncio.gather(*asked)] == alone
    assert len(set(alone)) > 8
    await backend.close()


async def test_whoever_leaves_disturbs_nobody(babbler):
    chats = [asha_asks(n, temperature=0, max_new_tokens=60) for n in range(6)]
    alone = [await babbler.complete(chat) for chat in chats]
    leaving = [asyncio.create_task(_until_heard(babbler, n)) for n in range(2)]
    staying = [asyncio.create_task(babbler.complete(chat)) for chat in chats]
    assert await asyncio.gather(*leaving) == [True, True]
    assert await asyncio.gather(*staying) == alone


async def test_a_cancelled_answer_stops_costing(babbling):
    backend = await when_ready(LocalBackend(str(babbling), batch=1, stop_at_object=False))
    assert await _until_heard(backend, 0)
    # With room for one, an answer that went on would keep the next one waiting for seconds.
    assert (await asyncio.wait_for(backend.complete(asha_asks(max_new_tokens=4)), 2)).text
    await backend.close()


async def test_a_late_answer_is_too_slow_and_stops_costing(endless):
    backend = await when_ready(
        LocalBackend(str(endless), batch=1, timeout_s=0.4, stop_at_object=False)
    )
    slow = backend.complete(asha_asks(max_new_tokens=30_000))
    behind = backend.complete(asha_asks(max_new_tokens=30_000))
    first, second = await asyncio.gather(slow, behind, return_exceptions=True)
    assert isinstance(first, TooSlow)
    assert first.asked
    assert isinstance(second, TooSlow)
    assert (await backend.complete(asha_asks(max_new_tokens=4))).completion_tokens == 4
    await backend.close()


async def test_more_than_may_wait_are_turned_away_at_once(babbling):
    backend = await when_ready(LocalBackend(str(babbling), batch=1, stop_at_object=False))
    heard = asyncio.Event()
    long = asha_asks(max_new_tokens=FOREVER)
    underway = [asyncio.create_task(backend.complete(long, lambda _: heard.set()))]
    await heard.wait()
    underway += [asyncio.create_task(backend.complete(asha_asks(n))) for n in range(4)]
    await asyncio.sleep(0)
    with pytest.raises(BackendError) as busy:
        await backend.complete(asha_asks(9))
    assert (busy.value.code, busy.value.asked, busy.value.retryable) == ("busy", False, True)
    for task in underway[:2]:
        task.cancel()
    # Those who gave up make room for others at once.
    assert await asyncio.gather(*underway[2:], backend.complete(asha_asks(9)))
    await backend.close()


async def test_a_prompt_beyond_the_context_is_refused_and_others_are_not(babbler):
    words = Message("user", "last price " * 3000)
    long = asha_asks()
    answers = await asyncio.gather(
        babbler.complete(asha_asks(1)),
        babbler.complete(type(long)((words,))),
        babbler.complete(type(long)((Message("user", "x" * 10_000_000),))),
        babbler.complete(asha_asks(max_new_tokens=2048)),
        return_exceptions=True,
    )
    assert isinstance(answers[0], Completion)
    for refused in answers[1:]:
        assert isinstance(refused, BackendError)
        assert (refused.code, refused.asked) == ("prompt-too-long", False)


def test_callers_on_several_loops_are_served_together(babbler):
    texts: dict[int, str] = {}

    def ask(number: int) -> None:
        chat = asha_asks(number, temperature=0)
        texts[number] = asyncio.run(babbler.complete(chat)).text

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = [asyncio.run(babbler.complete(asha_asks(n, temperature=0))).text for n in range(4)]
    assert [texts[n] for n in range(4)] == alone


async def _until_heard(backend: LocalBackend, number: int) -> bool:
    """Ask for a long answer and leave in the middle of it."""
    heard = asyncio.Event()
    chat = asha_asks(number, max_new_tokens=FOREVER)
    task = asyncio.create_task(backend.complete(chat, lambda _: heard.set()))
    await heard.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return True
