"""Kill -9 the process that runs a demo: another goes on, and no turn is taken twice."""

from collections import Counter
from collections.abc import Iterator

import pytest

from bazaarbatna.market.events import TurnTaken
from tests.live.test_market import WAIT, acts, as_stored, at, hear_out, starts
from tests.support.pairs import Pair, two_processes
from tests.support.people import Visitor
from tests.support.waiting import in_time


@pytest.fixture(
    scope="module",
    params=["sqlite", pytest.param("services", marks=[pytest.mark.services, pytest.mark.soak])],
)
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    """Two processes of one site: on one SQLite file, or on PostgreSQL and Redis."""
    folder = tmp_path_factory.mktemp("pair")
    with two_processes(request.param, folder, catalogue=False) as both:
        yield both


async def test_when_a_process_dies_another_goes_on_where_the_log_ends(
    pair: Pair, people: tuple[Visitor, Visitor]
) -> None:
    (first, second), (asha, bilal) = pair, people
    watched = starts(asha, task="coalition_market", pace=0.3)
    moved = Visitor(second)
    moved.http.cookies = asha.http.cookies
    async with at(asha, watched) as here, at(bilal, watched) as there:
        for line in (here, there):
            await line.send("sync")
        await there.hear_event("round")
        first.kill()
        known = there.events[-1]["seq"]
        await there.hear(lambda frame: frame["type"] == "event" and frame["seq"] > known + 3)
        # Its starter, who has come to the other process, lets it hurry from here.
        async with at(moved, watched) as elsewhere:
            await elsewhere.send("pace", pause=False, pace=0)
            await hear_out(there)
        assert [f["seq"] for f in there.events] == list(range(1, len(there.events) + 1))
        assert here.events == there.events[: len(here.events)]
    _, events, state = as_stored(second, watched)
    assert state.ended is not None
    turns = Counter((e.lab, e.round) for e in events if isinstance(e, TurnTaken))
    assert set(turns.values()) == {1}
    moved.close()


async def test_a_persons_market_survives_the_death_of_every_process(
    pair: Pair, people: tuple[Visitor, Visitor]
) -> None:
    (first, second), (asha, _) = pair, people
    match_id = starts(asha, policy="you")
    async with at(asha, match_id) as line:
        await line.send("sync")
        await line.hear_type("you")
        await acts(line, WAIT, round=0)
        seen = len(line.events)
        first.kill()
        second.kill()
    first.start()
    second.start()
    async with at(asha, match_id) as line:
        await line.send("sync", after=seen)
        assert await line.hear_type("synced") == {"type": "synced", "seq": seen}
        await acts(line, WAIT, round=1)
        assert line.events[0]["seq"] == seen + 1
    assert as_stored(first, match_id)[2].round == 2


async def test_a_demo_nobody_watches_is_found_by_the_sweep_of_another_process(
    pair: Pair, people: tuple[Visitor, Visitor]
) -> None:
    (first, second), (asha, bilal) = pair, people
    match_id = starts(asha, task="coalition_market", pace=0.3)
    bilal.http.get("/api/market/")
    first.kill()
    known = len(as_stored(second, match_id)[1])
    await in_time(lambda: len(as_stored(second, match_id)[1]) > known, every_s=0.2)
