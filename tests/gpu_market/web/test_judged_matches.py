"""Matches before a judge: what is stored, who is told what, and a model that has a say in it."""

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.template.defaultfilters import floatformat
from django.test import Client

from agents import asking
from agents.backends.hf import HfBackend
from agents.router import Router
from arena.gpu_market.web import judge_rulings, matches, orders, players
from arena.gpu_market.web.errors import BadMarket
from arena.gpu_market.web.finished import checked, document, reward_steps
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.web.judge_rulings import Position
from arena.gpu_market.web.visibility import Facts, Frame, Viewer, shown
from arena.gpu_market.web.watching import view_of
from arena.models import MarketMatch
from bazaarbatna.market import MarketAction, make_market, play_market
from bazaarbatna.market.judging import Hearing, judged_rounds, pitch_every_round
from bazaarbatna.market.making import ARCHETYPES
from bazaarbatna.market.planner import ceiling
from bazaarbatna.market.policies.registry import SPEAKERS, make_policy
from bazaarbatna.market.quantities import LAB_IDS
from tests.support.faulty_server import FaultyServer
from tests.support.gpu_market import marked
from tests.support.markets import a_market, a_persons_market, plays_out, where
from tests.support.model_answers import Answer, Asked, Say, Status
from tests.support.scripted import OpenGates
from tests.support.visitors import a_visitor

pytestmark = pytest.mark.django_db

TRUE = "We need 3 GPU-hours."
LABS = ("lab_0", "lab_1", "lab_2")


@pytest.fixture(autouse=True)
def read_from_the_log() -> Iterator[None]:
    """Nothing is kept from one test to the next."""
    MARKET.positions.forget_all()
    yield
    MARKET.positions.forget_all()


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    """A model that gives every lab 0.6."""

    def kind(asked: Asked) -> Answer:
        return Say(json.dumps({"scores": dict.fromkeys(LABS, 0.6), "remark": "Clear."}))

    with FaultyServer() as server:
        server.answer_with(kind)
        yield server


def behind(server: FaultyServer) -> Router:
    return Router([HfBackend(server.url, "hf_of-asha-1234567890", "judge-1", 5.0)], OpenGates())


def read(match: MarketMatch) -> MarketMatch:
    return MarketMatch.objects.select_related("game").get(pk=match.pk)


def hearings_in(frames: list[Frame]) -> list[dict[str, Any]]:
    return [frame["event"]["hearing"] for frame in frames if "hearing" in frame["event"]]


def test_a_judged_demo_shows_each_round_as_the_log_alone_gives_it() -> None:
    match = a_market(policy="honest_pitcher", judge_mode="rule", pace_s=0)
    position = where(match)
    rounds = judged_rounds(position.state.scenario, position.events)
    told = hearings_in(view_of(match.pk, "").frames)
    assert len(told) == len(rounds) == 5
    for one, judged in zip(told, rounds, strict=True):
        assert (one["round"], one["winner"]) == (judged.hearing.round, judged.hearing.winner)
        assert [lab["score"] for lab in one["labs"]] == [
            heard.card.score for heard in judged.hearing.labs
        ]
        assert [lab["bonus"] for lab in one["labs"]] == list(judged.bonuses)
    assert read(match).hearings == []


def test_the_market_is_the_same_with_and_without_a_judge() -> None:
    plain = a_market(policy="pitching_expert", pace_s=0)
    judged = a_market(policy="pitching_expert", judge_mode="rule", pace_s=0)
    assert where(plain).events == where(judged).events
    assert hearings_in(view_of(plain.pk, "").frames) == []
    assert "judge" not in view_of(plain.pk, "").frames[0]["event"]
    assert view_of(judged.pk, "").frames[0]["event"]["judge"] == "rule"


