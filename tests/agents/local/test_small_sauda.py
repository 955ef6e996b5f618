"""The small model that was trained to buy: asked by the position, heard in rupees, nothing else."""

import asyncio
import json

import msgspec
import pytest

from agents.backends.base import BackendError
from agents.backends.local.backend import LocalBackend
from agents.gates.contract import Call, Settlement, Ticket
from agents.prompts.chats import Chat, Message
from agents.router import Ask, Router
from agents.testing.backends import check_cancel
from agents.text.rounding import people_price
from bazaarbatna.bargain.tells import Tells
from tests.support.local_models import when_ready
from tests.support.positions import a_position
from tests.support.scripted import OpenGates, ScriptedBackend
from tests.support.tiny_sauda import make_sauda

QUESTION = Chat((Message("system", "You judge."), Message("user", "Who bargained better?")))


@pytest.fixture(scope="module")
def small(models):
    backend = LocalBackend(str(models / "sauda-tiny-sft"), batch=8, timeout_s=30)
    asyncio.run(when_ready(backend))
    yield backend
    asyncio.run(backend.close())


def asked(**changes) -> Chat:
    seen = msgspec.structs.replace(a_position((1800, 1650), (1000,)), **changes)
    return Chat((), seen=seen)


async def test_its_answer_comes_out_in_rupees_piece_by_piece(small):
    pieces: list[str] = []
    answer = await small.complete(asked(), pieces.append)
    assert json.loads(answer.text) == {
        "action": "offer",
        "price": 1100,
        "message": "Bhai ₹1,100 de do, Steel tiffin theek hai",
    }
    assert len(pieces) >= 2
    assert "".join(pieces) == answer.text
    assert answer.model.startswith("sauda-tiny:sft@1#")
    assert answer.manner.prompt == "compact-2"


async def test_whoever_does_not_listen_gets_the_same(small):
    pieces: list[str] = []
    heard = await small.complete(asked(), pieces.append)
    assert (await small.complete(asked())).text == heard.text


async def test_it_is_asked_by_the_position_with_its_own_sampling(models, tmp_path):
    folder = make_sauda(
        tmp_path / "cold", name="sauda-tiny:cold", temperature=0.0, top_p=0.5, max_new_tokens=3
    )
    backend = await when_ready(LocalBackend(str(folder)))
    phrased = backend._residents.main.phrase(asked())
    assert (phrased.temperature, phrased.top_p, phrased.max_new_tokens) == (0.0, 0.5, 3)
    assert [message.role for message in phrased.messages] == ["user"]
    assert "asks 1000 917\nbids 556" in phrased.messages[0].content
    assert (await backend.complete(asked())).completion_tokens == 3
    await backend.close()


@pytest.mark.parametrize("tells", [True, False])
async def test_the_card_says_whether_it_is_told_the_tells(tmp_path, tells):
    folder = make_sauda(tmp_path / "m", name="sauda-tiny:blind", tells=tells)
    backend = LocalBackend(str(folder))
    phrased = backend._residents.main.phrase(asked(tells=Tells(verbal_urgency=0.9)))
    assert ("tells none" in phrased.messages[0].content) is not tells
    assert backend.manner(asked()).tells is tells
    await backend.close()


async def test_words_alone_are_asked_for_as_such(small):
    phrased = small._residents.main.phrase(Chat((), seen=a_position(), speak_only=True))
    assert phrased.messages[0].content.endswith("\nsay")


async def test_a_question_that_is_no_bargain_is_refused_at_once(models):
    backend = LocalBackend(str(models / "sauda-tiny-sft"))
    with pytest.raises(BackendError) as refused:
        await backend.complete(QUESTION)
    assert refused.value.code == "only-bargains"
    assert not refused.value.asked
    assert not refused.value.retryable
    # Nobody began to load it for that.
    assert backend.state == "not-started"
    await backend.close()


class Watching(OpenGates):
    """Gates that must not even be asked."""

    def admit(self, call: Call, now: float) -> Ticket:
        assert call.backend != "local"
        return super().admit(call, now)


async def test_the_router_passes_on_without_a_word_and_wakes_nobody(small):
    far = ScriptedBackend("ollama").enqueue("Asha did")
    router = Router([small, far], Watching())
    answer = await router.ask(Ask(QUESTION, "203.0.113.7", asyncio.get_running_loop().time() + 9e9))
    assert (answer.text, answer.passed_over) == ("Asha did", ())
    assert not Router([small], OpenGates()).awake()
    assert Router([small], OpenGates()).awake(bargains=True)


async def test_a_refusal_is_nobodys_fault(models):
    class Forced(LocalBackend):
        """Asked all the same, as by a caller that knows no better."""

        def takes(self, *, bargains: bool, checkpoint: str = "") -> bool:
            return True

    gates = OpenGates()
    backend = Forced(str(models / "sauda-tiny-sft"))
    await Router([backend], gates).ask(Ask(QUESTION, "a", asyncio.get_running_loop().time() + 9e9))
    settled = [settlement for _, settlement in gates.settled]
    assert [(one.code, one.broken, one.cost_microusd) for one in settled] == [
        ("only-bargains", False, 0)
    ]
    assert isinstance(settled[0], Settlement)
    await backend.close()


async def test_many_at_once_each_get_their_own_prices(small):
    asks = [400 + 100 * number for number in range(24)]
    chats = [Chat((), seen=a_position((ask,), budget=0.9 * ask)) for ask in asks]
    answers = await asyncio.gather(*(small.complete(chat) for chat in chats))
    prices = [json.loads(answer.text)["price"] for answer in answers]
    assert prices == [people_price(62 * ask, 100 * ask) / 100 for ask in asks]


async def test_a_cancelled_call_ends_at_once(small):
    await check_cancel(small)


async def test_babble_gives_no_answer_and_no_pieces(tmp_path):
    folder = make_sauda(tmp_path / "babble", name="sauda-tiny:babble", stages=None)
    backend = await when_ready(LocalBackend(str(folder), timeout_s=30))
    pieces: list[str] = []
    answers = [await backend.complete(asked(), pieces.append) for _ in range(10)]
    assert {answer.text for answer in answers} == {""}
    assert "".join(pieces) == ""
    await backend.close()


async def test_a_card_that_cannot_be_read_is_said_in_the_log(tmp_path, settings, caplog):
    folder = make_sauda(tmp_path / "odd", name="sauda-tiny:odd")
    (folder / "sauda.json").write_text('{"format": "sauda@9"}')
    settings.SAUDA_LOCAL = {**settings.SAUDA_LOCAL, "model": str(folder)}
    assert not LocalBackend.from_settings().configured()
    assert "sauda.json cannot be read" in caplog.text
