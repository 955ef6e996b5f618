"""Sauda through a model that does its worst: every promise of the rules is kept in every game."""

from random import Random

import msgspec
import pytest

from agents import asking
from agents.output_guard.coherence import is_plain
from agents.output_guard.secrets import names_secret
from agents.router import Router
from agents.testing.players import SELLERS, a_scenario
from bazaarbatna.bargain.episode import State, apply, say, start
from bazaarbatna.bargain.observe import observe_buyer
from negotiation.policies import Played, Request, policy
from tests.support.hostile_model import HostileModel
from tests.support.promises import assert_kept, assert_sayable
from tests.support.scripted import OpenGates, ScriptedBackend

GAMES = 2_000


async def answer_of(mallory: HostileModel, state: State, *, speak_only: bool) -> Played:
    live = policy("sauda").live
    assert live is not None
    seen = mallory.about = observe_buyer(state)
    whispered: list[str] = []
    request = Request(seen, state.scenario.sealed.seed, "game", "client", speak_only)
    played = await live.turn(request, whispered.append)
    for words in whispered:
        assert is_plain(words)
        assert not names_secret(words, seen.budget)
        assert not any(one.isdigit() for one in words)
    return played


@pytest.mark.parametrize("steer", [True, False])
async def test_two_thousand_games_with_a_hostile_model_break_no_rule(
    monkeypatch: pytest.MonkeyPatch, settings: object, steer: bool
) -> None:
    settings.SAUDA_STEER = steer  # type: ignore[attr-defined]
    mallory = HostileModel(int(steer))
    backend = ScriptedBackend("local", piece=40).enqueue(mallory)
    router = Router([backend], OpenGates())
    monkeypatch.setattr(asking, "router", lambda: router)
    served: dict[str, int] = {}
    for number in range(int(steer), GAMES, 2):
        served_now = await play_one(mallory, number)
        for name in served_now:
            served[name] = served.get(name, 0) + 1
    # Both ways were walked: the model's own moves, and the rules where it gave none.
    assert served["local"] > GAMES / 2
    assert served["rules"] > GAMES / 4


async def play_one(mallory: HostileModel, number: int) -> list[str]:
    dice = Random(number)
    scenario = a_scenario(dice, rounds=dice.choice((1, 2, 5, 10)))
    seller = SELLERS[number % len(SELLERS)]
    state, _ = start(scenario)
    served: list[str] = []
    while state.to_move is not None:
        if state.to_move == "seller":
            state, _ = apply(state, "seller", seller(state, dice))
            continue
        if number % 7 == 0 and state.turns:
            words = await answer_of(mallory, state, speak_only=True)
            assert isinstance(words.answer, str)
            assert_sayable(observe_buyer(state), words.answer)
            state, _ = say(state, "buyer", words.answer)
        played = await answer_of(mallory, state, speak_only=False)
        assert not isinstance(played.answer, str)
        assert_kept(observe_buyer(state), played.answer)
        assert_sayable(observe_buyer(state), played.answer.text)
        # apply() refuses what is illegal: it is the judge here.
        state, _ = apply(state, "buyer", played.answer)
        served.append(played.backend)
    return served


def test_the_hostile_model_really_is_hostile() -> None:
    state, _ = start(a_scenario(Random(1)))
    mallory = HostileModel(1)
    mallory.about = msgspec.structs.replace(observe_buyer(state), budget=3450000)
    answers = [mallory(None) for _ in range(300)]  # type: ignore[arg-type]
    assert any("34500" in one for one in answers)
    assert any("chauntis" in one or "thirty four" in one for one in answers)
