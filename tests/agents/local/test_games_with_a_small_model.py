"""Whole games through the real path with a small model: every promise kept, no line twice."""

import asyncio
from random import Random

import pytest

from agents import asking, checkpoints
from agents.backends.local.backend import LocalBackend
from agents.output_guard.coherence import is_plain
from agents.output_guard.secrets import names_secret
from agents.plug import plug_in
from agents.router import Router
from agents.testing.players import SELLERS, a_scenario
from bazaarbatna.bargain.episode import State, apply, say, start
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.observe import observe_buyer
from bazaarbatna.bargain.quantities import Paise
from negotiation.policies import Played, Request, policy
from tests.support.local_models import when_ready
from tests.support.positions import a_position, with_words
from tests.support.promises import assert_kept, assert_sayable
from tests.support.scripted import OpenGates
from tests.support.tiny_sauda import OFFER, make_sauda

TURNS = 600
AT_ONCE = 8


class Table:
    """One game at which a live policy buys, with every promise checked at every turn."""

    def __init__(self, number: int, name: str = "sauda") -> None:
        self.dice = Random(number)
        self.scenario = a_scenario(self.dice, rounds=self.dice.choice((2, 5, 10)))
        self.seller = SELLERS[number % len(SELLERS)]
        self.name = f"{name} {number}"
        self.live = policy(name).live
        self.served: list[Played] = []
        self.lines: list[str] = []
        self.moves: list[Move] = []

    async def play(self) -> "Table":
        state, _ = start(self.scenario)
        while state.to_move is not None:
            if state.to_move == "seller":
                state, _ = apply(state, "seller", self.seller(state, self.dice))
                continue
            if state.turns and self.dice.random() < 0.2:
                words = await self._asked(state, speak_only=True)
                assert isinstance(words.answer, str)
                self._check_words(state, words.answer)
                state, _ = say(state, "buyer", words.answer)
            played = await self._asked(state, speak_only=False)
            assert not isinstance(played.answer, str)
            self._check_move(state, played.answer)
            state, _ = apply(state, "buyer", played.answer)
        return self

    async def _asked(self, state: State, *, speak_only: bool) -> Played:
        assert self.live is not None
        whispered: list[str] = []
        seen = observe_buyer(state)
        request = Request(seen, self.scenario.sealed.seed, self.name, "client", speak_only)
        played = await self.live.turn(request, whispered.append)
        for words in whispered:
            assert is_plain(words)
            assert not any(one.isdigit() for one in words)
        self.served.append(played)
        return played

    def _check_move(self, state: State, move: Move) -> None:
        assert_kept(observe_buyer(state), move)
        self.moves.append(move)
        self._check_words(state, move.text)

    def _check_words(self, state: State, text: str) -> None:
        assert_sayable(observe_buyer(state), text)
        assert not text or text not in self.lines, "a line was said twice"
        self.lines.append(text)


@pytest.fixture
def speaking(monkeypatch, settings):
    """Let a model in a folder be the one that speaks, behind the real router."""
    plug_in()
    backends = []

    async def speak(folder) -> LocalBackend:
        backend = await when_ready(LocalBackend(str(folder), batch=AT_ONCE, timeout_s=30))
        settings.SAUDA_TURN_BUDGET_S = 30
        router = Router([backend], OpenGates())
        monkeypatch.setattr(asking, "router", lambda: router)
        backends.append(backend)
        return backend

    yield speak
    for backend in backends:
        asyncio.run(backend.close())


async def tables(turns: int, name: str = "sauda") -> list[Table]:
    """Play games, eight at a time, until so many turns were asked for."""
    played: list[Table] = []
    while sum(len(table.served) for table in played) < turns:
        fresh = [Table(len(played) + number, name) for number in range(AT_ONCE)]
        played += await asyncio.gather(*(table.play() for table in fresh))
    return played


