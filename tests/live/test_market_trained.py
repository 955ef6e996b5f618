"""A trained lab behind a real Daphne: stepped by its starter, watched by Chetan byte by byte."""

import pytest

from bazaarbatna.market.events import TurnTaken
from tests.live.test_market import as_stored, at, private_numbers_heard, starts
from tests.support.people import Line, Visitor
from tests.support.servers import Site
from tests.support.toy_lab import make_lab

SEED = 424242424242
"""On another seed a lab's own job may happen to be worth just what a rival's budget is."""


@pytest.fixture(scope="module")
def trained(site: Site) -> str:
    """The site has a lab, which came while it ran."""
    make_lab(site.data_dir / "labs" / "toy")
    return "lab-toy"


def turns_heard(line: Line) -> int:
    """Count the turns that were told on a line."""
    return sum(frame["event"]["kind"] == "turn" for frame in line.events)


async def test_chetan_learns_no_lab_s_jobs_from_a_demo_of_a_trained_one(
    trained: str, asha: Visitor, chetan: Visitor
) -> None:
    match_id = starts(
        asha, policy=trained, others=trained, task="coalition_market", seed=SEED, pace=30
    )
    asha.heard.clear()
    chetan.heard.clear()
    async with at(asha, match_id) as owner, at(chetan, match_id) as line:
        await owner.send("sync")
        await line.send("sync")
        for _ in range(8):
            before = turns_heard(owner)
            await owner.send("pace", pause="step")
            # A turn may be followed by more of what it did: that is no answer to the next step.
            while turns_heard(owner) == before:
                await owner.hear()
        while len(line.events) < len(owner.events):
            await line.hear()
        for path in (f"/api/market/{match_id}/", f"/market/{match_id}/", "/api/market/"):
            assert chetan.http.get(path).status_code == 200
    scenario, events, _ = as_stored(asha.site, match_id)
    turns = [one for one in events if isinstance(one, TurnTaken)]
    assert len(turns) == 8
    assert {one.action.action for one in turns if one.action} == {"form_coalition"}
    for heard in (bytes(chetan.heard), bytes(asha.heard)):
        for lab in range(len(scenario.labs)):
            assert private_numbers_heard(scenario, lab, heard) == []
        for secret in (scenario.salt, str(scenario.sealed.seed), '"base_value"'):
            assert secret.encode() not in heard
    backends = asha.site.query(
        "select distinct backend from negotiation_eventrow where game_id = %s and kind = 'turn'",
        match_id,
    )
    assert backends == [("local",)]


async def test_a_person_hears_of_a_trained_rival_what_a_lab_may_see(
    trained: str, asha: Visitor, chetan: Visitor
) -> None:
    match_id = starts(
        asha, policy="you", others=trained, public=True, task="market_round", seed=SEED
    )
    for who in (asha, chetan):
        who.heard.clear()
    async with at(asha, match_id) as seat, at(chetan, match_id) as line:
        await seat.send("sync")
        await line.send("sync")
        await seat.hear_type("you")
        for round_ in range(3):
            await seat.send("act", action={"action": "wait"}, round=round_)
            await seat.hear_type("you")
        assert chetan.http.get(f"/market/{match_id}/").status_code == 200
    scenario, events, _ = as_stored(asha.site, match_id)
    assert sum(isinstance(one, TurnTaken) and one.lab != "lab_0" for one in events) == 6
    assert len(private_numbers_heard(scenario, 0, bytes(asha.heard))) > 1
    for lab in (1, 2):
        assert private_numbers_heard(scenario, lab, bytes(asha.heard)) == []
    for lab in range(3):
        assert private_numbers_heard(scenario, lab, bytes(chetan.heard)) == []
