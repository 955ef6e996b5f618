"""Kill -9 the process that runs a match: another goes on, and no move is made twice."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack

import pytest

from bazaarbatna.auction.events import Placed
from bazaarbatna.auction.match import fold
from tests.support.arena import PAUSELESS, at_match, hear_out, starts, stored_match, until_round
from tests.support.one_port import OnePort
from tests.support.pairs import STORES, Pair, two_processes
from tests.support.people import Frame, Visitor

SLOW = {**PAUSELESS, "BAZAAR_ARENA_PAUSE_S": "0.3", "BAZAAR_ARENA_TURN_S": "30"}


@pytest.fixture(scope="module", params=STORES)
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    """Two processes of one site: on one SQLite file, or on PostgreSQL and Redis."""
    folder = tmp_path_factory.mktemp("pair")
    with two_processes(request.param, folder, **SLOW) as both:
        yield both


async def test_when_a_process_dies_the_other_goes_on_and_no_move_is_made_twice(
    pair: Pair, people: tuple[Visitor, Visitor]
) -> None:
    (first, second), (asha, bilal) = pair, people
    watched = starts(asha, "rules:boulware", "rules:micro", "rules:boulware")
    played = starts(asha, "person", "rules:boulware")
    moved = Visitor(second)
    moved.http.cookies = asha.http.cookies
    async with (
        at_match(asha, watched) as here,
        at_match(bilal, watched) as there,
        at_match(moved, played) as seat,
    ):
        for line in (here, there, seat):
            await line.send("sync")
        # The person's match runs in the first process, the person is served by the second.
        await seat.hear_event("opened")
        await seat.send("offer", price=10)
        assert (await seat.hear_event("placed", "buyer-1"))["price"] == 10
        await until_round(seat, 1)
        await until_round(there, 2)
        await until_round(here, 2)
        first.kill()
        known = there.events[-1]["seq"]
        await there.hear(lambda frame: frame["type"] == "event" and frame["seq"] > known + 2)
        await seat.send("offer", price=11)
        await until_round(seat, 2)
        await hear_out(there)
    assert [frame["seq"] for frame in there.events] == list(range(1, len(there.events) + 1))
    assert list(map(public, here.events)) == list(map(public, there.events))[: len(here.events)]
    for match_id in (watched, played):
        scenario, events = stored_match(second, match_id)
        assert (fold(scenario, events).ended is not None) == (match_id == watched)
        closed = Counter((e.buyer, e.round) for e in events if isinstance(e, Placed))
        assert set(closed.values()) == {1}
    moved.close()


def public(frame: Frame) -> Frame:
    """A frame without what an envelope shows only after the end, which may come first here."""
    event = {name: frame["event"][name] for name in ("kind", "round") if name in frame["event"]}
    return {**event, "seq": frame["seq"]} if event["kind"] == "placed" else frame


async def test_spectators_behind_one_port_see_the_same_match(pair: Pair) -> None:
    with ExitStack() as stack:
        front = stack.enter_context(OnePort(*pair))
        crowd = [Visitor(front.site) for _ in range(4)]
        stack.callback(lambda: [visitor.close() for visitor in crowd])
        match_id = starts(crowd[0], "rules:boulware", "rules:micro", "sauda")
        async with AsyncExitStack() as lines:
            seats = [await lines.enter_async_context(at_match(who, match_id)) for who in crowd]
            for line in seats:
                await line.send("sync")
            await asyncio.gather(*(hear_out(line) for line in seats))
        assert all(served >= 2 for served in front.served)
    heard = [list(map(public, line.events)) for line in seats]
    assert heard[0][-1]["event"]["kind"] == "ended"
    assert all(events == heard[0] for events in heard)
