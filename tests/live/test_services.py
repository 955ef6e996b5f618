"""Two Daphne processes, one PostgreSQL, one Redis: the way a public site runs."""

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.people import Visitor
from tests.support.servers import Site
from tests.support.services import Postgres, Redis, missing
from tests.support.warm import run

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server of this module."""
    with Postgres() as running:
        yield running


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    """A Redis server of this module."""
    with Redis() as running:
        yield running


@pytest.fixture(scope="module")
def twins(
    postgres: Postgres, redis: Redis, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Site, Site]]:
    """Two processes that serve one site."""
    folder = tmp_path_factory.mktemp("twins")
    services = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
    first = Site(folder, catalogue=False, **services)
    second = Site(folder, catalogue=False, **services)
    first.prepare()
    try:
        first.start()
        second.start()
        yield first, second
    finally:
        first.kill()
        second.kill()


@pytest.fixture
def asha(twins: tuple[Site, Site]) -> Iterator[Visitor]:
    """Asha, who sells, with the first process."""
    visitor = Visitor(twins[0])
    yield visitor
    visitor.close()


def elsewhere(visitor: Visitor, site: Site) -> Visitor:
    """The same person at another process of the site."""
    twin = Visitor(site)
    twin.http.cookies = visitor.http.cookies
    return twin


async def test_a_game_is_one_game_in_both_processes(
    twins: tuple[Site, Site], asha: Visitor
) -> None:
    game_id = asha.opens()
    twin = elsewhere(asha, twins[1])
    async with asha.at(game_id) as here, twin.at(game_id) as there:
        # Neither asks for the log: who asks a moment late is sent it twice.
        for tab in (here, there):
            await tab.hear_event("offer", "buyer")
        for number, mover in enumerate((there, here, there), start=1):
            await mover.send("offer", price=2000 - 10 * number)
            for tab in (here, there):
                await tab.hear_event("offer", "seller")
                await tab.hear_event("offer", "buyer")
        await here.send("walk")
        for tab in (here, there):
            await tab.hear_event("ended")
    twin.close()
    assert here.events == there.events
    assert [frame["seq"] for frame in here.events] == twins[0].numbers(game_id)


async def test_a_guest_of_another_process_hears_the_game_and_is_counted(
    twins: tuple[Site, Site], asha: Visitor
) -> None:
    game_id = asha.opens()
    bilal = Visitor(twins[1])
    async with asha.at(game_id) as own, bilal.watching(asha.shares(game_id)) as guest:
        assert (await own.hear_type("guests"))["count"] == 1
        await own.send("offer", price=1990, text="chalo")
        assert (await guest.hear_event("offer", "seller"))["text"] == "chalo"
        asha.stops_sharing(game_id)
        assert await guest.hear_end() == 4404
        await own.hear(lambda frame: frame == {"type": "guests", "count": 0})
    bilal.close()


async def test_the_same_click_in_two_processes_is_one_move(
    twins: tuple[Site, Site], asha: Visitor
) -> None:
    twin = elsewhere(asha, twins[1])
    for _ in range(5):
        game_id = asha.opens()
        async with asha.at(game_id) as here, twin.at(game_id) as there:
            for tab in (here, there):
                await tab.send("sync")
                await tab.hear_event("offer", "buyer")
            await asyncio.gather(*(tab.send("offer", price=1900, seen=2) for tab in (here, there)))
            for tab in (here, there):
                await tab.hear_event("offer", "seller")
                await tab.hear_event("offer", "buyer")
        numbers = twins[0].numbers(game_id)
        assert numbers == [1, 2, 3, 4, 5]
    twin.close()


async def test_a_turn_of_a_killed_process_is_taken_by_the_other(
    postgres: Postgres, redis: Redis, twins: tuple[Site, Site], request: pytest.FixtureRequest
) -> None:
    slow = Site(
        twins[0].data_dir,
        catalogue=False,
        DATABASE_URL=postgres.url,
        REDIS_URL=redis.url,
        BAZAAR_BUYER_PAUSE_S="5",
    )
    request.addfinalizer(slow.kill)
    slow.start()
    asha = Visitor(slow)
    twin = elsewhere(asha, twins[1])
    game_id = asha.opens()
    async with twin.at(game_id) as there:
        await there.send("sync")
        await there.hear_event("offer", "buyer")
        async with asha.at(game_id) as here:
            await here.send("offer", price=1900)
            await here.hear_event("tells")
            slow.kill()
        await there.hear_event("offer", "seller")
        await there.hear_event("offer", "buyer")
    assert twins[1].numbers(game_id) == [1, 2, 3, 4, 5]
    asha.close()
    twin.close()


@pytest.fixture
def strict_twins(
    postgres: Postgres, redis: Redis, twins: tuple[Site, Site]
) -> Iterator[tuple[Site, Site]]:
    """Two more processes of the same site, with few words a minute."""
    first, second = (
        Site(
            twins[0].data_dir,
            catalogue=False,
            DATABASE_URL=postgres.url,
            REDIS_URL=redis.url,
            BAZAAR_LIMIT_MESSAGES="5/minute",
        )
        for _ in range(2)
    )
    try:
        first.start()
        second.start()
        yield first, second
    finally:
        first.kill()
        second.kill()


async def test_limits_are_counted_together(strict_twins: tuple[Site, Site]) -> None:
    asha = Visitor(strict_twins[0])
    twin = elsewhere(asha, strict_twins[1])
    game_id = asha.opens()
    async with asha.at(game_id) as here, twin.at(game_id) as there:
        for tab in (here, there):
            await tab.send("sync")
            await tab.hear_event("offer", "buyer")
        for tab in (here, there, here, there, here):
            await tab.send("offer", price=1)
            await tab.hear_error("illegal-move")
        for tab in (here, there):
            await tab.send("offer", price=1)
            refused = await tab.hear_error("rate-limited")
            assert 1 <= refused["retry_after"] <= 60
    asha.close()
    twin.close()


async def test_without_redis_the_game_goes_on(postgres: Postgres, tmp_path: Path) -> None:
    with Redis() as fragile:
        site = Site(tmp_path, catalogue=False, DATABASE_URL=postgres.url, REDIS_URL=fragile.url)
        with site:
            asha = Visitor(site)
            game_id = asha.opens()
            async with asha.at(game_id) as line:
                await line.send("sync")
                await line.hear_event("offer", "buyer")
                fragile.stop()
                await line.send("offer", price=1900)
                await line.hear_event("offer", "seller")
                await line.hear_event("offer", "buyer")
            async with asha.at(game_id) as late:
                await late.send("sync")
                await late.hear_event("opened")
                await late.send("walk")
                await late.hear_event("ended")
            asha.close()
            assert site.numbers(game_id) == list(range(1, 8))


async def test_a_database_that_was_restarted_is_found_again(
    postgres: Postgres, twins: tuple[Site, Site], asha: Visitor
) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        postgres.stop()
        postgres.start()
        for price in (1950, 1900, 1850, 1800):
            await line.send("offer", price=price)
            await line.hear_event("offer", "seller")
            await line.hear_event("offer", "buyer")
    assert [frame for frame in line.frames if frame["type"] == "error"] == []


@pytest.mark.soak
def test_the_one_writer_keeps_its_promises_on_postgresql(
    postgres: Postgres, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": postgres.url,
        "BAZAAR_DATA_DIR": str(tmp_path),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "tests/negotiation/sessions",
        # These bring a database of their own.
        "--ignore=tests/negotiation/sessions/test_shared_limits.py",
        "-q",
        "-p",
        "no:randomly",
    ]
    done = run(command, env=environment)
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout
