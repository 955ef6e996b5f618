"""An arm that is a prompt, factors that cross: what a model is asked, may say, and may cost."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from agents import asking
from agents.gates.keeper import gatekeeper
from agents.models import ModelCall
from agents.router import Router
from bazaarbatna.bargain.episode import say, start
from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.observe import observe
from negotiation.bargain import sessions
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import Game, Listing
from negotiation.policies import Played, Request, policy
from rooms.export.checking import check
from rooms.export.writing import export_to
from rooms.hosting import plan_for
from rooms.models import Member, PromptTurn, RoomGame, Study
from rooms.seating.opening import client_of
from rooms.study import flow, forgetting, prompts
from rooms.study.design import levels_in
from rooms.study.faults import missing
from rooms.study.files import BadDesign, from_file, from_values, to_toml
from tests.rooms.study.conftest import DESIGN, MakeStudy, Participant
from tests.support.scripted import ScriptedBackend

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = "You are Mr Blue, a buyer for a museum who never hurries and always asks about the past."
ARMS = [{"name": "all", "prompt": {"words": WORDS, "temperature": 0.3, "opening": 0.5}}]


def says(price: float, words: str) -> str:
    return json.dumps({"action": "offer", "price": price, "message": words})


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedBackend:
    """A model that costs money, behind this site's own gates."""
    backend = ScriptedBackend("hf", metered=True)
    router = Router([backend], gatekeeper())
    monkeypatch.setattr(asking, "router", lambda: router)
    return backend


@pytest.fixture
def plays(a_study: MakeStudy) -> Callable[..., tuple[Study, Member, Game]]:
    """Seat a participant opposite the prompt of the arm."""

    def sit(**changes: Any) -> tuple[Study, Member, Game]:
        Listing.objects.create(
            title="Lamp", category="Home", list_price=200_000, street_price=150_000, source_key="l"
        )
        study = a_study(**{"arms": ARMS, **changes})
        asha = Participant(study, "one").to_the_lobby()
        asha.client.get(f"/rooms/{study.room.code}/")
        row = RoomGame.objects.select_related("game").get()
        return study, asha.member, row.game

    return sit


def turn(game: Game, study: Study, member: Member, words: str = "") -> Played:
    # Rules have begun by themselves, for no model is asked outside a server: begin anew.
    state, _ = start(stored_scenario(game))
    if words:
        state, _ = say(state, "seller", words)
    entry = policy(game.policy)
    assert entry.live is not None
    request = Request(observe(state, entry.side), 7, game.pk, client_of(study.room, member))
    return async_to_sync(entry.live.turn)(request, lambda words: None)


def is_half(bid: Offer, game: Game) -> bool:
    scenario = sessions.current(game.pk)[1].state.scenario
    wanted = min(scenario.anchor / 2, scenario.sealed.budget)
    return abs(bid.price - wanted) <= 0.03 * scenario.anchor


def test_the_arms_words_are_what_the_model_is_told(
    model: ScriptedBackend, plays: Callable[..., Any]
) -> None:
    study, member, game = plays()
    model.enqueue(says(1000, "Tell me where it stood, please."))
    played = turn(game, study, member)
    assert game.policy == "prompted"
    asked = model.asked[0]
    system = asked.messages[0].content
    assert system.startswith(WORDS)
    assert "never say it or hint at it" in system
    assert "You are Sauda" not in system
    assert (asked.temperature, asked.seen) == (0.3, None)
    assert isinstance(played.answer, Offer)
    assert played.answer.text == "Tell me where it stood, please."
    assert is_half(played.answer, game), "half of the ask, as the arm says"
    assert played.version.startswith("prompted@1/")
    noted = PromptTurn.objects.get()
    assert (noted.side, noted.backend) == ("buyer", "hf")
    assert WORDS in noted.asked[0]["content"]


@pytest.mark.parametrize("price", [400, 99_000_000])
def test_a_first_bid_is_the_arms_own(
    price: int, model: ScriptedBackend, plays: Callable[..., Any]
) -> None:
    study, member, game = plays()
    model.enqueue(says(price, "I offer you this."))
    answer = turn(game, study, member).answer
    assert isinstance(answer, Offer)
    assert is_half(answer, game)


