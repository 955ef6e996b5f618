"""The market over HTTP, without a server: nothing runs by itself, so any state can be read."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from arena.gpu_market.web import matches
from arena.gpu_market.web.finished import FORMAT, checked
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.web.watching import view_of
from arena.models import MarketMatch
from bazaarbatna.market import ACTION_NAMES, BrokenLog
from bazaarbatna.market.making import ARCHETYPES
from negotiation import limits
from negotiation.errors import UnknownGame
from negotiation.games.visitors import visitor
from negotiation.models import EventRow
from tests.support import callers
from tests.support.callers import refused

pytestmark = pytest.mark.django_db

WAIT = {"action": "wait"}


class Caller(callers.Caller):
    """Somebody who starts and plays markets."""

    def starts(self, **more: object) -> str:
        body = {"task": "market_round", "seed": 8, "pace": 1, **more}
        answer = self.send("/api/market/", body)
        assert answer.status_code == 201, answer.content
        return str(answer.json()["id"])

    def plays(self, **more: object) -> str:
        return self.starts(policy="you", **more)

    def acts(self, match_id: str, action: object, **more: object) -> HttpResponse:
        return self.send(f"/api/market/{match_id}/act/", {"action": action, **more})

    def reads_of(self, match_id: str, part: str = "") -> dict[str, Any]:
        return self.reads(f"/api/market/{match_id}/{part}")

    def plays_out(self, match_id: str) -> None:
        answer = self.acts(match_id, {"action": "finish"})
        assert answer.status_code == 200, answer.content


@pytest.fixture
def asha() -> Caller:
    return Caller()


@pytest.fixture
def chetan() -> Caller:
    return Caller()


def test_a_match_has_an_address_and_a_socket(asha: Caller) -> None:
    answer = asha.send("/api/market/", {"task": "single_trade", "seed": 1, "policy": "you"})
    assert answer.status_code == 201
    opened = answer.json()
    assert opened["ws"] == f"/ws/market/{opened['id']}/"
    assert answer["Location"] == f"/api/market/{opened['id']}/"
    assert MarketMatch.objects.get(pk=opened["id"]).task == "single_trade"


def test_a_person_reads_the_own_affairs_and_nobody_else_reads_the_match(
    asha: Caller, chetan: Caller
) -> None:
    match_id = asha.plays()
    told = asha.reads_of(match_id)
    assert told["audience"] == "lab"
    assert told["you"]["lab"] == "lab_0"
    assert told["you"]["your_turn"] is True
    sealed = MARKET.scenario_of(match_id).sealed
    assert told["you"]["observation"]["budget"] == sealed.budgets[0] / 100
    assert len(told["you"]["observation"]["jobs"]) == 2
    for path in ("", "replay/", "twin/", "rewards/"):
        refused(chetan.client.get(f"/api/market/{match_id}/{path}"), 404, "unknown-game")
    refused(chetan.acts(match_id, WAIT), 404, "unknown-game")


def test_a_spectator_of_a_public_match_sees_it_and_cannot_act(asha: Caller, chetan: Caller) -> None:
    match_id = asha.plays(public=True)
    told = chetan.reads_of(match_id)
    assert (told["audience"], told["you"]) == ("open", None)
    refused(chetan.acts(match_id, WAIT), 403, "no-seat")
    assert match_id in [one["id"] for one in chetan.client.get("/api/market/").json()["now"]]


def test_the_list_shows_no_private_match_and_what_one_is_made_of(asha: Caller) -> None:
    private, over = asha.plays(), asha.starts(pace=0)
    told = asha.client.get("/api/market/").json()
    assert told["now"] == []
    assert [one["id"] for one in told["ended"]] == [over]
    assert private not in json.dumps(told)
    assert "rule_expert" in told["policies"]
    assert told["tasks"] == ["single_trade", "market_round", "coalition_market"]


def test_nothing_sealed_is_in_any_answer_before_the_end(asha: Caller, chetan: Caller) -> None:
    match_id = asha.plays(public=True, seed=987654321987)
    demo = asha.starts(seed=987654321987, task="coalition_market")
    heard = asha.acts(match_id, WAIT).content.decode()
    for who in (asha, chetan):
        for path in (f"/api/market/{match_id}/", f"/api/market/{demo}/", "/api/market/"):
            heard += who.client.get(path).content.decode()
    for name in (match_id, demo):
        scenario = MARKET.scenario_of(name)
        assert scenario.salt not in heard
        assert str(scenario.sealed.seed) not in heard
    assert "987654321987" not in heard
    assert not [one for one in ARCHETYPES if one in heard]


def test_a_person_acts_and_is_told_what_came_of_it(asha: Caller) -> None:
    match_id = asha.plays()
    own = asha.reads_of(match_id)["you"]["observation"]["blocks"][0]["id"]
    answer = asha.acts(match_id, {"action": "reserve_capacity", "block_ids": [own]}, round=0)
    assert answer.status_code == 200
    told = answer.json()
    assert told["you"]["observation"]["last_result"] == {"ok": True, "code": None, "message": ""}
    assert told["standing"]["round"] == 1
    kinds = [frame["event"]["kind"] for frame in told["frames"]]
    assert "reserved" in kinds
    refused(asha.acts(match_id, WAIT, round=0), 409, "not-your-turn")


@pytest.mark.parametrize("name", ACTION_NAMES)
def test_each_of_the_fourteen_actions_comes_through(asha: Caller, name: str) -> None:
    match_id = asha.plays()
    answer = asha.acts(match_id, {"action": name, "message": "Our paper is due soon, help us"})
    assert answer.status_code == 200, answer.content
    turn = next(
        frame["event"]
        for frame in answer.json()["frames"]
        if frame["event"]["kind"] == "turn" and frame["event"]["lab"] == "lab_0"
    )
    assert turn["action"]["action"] == name


@pytest.mark.parametrize(
    "body",
    [
        {"action": {"action": "fly"}},
        {"action": {}},
        {"action": {"action": "wait", "payment": 1e12}},
        {"action": {"action": "wait", "block_ids": "block_0"}},
        {"action": {"action": "send_message", "message": "x" * 501}},
    ],
)
def test_an_action_without_form_is_refused_and_costs_nothing(asha: Caller, body: object) -> None:
    match_id = asha.plays()
    before = EventRow.objects.filter(game=match_id).count()
    refused(asha.send(f"/api/market/{match_id}/act/", body), 422, "bad-action")
    assert EventRow.objects.filter(game=match_id).count() == before


@pytest.mark.parametrize(
    "body", [{}, {"action": "wait"}, {"action": WAIT, "round": "two"}, {"action": WAIT, "x": 1}, []]
)
def test_a_body_that_cannot_be_read_is_refused(asha: Caller, body: object) -> None:
    match_id = asha.plays()
    refused(asha.send(f"/api/market/{match_id}/act/", body), 422, "bad-request")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"task": "sell"}, "bad-market"),
        ({"policy": "me"}, "bad-market"),
        ({"lab": 5}, "bad-market"),
        ({"options": ["emergency_auction"]}, "bad-market"),
        ({"options": ["rain"]}, "bad-request"),
        ({"seed": -1}, "bad-request"),
        ({"seed": 2**60}, "bad-request"),
        ({"pace": -1}, "bad-request"),
        ({"pace": 600}, "bad-request"),
        ({"reward": "mine"}, "bad-request"),
        ({"more": 1}, "bad-request"),
    ],
)
def test_a_market_that_cannot_be_opened_says_why(
    asha: Caller, wanted: dict[str, object], code: str
) -> None:
    body = {"task": "market_round", **wanted}
    assert refused(asha.send("/api/market/", body), 422, code)
    assert not MarketMatch.objects.exists()


def test_considering_costs_nothing(asha: Caller, chetan: Caller) -> None:
    match_id = asha.plays(public=True)
    path = f"/api/market/{match_id}/consider/"
    wrong = {"action": "accept_offer", "offer_id": "offer_1_0_77"}
    told = asha.send(path, {"action": wrong}).json()
    assert (told["ok"], told["code"]) == (False, "unknown_offer")
    assert asha.send(path, {"action": WAIT}).json()["ok"] is True
    refused(asha.send(path, {"action": {"action": "fly"}}), 422, "bad-action")
    refused(chetan.send(path, {"action": WAIT}), 403, "no-seat")
    assert asha.reads_of(match_id)["standing"]["round"] == 0


def test_only_its_starter_paces_a_demo(asha: Caller, chetan: Caller) -> None:
    match_id = asha.starts()
    path = f"/api/market/{match_id}/pace/"
    assert asha.reads_of(match_id)["standing"]["controls"] is True
    assert chetan.reads_of(match_id)["standing"]["controls"] is False
    assert asha.send(path, {"pause": "step"}).json()["turn"] == "lab_1"
    assert asha.send(path, {"pause": False, "pace": 3}).json()["pace"] == 3
    refused(chetan.send(path, {"pause": True}), 403, "no-controls")
    refused(asha.send(path, {"pause": "stop"}), 422, "bad-request")


def test_a_request_of_another_site_changes_nothing(asha: Caller) -> None:
    match_id = asha.plays()
    answer = asha.client.post(
        f"/api/market/{match_id}/act/", {"action": WAIT}, content_type="application/json"
    )
    refused(answer, 403, "csrf")
    assert asha.reads_of(match_id)["standing"]["round"] == 0


def test_an_address_starts_so_many_matches_and_no_more(asha: Caller, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "matches": "2/minute"}
    limits.forget_uses()
    asha.plays()
    asha.plays()
    answer = asha.send("/api/market/", {"task": "single_trade"})
    refused(answer, 429, "rate-limited")
    assert int(answer["Retry-After"]) > 0


def test_a_fifth_demo_under_way_finds_no_room(asha: Caller, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "matches": "100/minute"}
    limits.forget_uses()
    for _ in range(4):
        asha.starts()
    answer = asha.send("/api/market/", {"task": "market_round"})
    refused(answer, 429, "rate-limited")
    assert answer["Retry-After"]
    asha.starts(pace=0)


def test_before_the_end_there_is_no_file_no_twin_and_no_what_if(asha: Caller) -> None:
    match_id = asha.plays()
    for part in ("replay/", "twin/", "rewards/"):
        refused(asha.client.get(f"/api/market/{match_id}/{part}"), 409, "not-over")
    body = {"seq": 4, "action": WAIT}
    refused(asha.send(f"/api/market/{match_id}/fork/", body), 409, "not-over")


def test_after_the_end_everything_is_open_and_carries_the_logs_numbers(asha: Caller) -> None:
    match_id = asha.plays()
    asha.plays_out(match_id)
    told = asha.reads_of(match_id)
    assert (told["audience"], told["phase"], told["seed"]) == ("replay", "ended", 8)
    count = EventRow.objects.filter(game=match_id).count()
    assert [frame["seq"] for frame in told["frames"]] == list(range(1, count + 1))
    assert "opened" in told["frames"][0]["event"]
    refused(asha.acts(match_id, WAIT), 409, "game-over")


def test_the_file_of_a_match_can_be_checked_by_anybody(asha: Caller) -> None:
    match_id = asha.starts(task="coalition_market", pace=0)
    answer = asha.client.get(f"/api/market/{match_id}/replay/")
    file = answer.json()
    assert (file["format"], file["match"]["seed"]) == (FORMAT, 8)
    ended = checked(answer.content).ended
    assert ended is not None
    assert ended.results == MARKET.position_of(matches.find(match_id, "").game).state.ended.results  # type: ignore[union-attr]
    assert next(one["seq"] for one in file["served"]) > 1


@pytest.mark.parametrize("what", ["log", "sealed", "salt", "format", "end", "json"])
def test_a_file_that_was_tampered_with_is_found_out(asha: Caller, what: str) -> None:
    match_id = asha.starts(pace=0)
    file = asha.reads_of(match_id, "replay/")
    match what:
        case "log":
            turn = next(one for one in file["events"] if one["kind"] == "turn")
            turn["round"] += 1
        case "sealed":
            file["scenario"]["sealed"]["budgets"][0] += 1
        case "salt":
            file["scenario"]["salt"] = file["events"][-1]["salt"] = "other"
        case "format":
            file["format"] = "other/1"
        case "end":
            file["events"].pop()
    data = b"{" if what == "json" else json.dumps(file).encode()
    with pytest.raises(BrokenLog):
        checked(data)


def test_a_what_if_is_a_match_of_its_own(asha: Caller, chetan: Caller) -> None:
    match_id = asha.starts(pace=0)
    frames = asha.reads_of(match_id)["frames"]
    turn = next(one for one in frames if one["event"]["kind"] == "turn")
    body = {"seq": turn["seq"], "action": {"action": "finish"}}
    answer = chetan.send(f"/api/market/{match_id}/fork/", body)
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert told["url"] == f"/market/{told['id']}/"
    found = told["difference"]
    assert found["lab"] == "lab_0"
    assert found["n"] == 100
    assert found["low"] <= found["mean"] <= found["high"]
    assert found["exact"] == pytest.approx(found["utility"]["forked"] - found["utility"]["own"])
    child = asha.reads_of(told["id"])
    assert (child["parent"], child["forked_at_seq"]) == (match_id, turn["seq"])
    assert child["frames"][: turn["seq"] - 1] == [
        {**one, "event": {**one["event"]}} for one in frames[: turn["seq"] - 1]
    ]
    assert checked(asha.client.get(f"/api/market/{told['id']}/replay/").content).ended
    assert match_id in [one["id"] for one in asha.client.get("/api/market/").json()["ended"]]
    assert told["id"] not in [one["id"] for one in asha.client.get("/api/market/").json()["ended"]]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"seq": 1, "action": WAIT}, "no-turn"),
        ({"seq": 100_000, "action": WAIT}, "no-turn"),
        ({"seq": 4, "action": {"action": "fly"}}, "bad-action"),
        ({"seq": 0, "action": WAIT}, "bad-request"),
    ],
)
def test_a_what_if_that_cannot_be_is_refused(asha: Caller, body: object, code: str) -> None:
    match_id = asha.starts(pace=0)
    refused(asha.send(f"/api/market/{match_id}/fork/", body), 422, code)
    assert MarketMatch.objects.count() == 1


def test_the_twin_tells_what_shocks_cost_each_lab(asha: Caller) -> None:
    match_id = asha.plays(task="coalition_market")
    asha.plays_out(match_id)
    told = asha.reads_of(match_id, "twin/")
    assert {one["shock"] for one in told["shocks"]} >= {"capacity_failure", "energy_spike"}
    assert told["stand_ins"] == ["lab_0"]
    for lab in told["labs"]:
        assert lab["cost"] == pytest.approx(lab["calm"] - lab["struck"])


def test_the_columns_of_each_step_open_with_the_end(asha: Caller) -> None:
    match_id = asha.starts(pace=0)
    told = asha.reads_of(match_id, "rewards/?lab=1")
    assert told["lab"] == "lab_1"
    assert len(told["columns"]) == 11
    assert [one["round"] for one in told["steps"]] == [0, 1, 2, 3, 4]
    assert all(set(one) == {"seq", "round", *told["columns"]} for one in told["steps"])
    refused(asha.client.get(f"/api/market/{match_id}/rewards/?lab=3"), 422, "bad-market")


def test_pages_get_the_frames_of_whoever_asks(asha: Caller, chetan: Caller) -> None:
    match_id = asha.plays()
    request = RequestFactory().get("/")
    request.session = asha.client.session
    seen = view_of(match_id, visitor(request))
    assert seen.frames == asha.reads_of(match_id)["frames"]
    assert seen.viewer.lab == 0
    request.session = chetan.client.session
    with pytest.raises(UnknownGame):
        view_of(match_id, visitor(request))


def test_an_unknown_match_is_nowhere(asha: Caller) -> None:
    for path in ("nothinghere1/", "nothinghere1/replay/", "nothinghere1/twin/"):
        refused(asha.client.get(f"/api/market/{path}"), 404, "unknown-game")