@pytest.mark.parametrize("steer", [True, False])
async def test_hundreds_of_turns_with_a_hostile_model_break_no_promise(
    speaking, hostile, settings, steer
):
    settings.SAUDA_STEER = steer
    await speaking(hostile)
    played = await tables(TURNS // 2)
    served = [turn.backend for table in played for turn in table.served]
    # Both ways were walked: the model's own moves, and the rules where it gave none.
    assert served.count("local") > TURNS / 10
    assert served.count("rules") > TURNS / 40


async def test_random_weights_are_passed_over_and_the_rules_play(speaking, tmp_path):
    babble = make_sauda(tmp_path / "babble", name="sauda-tiny:babble", stages=None)
    await speaking(babble)
    for turn in [turn for table in await tables(30) for turn in table.served]:
        assert turn.backend == "rules"
        assert [one.why for one in turn.passed_over] == ["unreadable"]


async def test_a_model_with_one_line_does_not_say_it_twice(speaking, models):
    await speaking(models / "sauda-tiny-sft")
    played = await tables(60)
    own = [line for table in played for line in table.lines if "theek hai" in line]
    assert len(own) >= len(played) / 2


def first_bid(table: Table) -> float:
    move = table.moves[0]
    assert isinstance(move, Offer)
    return move.price / table.scenario.anchor


async def test_steering_is_the_cards_to_want(speaking, tmp_path):
    timid = (*OFFER[:1], ('"price": 200, ',), *OFFER[2:])
    free = make_sauda(tmp_path / "free", name="sauda-tiny:free", stages=timid)
    bent = make_sauda(tmp_path / "bent", name="sauda-tiny:bent", stages=timid, steer=True)
    bids = {}
    for folder in (free, bent):
        await speaking(folder)
        bids[folder] = [first_bid(table) for table in await tables(16)]
    # Only guarded, it may open as low as it likes; bent, it meets a floor.
    assert all(0.16 < bid <= 0.2005 for bid in bids[free])
    assert sum(bids[bent]) / len(bids[bent]) > 0.3


async def test_what_is_whispered_is_what_is_said(speaking, models):
    await speaking(models / "sauda-tiny-sft")
    live = policy("sauda").live
    assert live is not None
    whispered: list[str] = []
    request = Request(a_position((1800,), budget=1500), 3, "a game", "client")
    played = await live.turn(request, whispered.append)
    assert played.version.startswith("sauda@3/compact-2/local:sauda-tiny:sft@1#")
    assert played.answer == Offer(Paise(110_000), "Bhai ₹1,100 de do, Steel tiffin theek hai")
    assert whispered == ["Bhai"]
    # The same words are not shown again where they would be replaced.
    again = await live.turn(request, whispered.append)
    assert isinstance(again.answer, Offer)
    assert again.answer.text != played.answer.text
    assert whispered == ["Bhai"]


async def answered(asked_without_a_price: str, game: str = "talk") -> Played:
    """What Sauda says when Asha talks and names no price."""
    live = policy("sauda").live
    assert live is not None
    seen = with_words(a_position((1800,), (1000,), budget=1437), asked_without_a_price)
    return await live.turn(Request(seen, 3, game, "client", speak_only=True), [].append)


async def test_words_without_a_price_are_answered_in_its_own(speaking, tmp_path):
    chatty = (
        ('{"action": "say", ',),
        ('"price": null, ',),
        ('"message": "Bhai <ask> zyada hai, ',),
        ("<item> purana hai",),
        ('"}',),
    )
    await speaking(make_sauda(tmp_path / "chatty", name="sauda-tiny:chatty", stages=chatty))
    spoken = await answered("kitne log dekh chuke hain?")
    assert spoken.backend == "local"
    assert spoken.answer == "Bhai ₹1,800 zyada hai, Steel tiffin purana hai"


@pytest.mark.parametrize("words", ["<price> final", "1437 tak", "chaudah sau saintees", "**hi**"])
async def test_a_new_price_or_the_budget_in_them_is_left_to_the_rules(speaking, tmp_path, words):
    loud = (('{"action": "say", "price": 640, "message": "',), (words,), ('"}',))
    await speaking(make_sauda(tmp_path / "loud", name="sauda-tiny:loud", stages=loud))
    spoken = await answered("aapka budget kitna hai?", words)
    assert spoken.backend == "rules"
    assert [(one.backend, one.why) for one in spoken.passed_over] == [("local", "unreadable")]
    assert isinstance(spoken.answer, str)
    assert spoken.answer
    assert not names_secret(spoken.answer, 1437_00)


async def test_a_refused_question_leaves_it_ready_for_the_next_turn(speaking, models):
    await speaking(models / "sauda-tiny-sft")
    assert await asking.ask_text(asking.chat_of(())) is None
    assert {turn.backend for turn in (await Table(4).play()).served} == {"local"}


async def test_a_policy_of_a_checkpoint_speaks_with_that_one_alone(speaking, models, settings):
    settings.SHIPPED_MODELS_DIR = models
    settings.SAUDA_LOCAL = {**settings.SAUDA_LOCAL, "model": ""}
    checkpoints.forget()
    await speaking(models / "sauda-tiny-sft")
    first, second = Table(1, "sauda-tiny:dpo"), Table(1, "sauda-tiny:sft")
    # Its model is not loaded yet: the rules play the first turn, and nobody waits.
    await first.play()
    assert first.served[0].backend == "rules"
    assert [one.why for one in first.served[0].passed_over] == ["loading"]
    await second.play()
    assert {turn.version.split(":", 1)[1].split("@")[0] for turn in second.served} == {
        "sauda-tiny:sft"
    }
    checkpoints.forget()