def test_findings_reach_their_lab_while_it_is_live_and_everybody_at_the_end() -> None:
    match = a_persons_market(judge_mode="rule", public=True, seed=1)
    matches.act(match.pk, "asha", MarketAction("make_pitch", message=TRUE))
    (mine,), (open_,) = (hearings_in(view_of(match.pk, who).frames) for who in ("asha", "bilal"))
    assert [set(lab) - {"lab", "text", "to", "score", "so_far"} for lab in mine["labs"]] == [
        {"claims", "parts", "bonus"},
        set(),
        set(),
    ]
    assert mine["labs"][0]["claims"][0]["words"] == "3 GPU-hours"
    assert not [lab for lab in open_["labs"] if set(lab) & {"claims", "parts", "bonus"}]
    assert open_["labs"][0]["text"] == TRUE
    assert not {"fallback", "remark"} & (set(mine) | set(open_))
    plays_out(match)
    ended = hearings_in(view_of(match.pk, "bilal").frames)[0]
    assert all({"claims", "parts", "bonus"} <= set(lab) for lab in ended["labs"])


def test_words_for_one_lab_are_told_to_no_spectator() -> None:
    match = a_persons_market(judge_mode="rule", public=True)
    secret = "Between the two of us: we need 3 GPU-hours."
    action = MarketAction("counter_pitch", target_lab_id="lab_1", message=secret)
    matches.act(match.pk, "asha", action)
    mine, open_ = (json.dumps(view_of(match.pk, who).frames) for who in ("asha", "bilal"))
    assert secret in mine
    assert secret not in open_
    assert '"hearing"' in open_


@pytest.mark.parametrize("number", range(6))
def test_no_private_number_of_another_lab_is_in_a_live_frame(number: int) -> None:
    scenario = marked(make_market("market_round", number))
    _, log = play_market(scenario, {0: pitch_every_round, 2: make_policy("pitching_expert", 0)})
    rounds = judged_rounds(scenario, log)
    seats = ("person", "archetype", "person")
    facts = Facts(scenario, seats, "m", "rule", rounds)
    demo = Facts(scenario, ("honest_pitcher", "archetype", "honest_pitcher"), "m", "rule", rounds)
    live = list(enumerate(log[:-1], start=1))
    views = [(demo, Viewer("open")), *((facts, Viewer("lab", lab)) for lab in range(3))]
    for whose, viewer in (*views, (facts, Viewer("open"))):
        text = json.dumps(shown(live, whose, viewer))
        assert '"hearing"' in text
        assert not [name for name in ARCHETYPES if name in text]
        for lab, row in enumerate(scenario.sealed.jobs):
            if viewer.me == LAB_IDS[lab]:
                continue
            hidden = {str(scenario.sealed.budgets[lab] / 100)}
            for job in row:
                hidden |= {str(job.base_value / 100), str(job.urgency), str(job.min_reliability)}
            assert not [value for value in hidden if value in text]


def test_rewards_report_the_bonus_and_sum_to_true_utility_without_it() -> None:
    for mix in ("default", "published"):
        match = a_market(policy="honest_pitcher", judge_mode="rule", pace_s=0, reward=mix)
        steps = reward_steps(match, 0)["steps"]
        scenario = where(match).state.scenario
        rounds = judged_rounds(scenario, where(match).events)
        assert [one["judge_argument"] for one in steps] == [one.bonuses[0] for one in rounds]
        total = sum(one["normalized_reward"] for one in steps)
        if mix == "default":
            ended = where(match).state.ended
            assert ended is not None
            penalties = sum(one["spam_penalty"] for one in steps)
            utility = ended.results[0].utility / max(ceiling(scenario, 0), 1000)
            assert total == pytest.approx(utility + penalties)
        assert {one["judge_argument"] for one in reward_steps(match, 1)["steps"]} == {0}


def test_a_model_is_asked_once_a_round_and_its_word_is_kept(server: FaultyServer) -> None:
    with asking.through(behind(server)):
        match = a_market(policy="honest_pitcher", judge_mode="model", seed=1)
        plays_out(match)
    kept = read(match).hearings
    asked = len(server.asked)
    assert 0 < asked <= len(kept) == 5
    told = hearings_in(view_of(match.pk, "").frames)
    assert told[0]["judge"] == "scripted-1"
    assert told[0]["remark"] == "Clear."
    assert told[0]["labs"][0]["parts"]["opinion"] != 0
    assert len(server.asked) == asked
    assert document(read(match))["hearings"][0]["hearing"]["judge"] == "scripted-1"
    assert checked(json.dumps(document(read(match))).encode()).ended is not None


