"""Kill -9 between any two moves: the log stays, and the turn is taken by the next process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.people import Visitor
from tests.support.servers import Site


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[Site]:
    """A site of one's own whose buyer takes a second: time to be killed in."""
    with Site(tmp_path, catalogue=False, BAZAAR_BUYER_PAUSE_S="1") as running:
        yield running


async def test_a_turn_that_died_with_its_server_is_taken_by_the_next_one(fragile: Site) -> None:
    asha = Visitor(fragile)
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("say", text="1900")
        await line.hear_event("offer", "seller")
        await line.hear_type("thinking")
        fragile.kill()
        with pytest.raises(ConnectionClosed):
            await line.hear_event("offer", "buyer")
    known = fragile.numbers(game_id)
    assert known == [1, 2, 3, 4]
    fragile.start()
    async with asha.at(game_id) as again:
        await again.send("sync", after=line.events[-1]["seq"])
        await again.hear_event("offer", "buyer")
        await again.send("walk")
        await again.hear_event("ended")
    asha.close()
    numbers = fragile.numbers(game_id)
    assert numbers == list(range(1, len(numbers) + 1))


async def test_reading_the_game_over_http_starts_the_turn_too(fragile: Site) -> None:
    asha = Visitor(fragile)
    game_id = asha.opens()
    fragile.kill()
    assert fragile.numbers(game_id) == [1]
    fragile.start()
    assert asha.reads(game_id)["turn"] == "buyer"
    async with asha.at(game_id) as line:
        await line.send("sync", after=1)
        bid = await line.hear_event("offer", "buyer")
    assert bid["round"] == 1
    asha.close()


async def test_five_kills_in_one_game_lose_and_double_nothing(fragile: Site) -> None:
    asha = Visitor(fragile)
    game_id = asha.opens()
    seen: list[int] = []
    for price in (1950, 1900, 1850, 1800, 1750):
        async with asha.at(game_id) as line:
            await line.send("sync", after=seen[-1] if seen else 0)
            await line.hear_event("offer", "buyer")
            await line.send("offer", price=price)
            await line.hear_event("tells")
            fragile.kill()
        seen += [frame["seq"] for frame in line.events]
        fragile.start()
    assert seen == list(range(1, len(seen) + 1)) == fragile.numbers(game_id)
    asha.close()
