"""A real Celery worker grades what real games leave behind, also when it is killed at it."""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.support.people import Visitor
from tests.support.served import children
from tests.support.servers import Site
from tests.support.waiting import until
from tests.support.workers import Worker

WITHIN_S = 60
ATTEMPTS = 8
STATUS = "SELECT status FROM replays_grading WHERE game_id = %s"
IN_THE_PAST = "2026-01-01 00:00:00"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a queue of its own."""
    with Site(tmp_path_factory.mktemp("graded"), catalogue=False) as running:
        yield running


def status(site: Site, game_id: str) -> str:
    found = site.query(STATUS, game_id)
    return str(found[0][0]) if found else "nothing"


async def plays(asha: Visitor, rounds: int = 6) -> str:
    """Asha asks a little less each round and then leaves."""
    game_id = asha.opens_a_zone()
    async with asha.at(game_id) as line:
        await line.send("sync")
        for number in range(rounds):
            await line.hear_event("offer", "buyer")
            await line.send("offer", price=1990 - 10 * number, text="as good as new")
        await line.hear_event("offer", "buyer")
        await line.send("walk")
        await line.hear_event("ended")
    return game_id


async def test_a_game_is_graded_though_its_grader_was_killed_in_the_middle(site: Site) -> None:
    asha = Visitor(site)
    with Worker(site) as worker:
        first = await plays(asha)
        # Nobody looks: the end of the game alone has asked for it.
        until(lambda: status(site, first) == "done")
        for _ in range(ATTEMPTS):
            game_id = await plays(asha)
            until(lambda g=game_id: status(site, g) in ("running", "done"), every_s=0.002)
            if status(site, game_id) == "running":
                worker.kill()
                break
    assert status(site, game_id) == "running", "it was never caught at work"
    # Not fifteen seconds of waiting for the claim to run out:
    site.execute("UPDATE replays_grading SET claimed_until = %s", IN_THE_PAST)
    address = f"/replays/{game_id}/grades.json"
    until(lambda: asha.http.get(address).status_code == 200)
    rescued = asha.http.get(address).json()
    assert [move["seq"] for move in rescued["moves"]]
    asha.close()


async def test_a_worker_goes_on_though_its_process_was_killed_while_it_had_nothing_to_do(
    site: Site,
) -> None:
    asha = Visitor(site)
    with site.worker() as worker:
        first = await plays(asha)
        until(lambda: status(site, first) == "done")
        idle = children(worker.pid)
        assert idle
        for child in idle:
            os.kill(child, signal.SIGKILL)
        second = await plays(asha)
        # Nobody looks: it must be the worker.
        until(lambda: status(site, second) == "done")
    asha.close()


async def test_without_any_worker_whoever_looks_still_gets_grades(site: Site) -> None:
    asha = Visitor(site)
    game_id = await plays(asha, rounds=2)
    address = f"/replays/{game_id}/grades.json"
    assert asha.http.get(address).status_code == 202
    until(lambda: asha.http.get(address).status_code == 200)
    asha.close()