def test_before_the_end_a_models_remark_is_read_by_nobody(server: FaultyServer) -> None:
    with asking.through(behind(server)):
        match = a_persons_market(judge_mode="model", public=True, seed=1)
        matches.act(match.pk, "asha", MarketAction("make_pitch", message=TRUE))
        for who in ("asha", "bilal"):
            frames = view_of(match.pk, who).frames
            assert hearings_in(frames)[0]["judge"] == "scripted-1"
            assert "Clear." not in json.dumps(frames)


def test_where_a_model_fails_the_rule_judges_and_a_dead_one_is_given_up(
    server: FaultyServer,
) -> None:
    server.always(Status(500))
    with asking.through(behind(server)):
        match = a_market(policy="honest_pitcher", judge_mode="model", seed=1)
        plays_out(match)
    position = where(match)
    rule = judged_rounds(position.state.scenario, position.events)
    told = hearings_in(view_of(match.pk, "").frames)
    assert [one["winner"] for one in told] == [one.hearing.winner for one in rule]
    why = [one["fallback"] for one in read(match).hearings]
    assert why[:2] == ["hf: http-500", "hf: http-500"]
    assert len(server.asked) <= 3


def test_a_what_if_keeps_what_was_heard_before_its_turn(server: FaultyServer) -> None:
    with asking.through(behind(server)):
        match = a_market(policy="honest_pitcher", judge_mode="model", seed=1)
        plays_out(match)
    own = [
        (seq, event)
        for seq, event in enumerate(where(match).events, start=1)
        if type(event).__name__ == "TurnTaken" and not event.scripted
    ]
    seq, turn = own[2]
    asked = len(server.asked)
    child = matches.fork_match(match.pk, seq, MarketAction("wait"), "asha", pairs=2)
    assert turn.round == 2
    assert len(server.asked) == asked
    before, after = read(match).hearings, read(child).hearings
    assert after == before[:2]
    judges = [one["judge"] for one in hearings_in(view_of(child.pk, "asha").frames)]
    assert judges[:2] == ["scripted-1", "scripted-1"]
    assert set(judges[2:]) == {"rule"}


def test_while_others_wait_for_the_model_the_rule_judges(server: FaultyServer) -> None:
    with asking.through(behind(server)):
        match = a_persons_market(judge_mode="model", seed=1)
        with judge_rulings.AT_ONCE, judge_rulings.AT_ONCE:
            matches.act(match.pk, "asha", MarketAction("make_pitch", message=TRUE))
        assert [one["fallback"] for one in read(match).hearings] == ["busy"]
        assert not server.asked
        matches.act(match.pk, "asha", MarketAction("make_pitch", message=TRUE))
        assert [one["fallback"] for one in read(match).hearings] == ["busy", ""]


@pytest.mark.django_db(transaction=True)
async def test_who_waits_for_the_model_holds_up_no_other_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[str] = []
    asked, verdict = threading.Semaphore(0), threading.Event()

    class Slow:
        def __init__(self, ask: object, *, most_calls: int) -> None:
            pass

        def __call__(self, hearing: Hearing) -> Hearing:
            threads.append(threading.current_thread().name.partition("_")[0])
            asked.release()
            verdict.wait(30)
            return hearing

    monkeypatch.setattr(judge_rulings, "ModelJudge", Slow)
    monkeypatch.setattr(orders, "can_ask_a_model", lambda: True)
    pitch = MarketAction("make_pitch", message=TRUE)

    async def pitches(judge: str) -> Position:
        match = await asyncio.to_thread(a_persons_market, judge_mode=judge, seed=1)
        return await players.think(match.pk, matches.act, match.pk, "asha", pitch)

    waiting = [asyncio.create_task(pitches("model")) for _ in range(2)]
    for _ in waiting:
        assert await asyncio.to_thread(asked.acquire, timeout=30)
    for judge in ("model", "rule"):
        assert (await pitches(judge)).state.round == 1
    assert not any(one.done() for one in waiting)
    verdict.set()
    await asyncio.gather(*waiting)
    assert threads == ["court", "court"]


