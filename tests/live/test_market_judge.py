"""A judged market behind a real Daphne: verdicts over the socket, and what they may not tell."""

from typing import Any

import httpx

from bazaarbatna.envs.openenv.market import PREFIX
from bazaarbatna.market.judging import judged_rounds
from bazaarbatna.market.making import ARCHETYPES
from tests.live.test_market import WAIT, acts, as_stored, at, starts, until_round
from tests.support.people import Line, Visitor
from tests.support.servers import Site

TRUE = "Our reputation is 0.65, as everybody can see."


def hearings(line: Line) -> list[dict[str, Any]]:
    return [f["event"]["hearing"] for f in line.events if "hearing" in f["event"]]


async def test_a_pitch_is_judged_for_everybody_and_explained_to_its_lab(
    asha: Visitor, chetan: Visitor
) -> None:
    match_id = starts(asha, policy="you", public=True, judge_mode="rule", seed=515151515151)
    asha.heard.clear()
    chetan.heard.clear()
    async with at(asha, match_id) as seat, at(chetan, match_id) as line:
        for one in (seat, line):
            await one.send("sync")
        await seat.hear_type("you")
        secret = "For lab one alone: we need 3 GPU-hours."
        counter = {"action": "counter_pitch", "target_lab_id": "lab_1", "message": secret}
        for round_, action in enumerate(({"action": "make_pitch", "message": TRUE}, counter, WAIT)):
            await acts(seat, action, round=round_)
        await until_round(line, 3)
        mine, open_ = hearings(seat), hearings(line)
        scores = [[lab["score"] for lab in one["labs"]] for one in open_]
        assert scores == [[lab["score"] for lab in one["labs"]] for one in mine]
        assert [one["round"] for one in open_] == [0, 1]
        spectator, player = bytes(chetan.heard), bytes(asha.heard)
        for round_ in (3, 4):
            await acts(seat, WAIT, round=round_)
    scenario, events, _ = as_stored(asha.site, match_id)
    rounds = judged_rounds(scenario, events)
    assert [one["winner"] for one in mine] == [one.hearing.winner for one in rounds]
    assert secret.encode() in player
    assert secret.encode() not in spectator
    assert b'"finding"' in player
    for hidden in (b'"finding"', b'"parts"', b'"bonus"', b"515151515151"):
        assert hidden not in spectator, hidden
    for name in ARCHETYPES:
        assert name.encode() not in spectator + player


def test_openenv_judges_over_http(site: Site) -> None:
    with httpx.Client(base_url=site.url + PREFIX, timeout=30) as bilal:
        wanted = {"task": "market_round", "seed": 1, "episode_id": "judged", "judge_mode": "rule"}
        assert bilal.post("/reset", json=wanted).json()["metadata"]["judge_mode"] == "rule"
        words = "We need 2 GPU-hours, due in round 3, at a reliability of at least 0.76."
        action = {"action": "make_pitch", "message": words}
        body = {"episode_id": "judged", "action": action}
        told = bilal.post("/step", json=body).json()
        hearing = told["observation"]["hearing"]
        assert hearing["winner"] == "lab_0"
        assert hearing["bonus"] == told["metadata"]["reward_columns"]["judge_argument"] > 0
        assert told["reward"] == 0
        assert {one["finding"] for one in hearing["labs"][0]["claims"]} == {"true"}
        refused = bilal.post("/reset", json={"judge_mode": "kind"})
        assert refused.status_code == 422
