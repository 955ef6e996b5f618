"""Bots that hang: whoever plays with them gets away within the time of one answer."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from tests.support.bots import halfway, nobody_at, socket_bot
from tests.support.waiting import until
from training.bots import playing, plays, tasks
from training.bots.calling.limits import CallLimits
from training.bots.conversation import Conversation
from training.bots.dealing import Deal
from training.bots.lanes import Moved
from training.bots.models import Bot, Play
from training.bots.moves import Failed
from training.models import Run

ANSWER_S = 1.0
LANES = 16
"""Their questions wait for each other: one after the other they would take 16 s and more."""

Hung = list[dict[str, Any]]
"""Questions that got no answer in time."""


@contextmanager
def hangs_after(answers: int) -> Iterator[tuple[str, Hung]]:
    """A bot behind a WebSocket that greets; gives its address and the questions it hangs over."""
    hung: Hung = []
    released = threading.Event()
    left = threading.Semaphore(answers)

    def answerer(asked: dict[str, Any]) -> object:
        if "hello" in asked:
            return asked
        if left.acquire(blocking=False):
            return halfway(asked)
        hung.append(asked)
        released.wait(60)
        return halfway(asked)

    with socket_bot(answerer) as url:
        try:
            yield url, hung
        finally:
            released.set()


def test_hanging_up_on_a_bot_that_hangs_takes_one_answer_and_not_one_for_every_game() -> None:
    deals = [Deal(n, "x", "single_deal@sampled-1", n) for n in range(LANES)]
    limits = CallLimits(answer_s=ANSWER_S, at_once=LANES, loopback=True)
    with hangs_after(0) as (url, hung), Conversation(url, deals, limits) as conversation:
        until(lambda: bool(hung), every_s=0.01)
        conversation.hang_up()
        heard = [news for news in conversation.news(0.5) if news is not None]
        assert conversation.was_cut_off
        assert len(hung) < LANES
    # Whoever was never asked three times has failed at nothing.
    assert not any(isinstance(one, Moved) and isinstance(one.moves[-1], Failed) for one in heard)


@pytest.mark.parametrize(
    ("answers", "then", "status"),
    [
        pytest.param(0, "over", Run.Status.FAILED, id="without any answer the bot is gone"),
        pytest.param(3, "again", Run.Status.RUNNING, id="after some answers it is asked again"),
    ],
)
def test_a_letter_to_a_bot_that_hangs_ends_in_time(
    brought: Callable[..., Bot],
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    answers: int,
    then: str,
    status: str,
) -> None:
    settings.BOTS = {**settings.BOTS, "answer_s": ANSWER_S, "at_once": LANES}
    monkeypatch.setattr(playing, "TICK_S", 0.05)
    with hangs_after(answers) as (url, hung):
        play = plays.begin_play(brought(url), LANES)
        assert playing.advance(play.pk, while_s=1.5) == then
        # Each takes a second: a letter that waited for every lane would count them all.
        assert len(hung) < LANES
    play = Play.objects.select_related("run").get()
    assert play.held_until is None
    assert play.run.status == status
    assert "too long" in play.run.note or then == "again"


def test_a_letter_that_took_too_long_is_followed_by_another(
    brought: Callable[..., Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    def takes_too_long(*_: object) -> bool:
        raise SoftTimeLimitExceeded

    written: list[dict[str, Any]] = []
    monkeypatch.setattr(playing, "_play", takes_too_long)
    monkeypatch.setattr(
        tasks.play_on, "apply_async", lambda args, **how: written.append({"args": args, **how})
    )
    play = plays.begin_play(brought(nobody_at()), 1)
    tasks.play_on(play.pk)
    (letter,) = written
    assert letter["args"] == (play.pk,)
    assert letter["countdown"] > 0
    assert plays.is_under_way(plays.latest_play(play.bot) or play)


def test_the_limits_of_a_letter_leave_room_for_the_longest_answer() -> None:
    assert tasks.SOFT_S >= playing.WHILE_S + tasks.ANSWER_S
    assert tasks.HARD_S > tasks.SOFT_S + tasks.ANSWER_S
