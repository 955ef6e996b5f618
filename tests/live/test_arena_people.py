"""People at the table: their time, their silence, their seats in exhibition matches."""

from collections.abc import Iterator

import pytest

from tests.support.arena import PAUSELESS, at_match, bids_along, hear_out, starts
from tests.support.people import Visitor
from tests.support.servers import Site

TURN_S = 0.6


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site on which people must be quick."""
    hurry = {**PAUSELESS, "BAZAAR_ARENA_TURN_S": str(TURN_S), "BAZAAR_ARENA_GAP_S": "3"}
    with Site(tmp_path_factory.mktemp("hurry"), **hurry) as running:
        yield running


async def test_who_says_nothing_holds_once_and_then_leaves(asha: Visitor) -> None:
    match_id = starts(asha, "person", "rules:boulware", "rules:micro")
    async with at_match(asha, match_id) as line:
        await line.send("sync")
        awaiting = await line.hear_type("awaiting")
        assert awaiting["you"] is True
        assert awaiting["actors"] == ["buyer-1"]
        assert awaiting["deadline"]
        first = await line.hear_event("placed", "buyer-1")
        second = await line.hear_event("placed", "buyer-1")
        await hear_out(line)
    assert (first["action"], second["action"]) == ("hold", "walk")
    own = [f["event"] for f in line.events if f["event"].get("actor") == "buyer-1"]
    assert len(own) == 2


async def test_a_seat_in_the_next_exhibition_match_is_played_by_whoever_takes_it(
    asha: Visitor,
) -> None:
    listed = asha.http.get("/api/arena/").json()
    coming = next(one for one in listed["next"] if one["exhibition"])
    answer = asha.post(f"/api/arena/{coming['id']}/seat/", {"index": 1})
    assert answer.status_code == 200, answer.text
    assert answer.json()["seats"][1]["you"] is True
    async with at_match(asha, coming["id"]) as line:
        ended = await bids_along(line, 0.9)
    opened = line.events[0]["event"]
    assert opened["sealed"] is True
    assert opened["buyers"][1]["you"] is True
    assert ended["outcome"] in ("deal", "expired")


async def test_whoever_watches_finds_a_match_that_is_on(bilal: Visitor) -> None:
    listed = bilal.http.get("/api/arena/").json()
    assert [one["phase"] for one in listed["next"]] == ["waiting"]
    assert all(one["exhibition"] for one in listed["next"])
    async with at_match(bilal, listed["next"][0]["id"]) as line:
        await line.send("sync")
        waiting = await line.hear_type("waiting")
        assert len(waiting["seats"]) >= 3
        assert all(seat["open"] for seat in waiting["seats"])
        await line.hear_event("opened")
        await hear_out(line)


@pytest.fixture
def bilal(site: Site) -> Iterator[Visitor]:
    """Bilal, who spectates."""
    visitor = Visitor(site)
    yield visitor
    visitor.close()
