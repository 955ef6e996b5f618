"""A real worker puts a person on the board whose game has just ended."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.people import Visitor
from tests.support.servers import Site

WITHIN_S = 60


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a stall, and a queue of its own."""
    with Site(tmp_path_factory.mktemp("board")) as running:
        yield running


def waits_for_people(visitor: Visitor) -> list[dict[str, Any]]:
    """Read the board's file until somebody sits in the seller's chair."""
    deadline = time.monotonic() + WITHIN_S
    while not (found := visitor.http.get("/leaderboard/board.json").json()["people"]["seller"]):
        assert time.monotonic() < deadline, (visitor.site.data_dir / "grader.log").read_text()
        time.sleep(0.2)
    return list(found)


async def test_a_game_reaches_the_board_by_itself(site: Site) -> None:
    asha, bilal = Visitor(site), Visitor(site)
    token = asha.http.cookies.get("csrftoken", "")
    asha.http.post("/leaderboard/name/", data={"name": "Asha"}, headers={"X-CSRFToken": token})
    listing = site.query("select max(id) from negotiation_listing")[0][0]
    with site.worker():
        game_id = str(asha.post("/api/sell/", {"listing": listing}).json()["id"])
        while site.scenario(game_id).zopa <= 0:
            game_id = str(asha.post("/api/sell/", {"listing": listing}).json()["id"])
        async with asha.at(game_id) as line:
            await line.send("sync")
            await line.hear_event("offer", "buyer")
            await line.send("walk")
            await line.hear_event("ended")
        found = waits_for_people(bilal)
    asha.close()
    bilal.close()
    person = next(one for one in found if one["kind"] == "person")
    assert (person["player"], person["games"], person["provisional"]) == ("Asha", 1, True)
