"""Tells by model: asked only where the operator wants it, within a part of the turn."""

import json
import time

import msgspec
import pytest

from agents import asking
from agents.buyers.live import look_twice
from agents.router import Router
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tells import Tells
from tests.support.positions import a_position
from tests.support.scripted import OpenGates, ScriptedBackend

WORDS = "my landlord has found somebody else for the flat"
FOUND = json.dumps({"urgency": [{"quote": "somebody else for the flat", "score": 0.7}]})


def a_hint() -> BuyerObservation:
    seen = a_position((1800, 1700), (1000,), tells=Tells(verbal_urgency=0.1))
    turn = Turn("seller", 1, "offer", Paise(170000), WORDS)
    return msgspec.structs.replace(seen, turns=(turn,))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, settings: object) -> ScriptedBackend:
    backend = ScriptedBackend("local")
    router = Router([backend], OpenGates())
    monkeypatch.setattr(asking, "router", lambda: router)
    settings.SAUDA_MODEL_TELLS = True  # type: ignore[attr-defined]
    return backend


def urgency(seen: BuyerObservation) -> float:
    assert seen.tells is not None
    assert seen.tells.verbal_urgency is not None
    return seen.tells.verbal_urgency


async def test_a_model_adds_what_the_tables_missed(model: ScriptedBackend) -> None:
    model.enqueue(FOUND)
    looked = await look_twice(a_hint(), "client", time.monotonic() + 5)
    assert urgency(looked) > urgency(a_hint())


async def test_it_is_not_asked_unless_the_operator_wants_it(
    model: ScriptedBackend, settings: object
) -> None:
    settings.SAUDA_MODEL_TELLS = False  # type: ignore[attr-defined]
    assert await look_twice(a_hint(), "client", time.monotonic() + 5) == a_hint()
    assert not model.asked


@pytest.mark.parametrize("answer", ["", "{", "I see nothing", '{"urgency": 7}', "null"])
async def test_nonsense_adds_nothing(model: ScriptedBackend, answer: str) -> None:
    model.enqueue(answer)
    assert await look_twice(a_hint(), "client", time.monotonic() + 5) == a_hint()


async def test_it_takes_only_a_part_of_the_turn(model: ScriptedBackend) -> None:
    model.pause_s = 30
    model.enqueue(FOUND)
    started = time.monotonic()
    assert await look_twice(a_hint(), "client", started + 2) == a_hint()
    assert time.monotonic() - started < 1.6


async def test_own_words_and_silence_are_not_looked_at(model: ScriptedBackend) -> None:
    silent = a_position((1800, 1700), (1000,), tells=Tells())
    assert await look_twice(silent, "client", time.monotonic() + 5) == silent
    own = msgspec.structs.replace(silent, turns=(Turn("buyer", 1, "offer", Paise(100), "hm"),))
    assert await look_twice(own, "client", time.monotonic() + 5) == own
    assert not model.asked