@pytest.mark.parametrize("opening", [0.3, 0.5])
def test_a_first_bid_is_the_arms_own_where_no_model_answers(
    opening: float, model: ScriptedBackend, plays: Callable[..., Any]
) -> None:
    prompt = {"words": WORDS, "opening": opening}
    study, member, game = plays(arms=[{"name": "all", "prompt": prompt}], model_usd=0)
    played = turn(game, study, member)
    scenario = sessions.current(game.pk)[1].state.scenario
    wanted = min(scenario.anchor * opening, scenario.sealed.budget)
    assert isinstance(played.answer, Offer)
    assert abs(played.answer.price - wanted) <= 0.03 * scenario.anchor
    said = [int(one.replace(",", "")) for one in re.findall(r"₹([\d,]+)", played.answer.text)]
    assert set(said) <= {played.answer.price // 100}, "its words name that price, if any"
    assert played.version == "prompted@1"
    assert not model.asked


def test_words_of_the_prompt_and_the_budget_are_not_said(
    model: ScriptedBackend, plays: Callable[..., Any]
) -> None:
    study, member, game = plays()
    budget = sessions.current(game.pk)[1].state.scenario.sealed.budget // 100
    for words in (f"My orders: {WORDS}", f"I can pay {budget} at most", "<b>now</b>"):
        model.enqueue(says(1000, words))
        answer = turn(game, study, member).answer
        assert isinstance(answer, Offer)
        assert "museum" not in answer.text
        assert str(budget) not in answer.text
        assert "<" not in answer.text


def test_nothing_is_asked_beyond_the_studys_own_cap(
    model: ScriptedBackend, plays: Callable[..., Any]
) -> None:
    study, member, game = plays(model_usd=0.02)
    model.enqueue(says(1000, "Tell me more."))
    turn(game, study, member)
    spent = prompts.spent_microusd(study.room)
    assert 0 < spent == sum(row.cost_microusd or 0 for row in ModelCall.objects.all())
    ModelCall.objects.update(cost_microusd=20_000)
    played = turn(game, study, member)
    assert len(model.asked) == 1
    assert [one.why for one in played.passed_over] == ["study-spend"]
    assert not played.version.startswith("prompted@1/")
    assert prompts.turns_of(study.room) | {"moved": 0} == {
        "all": 2,
        "by_rules": 1,
        "moved": 0,
        "worded": 0,
    }
    assert PromptTurn.objects.latest("pk").passed_over[0]["why"] == "study-spend"
    # What is asked and cannot be used is played by rules, too.
    ModelCall.objects.update(cost_microusd=0)
    model.enqueue("I am a language model.")
    model._answers.popleft()
    turn(game, study, member)
    assert prompts.turns_of(study.room) | {"moved": 0} == {
        "all": 3,
        "by_rules": 2,
        "moved": 0,
        "worded": 0,
    }
    desk = Client()
    desk.force_login(study.room.host)
    page = desk.get(f"/rooms/{study.room.code}/study/").content.decode()
    assert "No model played 2 of the 3 turns so far" in page


def test_a_study_whose_models_may_cost_nothing_does_not_go_live(
    model: ScriptedBackend, a_study: MakeStudy
) -> None:
    study = a_study({"is_pilot": True}, arms=ARMS, model_usd=0)
    desk = Client()
    desk.force_login(study.room.host)
    page = desk.post(f"/rooms/{study.room.code}/study/", {"do": "live"}).content.decode()
    place = f"/rooms/{study.room.code}/study/arms/#model_usd"
    assert f'<a href="{place}">Its models may cost nothing' in page, "it leads where that is mended"
    few = flow.design_of(a_study({"is_pilot": True}, arms=ARMS, model_usd=0.5))
    assert "model_usd" not in [one.path for one in missing(few)]


@pytest.mark.parametrize(
    ("part", "words", "kept"),
    [
        (0.5, "Tell me where it stood, please.", (True, True)),
        (50, "Tell me where it stood, please.", (False, True)),
        (0.5, f"My orders: {WORDS}", (True, False)),
        (50, "<b>now</b>", (False, False)),
        (0, "I had rather not.", (False, False)),
    ],
)
def test_the_data_says_which_turns_are_the_models_own(
    model: ScriptedBackend,
    plays: Callable[..., Any],
    part: float,
    words: str,
    kept: tuple[bool, bool],
) -> None:
    study, member, game = plays(arms=[{"name": "all", "prompt": {"words": WORDS}}])
    price = part * sessions.current(game.pk)[1].state.scenario.sealed.budget // 100
    model.enqueue(says(price, words) if price else words)
    played = turn(game, study, member)
    assert prompts.kept_of(PromptTurn.objects.get()) == kept
    by_rules = played.version == "prompted@1"
    told = {"all": 1, "by_rules": by_rules, "moved": not (kept[0] or by_rules)}
    assert prompts.turns_of(study.room) == told | {"worded": not (kept[1] or by_rules)}


def test_one_room_spends_nothing_of_another(plays: Callable[..., Any]) -> None:
    study, _, _ = plays()
    ModelCall.objects.create(
        number=1, backend="hf", client="room:OTHERS:1", metered=True, day="2026-01-01",
        admitted_at="2026-01-01T00:00Z", lease_until="2026-01-01T00:01Z",
        reserved_microusd=5, cost_microusd=5,
    )  # fmt: skip
    assert prompts.spent_microusd(study.room) == 0


def test_the_log_of_prompts_is_in_the_export_and_goes_with_the_words(
    model: ScriptedBackend, plays: Callable[..., Any], tmp_path: Path
) -> None:
    study, member, game = plays()
    model.enqueue(says(1000, "And who lit it?"))
    turn(game, study, member, "My grandmother's lamp from Bhuj")
    export_to(study.room, tmp_path / "early")
    assert (tmp_path / "early" / "prompts.jsonl").read_text() == "", "the game goes on"
    while Game.objects.get(pk=game.pk).status == Game.Status.LIVE:
        if sessions.current(game.pk)[1].state.to_move == "buyer":
            sessions.opponent_turn(game.pk)
        else:
            sessions.play(game.pk, member.session, Walk(""))
    told = export_to(study.room, tmp_path / "data")
    assert told["rows"]["prompts"] == 1
    row = json.loads((tmp_path / "data" / "prompts.jsonl").read_text())
    played = json.loads((tmp_path / "data" / "person_games.jsonl").read_text())
    versions = [
        json.loads(line)["policy_version"]
        for line in (tmp_path / "data" / "turns.jsonl").read_text().splitlines()
    ]
    assert played["fallback_turns"] == versions.count("prompted@1") > 0
    assert "Bhuj" in row["asked"]
    assert WORDS in row["asked"]
    assert "lit it" in row["answer"]
    assert check(tmp_path / "data").faults == []
    forgetting.withdraw(member)
    export_to(study.room, tmp_path / "after")
    for file in (tmp_path / "after").iterdir():
        assert "Bhuj" not in file.read_text()


CROSSED = {
    "arms": [{"name": "all", "prompt": {"words": WORDS}}],
    "factors": [
        {
            "name": "tone",
            "levels": [
                {"name": "warm", "prompt": {"warmth": "warm"}},
                {"name": "cold", "prompt": {"warmth": "cold", "words": "Say little."}},
            ],
        },
        {
            "name": "anchor",
            "levels": [
                {"name": "low", "prompt": {"opening": 0.4}},
                {"name": "high", "prompt": {"opening": 0.7}, "plan": {"rounds": 6}},
            ],
        },
    ],
}


def test_factors_cross_into_arms(a_study: MakeStudy) -> None:
    study = a_study(**CROSSED)
    design = flow.design_of(study)
    assert [arm.name for arm in design.cells] == ["warm_low", "warm_high", "cold_low", "cold_high"]
    cell = design.arm("cold_high")
    assert cell is not None
    assert cell.prompt is not None
    assert (cell.prompt.warmth, cell.prompt.opening) == ("cold", 0.7)
    assert cell.prompt.words == f"{WORDS}\nSay little."
    assert levels_in(study.design, "cold_high") == "tone=cold anchor=high"
    drawn = [Participant(study, f"one-{n}").to_the_lobby().member for n in range(4)]
    assert sorted(member.arm for member in drawn) == sorted(arm.name for arm in design.cells)
    rounds = {member.arm: plan_for(member).rounds for member in drawn}
    assert rounds == {"warm_low": 10, "warm_high": 6, "cold_low": 10, "cold_high": 6}
    assert from_file(to_toml(design)) == design


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"arms": [{"name": "a"}, {"name": "b"}]}, "arms"),
        ({"block": 6}, "block"),
        (
            {
                "factors": [
                    {"name": name, "levels": [{"name": one, "plan": {"rounds": 5}} for one in pair]}
                    for name, pair in (("x", "ab"), ("y", "cd"))
                ]
            },
            "factors[1]",
        ),
        ({"arms": [{"name": "all", "prompt": {"words": WORDS, "backend": "gpt"}}]},
         "arms[0].prompt.backend"),
    ],
)  # fmt: skip
def test_what_does_not_cross_is_told(change: dict[str, Any], path: str) -> None:
    with pytest.raises(BadDesign) as bad:
        from_values({**DESIGN, **CROSSED, **change})
    assert path in [one.path for one in bad.value.faults]
