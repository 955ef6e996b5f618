"""Who is let in: by what the last answers took, on a clock of the test's own."""

import contextlib
import time
from types import SimpleNamespace

import msgspec
import pytest

from agents.backends.base import BackendError, Chat, Completion, Message, TooSlow
from agents.backends.local.backend import WAYS, LocalBackend
from agents.backends.local.pace import Pace, Patience
from agents.prompts.chats import PLAIN

ASHA = Patience(alone_s=6.0, among_others_s=1.0)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def learnt(clock: Clock, each_s: float) -> Pace:
    """A pace at which an answer takes so long."""
    pace = Pace(clock)
    with pace.taking(ASHA):
        clock.now += each_s
    return pace


def test_a_lone_game_waits_as_long_as_it_has_to(clock):
    pace = learnt(clock, 4.0)
    with pace.taking(ASHA) as within_s:
        assert within_s == ASHA.alone_s


def test_as_many_are_let_in_as_are_answered_in_time(clock):
    pace = learnt(clock, 0.1)
    with contextlib.ExitStack() as stack:
        for number in range(10):
            within_s = stack.enter_context(pace.taking(ASHA))
            assert within_s == (ASHA.among_others_s if number else ASHA.alone_s)
        with pytest.raises(BackendError, match="shed"):
            stack.enter_context(pace.taking(ASHA))
        assert pace.under_way == 10
    assert pace.under_way == 0


def test_a_process_that_is_busy_leaves_less_of_the_time(clock):
    pace = learnt(clock, 0.1)
    late = msgspec.structs.replace(ASHA, late_s=0.75)
    with pace.taking(late) as alone_s:
        assert alone_s == ASHA.alone_s
        with pace.taking(late) as within_s:
            assert within_s == pytest.approx(0.25)
            with pytest.raises(BackendError, match="shed"), pace.taking(late):
                pass
            with pytest.raises(BackendError, match="shed"):
                pace.taking(msgspec.structs.replace(ASHA, late_s=3.0)).__enter__()
            with pace.taking(ASHA):
                pass


def test_one_that_is_late_in_company_was_one_too_many(clock):
    pace = learnt(clock, 0.1)
    with (
        pace.taking(ASHA),
        pytest.raises(BackendError, match="shed") as late,
        pace.taking(ASHA),
    ):
        raise TooSlow
    assert late.value.asked


def test_one_that_is_late_alone_is_too_slow(clock):
    with pytest.raises(TooSlow), Pace(clock).taking(ASHA):
        raise TooSlow


def test_however_slow_it_was_two_are_tried(clock):
    pace = learnt(clock, 100.0)
    with pace.taking(ASHA), pace.taking(ASHA):
        assert pace.under_way == 2


def test_it_follows_a_model_that_becomes_quicker(clock):
    pace = learnt(clock, 0.5)
    for _ in range(40):
        with pace.taking(ASHA):
            clock.now += 0.05
    assert pace.expected_s() < 0.07


def test_one_that_is_refused_at_once_does_not_make_the_model_quick(clock):
    pace = learnt(clock, 0.4)
    with pace.taking(ASHA):
        clock.now += 0.2
        for _ in range(50):
            with pytest.raises(BackendError, match="prompt-too-long"), pace.taking(ASHA):
                raise BackendError("prompt-too-long")
        clock.now += 0.2
    assert pace.each_s == pytest.approx(0.4)


def test_answers_that_end_together_count_their_share(clock):
    pace = Pace(clock)
    for _ in range(60):
        with contextlib.ExitStack() as stack:
            for _ in range(8):
                stack.enter_context(pace.taking(Patience(60, 30)))
            clock.now += 0.8
    assert 0.05 < pace.each_s < 0.2


def test_without_a_second_patience_nobody_is_sent_away(clock):
    pace = learnt(clock, 5.0)
    same = Patience(6.0, 6.0)
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            assert stack.enter_context(pace.taking(same)) == 6.0


def behind(answer, interpreter=lambda *_: None) -> LocalBackend:
    """A backend whose model answers so."""
    backend = LocalBackend("")
    backend._residents.named = lambda name: SimpleNamespace(
        worker=SimpleNamespace(answer=answer),
        manner=PLAIN,
        phrase=lambda chat: chat,
        interpreter=interpreter,
    )
    return backend


async def test_what_a_turn_has_waited_is_taken_from_its_time():
    heard = []

    async def answer(chat, hears, patience):
        heard.append(patience.late_s)
        return Completion("{}", "a model")

    backend = behind(answer)
    asked = Chat((Message("user", "your move"),))
    await backend.complete(asked)
    await backend.complete(msgspec.structs.replace(asked, since=time.monotonic() - 2.0))
    assert heard[0] == 0
    assert heard[1] >= WAYS * 2.0


@pytest.mark.parametrize(("heat", "asked"), [(1.0, [7, 8, 9]), (0.0, [7])])
async def test_who_draws_nonsense_is_asked_again(heat, asked):
    seeds, heard = [], []

    async def answer(chat, hears, patience):
        seeds.append(chat.seed)
        return Completion('{"action": "offer5245, ', "a model")

    backend = behind(answer, lambda chat, hears: SimpleNamespace(hear=hears, whole=str))
    chat = Chat((Message("user", "your move"),), seed=7, temperature=heat)
    assert (await backend.complete(chat, heard.append)).text == ""
    assert seeds == asked
    assert heard == [""] * (len(asked) - 1)


async def test_the_first_that_can_be_read_is_taken():
    said = iter(["", "{}", "never"])

    async def answer(chat, hears, patience):
        return Completion(next(said), "a model")

    chat = Chat((Message("user", "your move"),), temperature=1.0)
    assert (await behind(answer).complete(chat)).text == "{}"
    assert next(said) == "never"