def test_a_market_that_is_played_at_once_does_not_wait_for_a_model(server: FaultyServer) -> None:
    with asking.through(behind(server)), pytest.raises(BadMarket) as refused:
        a_market(policy="honest_pitcher", judge_mode="model", pace_s=0)
    assert refused.value.field == "pace"
    assert not server.asked


def test_without_a_model_none_can_be_chosen() -> None:
    with asking.through(Router([], OpenGates())), pytest.raises(BadMarket) as refused:
        a_market(judge_mode="model")
    assert refused.value.field == "judge_mode"


def test_the_api_opens_a_court_and_names_it(server: FaultyServer) -> None:
    asha = a_visitor()

    def opens(**wanted: object) -> Any:
        body = {"task": "market_round", "seed": 1, "pace": 0, **wanted}
        return asha.post("/api/market/", json.dumps(body), content_type="application/json")

    with asking.through(Router([], OpenGates())):
        assert opens(judge_mode="harsh").status_code == 422
        refused = opens(judge_mode="model")
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad-market")
        answer = opens(judge_mode="rule", policy="honest_pitcher")
    told = asha.get(f"/api/market/{answer.json()['id']}/").json()
    assert told["judge_mode"] == "rule"
    assert len(hearings_in(told["frames"])) == 5


@pytest.mark.parametrize("name", SPEAKERS)
def test_whoever_speaks_can_play_a_demo(name: str) -> None:
    match = a_market(policy=name, judge_mode="rule", pace_s=0, task="coalition_market", seed=1)
    assert hearings_in(view_of(match.pk, "").frames)


def started(client: Client, **fields: str) -> str:
    body = {"task": "market_round", "seed": "1", "policy": "you", **fields}
    answer = client.post("/market/", body)
    assert answer.status_code == 302, answer.content[-300:]
    return str(answer["Location"])


def test_the_page_tells_a_player_what_it_could_say_and_what_came_of_it() -> None:
    asha, chetan = a_visitor(), a_visitor()
    address = started(asha, judge_mode="rule")
    html = asha.get(address).content.decode()
    assert "Nobody has pitched yet" in html
    assert "<q>We need 2 GPU-hours, due in round 3" in html
    words = "We need 2 GPU-hours, due in round 3, at a reliability of at least 0.76. Urgent!"
    answer = asha.post(
        f"{address}act/", {"action": "make_pitch", "message": words, "round": "0"}, follow=True
    )
    html = answer.content.decode()
    for shown_ in ("Before the judge", "Round 1: Aravalli Lab", "it is so", "bonus", words):
        assert shown_ in html, shown_
    assert html.count("findings") == 1
    assert "Its urgency is 1.08" in html  # the next job is proposed now
    assert chetan.get(address).status_code == 404


def test_a_market_without_a_judge_has_no_court() -> None:
    asha = a_visitor()
    html = asha.get(started(asha)).content.decode()
    assert "Before the judge" not in html
    assert "A judge hears pitches" not in html


def test_the_form_offers_a_model_where_there_is_one(server: FaultyServer) -> None:
    asha = a_visitor()
    with asking.through(Router([], OpenGates())):
        html = asha.get("/market/tasks/").content.decode()
        assert 'value="rule"' in html
        assert 'value="model"' not in html
        body = {"task": "market_round", "seed": "1", "policy": "you", "judge_mode": "model"}
        assert asha.post("/market/", body).status_code == 422
    with asking.through(behind(server)):
        assert 'value="model"' in asha.get("/market/tasks/").content.decode()


def test_the_front_page_shows_that_keywords_win_nothing_and_truth_does() -> None:
    from arena.gpu_market.web.front import judge_example

    example = judge_example()
    words, true, false = example["tries"]
    assert words.score == 0
    assert not words.claims
    assert {finding for _, finding, _ in true.claims} == {"true"}
    assert "false" in {finding for _, finding, _ in false.claims}
    assert true.bonus > 0 > words.bonus > false.bonus
    html = a_visitor().get("/market/judge/").content.decode()
    for session in example["sessions"]:
        assert session.reason in html
        for voice in session.voices:
            assert voice.text in html
            assert f'<span class="number">{floatformat(voice.score, 3)}</span>' in html
    assert len(example["sessions"]) == 3
