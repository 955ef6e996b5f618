"""Parts of an answer that takes its time are shown; those of a quick one are not."""

import asyncio

import pytest

from agents.buyers import live
from tests.support.positions import a_position

ANSWER = '{"action": "offer", "price": 1100, "message": "Bhai, itna hi hai, dekho na '


@pytest.fixture(autouse=True)
def _as_people_see_it(monkeypatch: pytest.MonkeyPatch, _every_piece_is_looked_at: None) -> None:
    monkeypatch.setattr(live, "SHOWN_AFTER_S", 0.01)


async def test_a_slow_answer_is_shown_in_parts() -> None:
    shown: list[str] = []
    partial = live._PartialText(a_position((1800,), budget=1500), shown.append, ())
    partial.hear(ANSWER[:40])
    partial.hear(ANSWER[40:])
    assert shown == []
    await asyncio.sleep(0.05)
    assert shown
    assert shown[-1].startswith("Bhai")


async def test_an_answer_that_is_there_at_once_is_not() -> None:
    shown: list[str] = []
    partial = live._PartialText(a_position((1800,), budget=1500), shown.append, ())
    partial.hear(ANSWER)
    partial.stop()
    await asyncio.sleep(0.05)
    assert shown == []
