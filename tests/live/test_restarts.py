"""PostgreSQL is restarted under people who play and read: moves wait, and nobody sees a fault."""

import asyncio
import json
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import httpx
import pytest

from tests.support.cutting_proxy import CuttingProxy, Where
from tests.support.faults_player import Player, doubled, lost
from tests.support.people import LAMP, Visitor
from tests.support.served import Served
from tests.support.servers import Site
from tests.support.services import Postgres, Redis, missing

pytestmark = [
    pytest.mark.services,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]

PEOPLE = 12
PAGES = ("/sell/", "/replays/", "/leaderboard/", "/api/listings/", "/status/", "/rooms/")


WAYS = (
    "one process, jobs in a folder",
    pytest.param("two processes, Redis", marks=pytest.mark.soak),
)


@pytest.fixture(params=WAYS)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Served, Postgres]]:
    """A site, and its server, which is a real one that can be restarted."""
    with Postgres(durable=True) as postgres, Redis() as redis:
        is_two = request.param.startswith("two")
        told = {"DATABASE_URL": postgres.url} | ({"REDIS_URL": redis.url} if is_two else {})
        with Served(tmp_path, catalogue=False, web=1 + is_two, **told) as running:
            yield running, postgres


async def reads(site: Served, is_over: asyncio.Event, told: Counter[str]) -> None:
    """Load pages and open games, until that is over; a refusal has to say when to come back."""
    asha = await asyncio.to_thread(Visitor, site)
    number = 0
    while not is_over.is_set():
        path = PAGES[number % len(PAGES)]
        number += 1
        try:
            if number % 4:
                answer = await asyncio.to_thread(asha.http.get, path)
            else:
                answer = await asyncio.to_thread(asha.post, "/api/sell/", LAMP)
        except httpx.TransportError as wrong:
            told[type(wrong).__name__] += 1
            continue
        may_come_back = "Retry-After" in answer.headers
        told[f"{answer.status_code}{' later' if may_come_back else ''}"] += 1
        await asyncio.sleep(0.05)
    asha.close()


async def plays(players: list[Player], is_over: asyncio.Event) -> None:
    """Name prices until that is over, and once more."""
    while not is_over.is_set():
        await asyncio.gather(*(player.moves() for player in players))
    await asyncio.gather(*(player.moves() for player in players))


async def restarted(site: Served, postgres: Postgres, players: list[Player]) -> Counter[str]:
    """Restart the server in either way, twice, under everybody; what pages answered."""
    is_over, told = asyncio.Event(), Counter[str]()
    playing = asyncio.create_task(plays(players, is_over))
    reading = [asyncio.create_task(reads(site, is_over, told)) for _ in range(4)]
    for how in (signal.SIGQUIT, signal.SIGINT, signal.SIGQUIT, signal.SIGINT):
        await asyncio.sleep(2)
        await asyncio.to_thread(postgres.stop, how)
        await asyncio.sleep(1)
        await asyncio.to_thread(postgres.start)
    await asyncio.sleep(2)
    is_over.set()
    await asyncio.gather(playing, *reading)
    return told


@pytest.mark.timeout(600)
def test_moves_wait_and_pages_ask_to_come_back(site: tuple[Served, Postgres]) -> None:
    served, postgres = site
    players = [Player(served, hasty=bool(number % 2)) for number in range(PEOPLE)]
    told = asyncio.run(restarted(served, postgres, players))
    assert told["200"] > 20
    assert {*told} <= {"200", "201", "302", "503 later"}, (told, served.log[-6000:])
    faults = Counter[str]()
    for player in players:
        faults += player.told
    assert [words for words in faults if words.startswith("server-error")] == []
    assert (lost(served, players), doubled(served, players)) == (0, 0)
    assert "Traceback" not in served.log, served.log[served.log.index("Traceback") - 3000 :]
    for player in players:
        player.visitor.close()


@pytest.fixture
def way(tmp_path: Path) -> Iterator[tuple[CuttingProxy, Site]]:
    """A site, and the way to its database, which can break."""
    with (
        Postgres() as postgres,
        CuttingProxy(postgres.url) as proxy,
        Site(tmp_path, catalogue=False, DATABASE_URL=proxy.url) as site,
    ):
        yield proxy, site


@pytest.mark.parametrize("where", get_args(Where))
async def test_a_move_whose_connection_breaks_is_made_once_and_nobody_notices(
    way: tuple[CuttingProxy, Site], where: Where
) -> None:
    proxy, site = way
    asha = Visitor(site)
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.hear_event("offer", "buyer")
        proxy.cut(where)
        await line.send("offer", price=1900)
        assert (await line.hear_event("offer", "seller"))["price"] == 1900
        await line.hear_event("offer", "buyer")
        assert proxy.cuts == 1
        token, numbers = asha.http.cookies["csrftoken"], site.numbers(game_id)
        proxy.cut(where)
        form = {"csrfmiddlewaretoken": token, "price": "1800", "seq": numbers[-1]}
        answer = asha.http.post(f"/sell/{game_id}/move/", data=form)
        assert answer.status_code == 302
        await line.hear_event("offer", "seller")
        await line.hear_event("offer", "buyer")
        assert proxy.cuts == 2
    assert [frame for frame in line.frames if frame["type"] == "error"] == []
    sql = "select payload from negotiation_eventrow where game_id = %s and kind = 'offer'"
    offers = [json.loads(bytes(row[0])) for row in site.query(sql, game_id)]
    asks = [offer["price"] for offer in offers if offer["actor"] == "seller"]
    assert asks == [190_000, 180_000]
    assert "Traceback" not in site.log
    asha.close()
