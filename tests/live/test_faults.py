"""Killed in the middle of a move, on a full disk, with a clock that jumps: nothing is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from bazaar_site import programs
from tests.support.harm import WEB, Harm
from tests.support.people import LAMP, Visitor
from tests.support.servers import Site
from tests.support.small_disk import small_disk

HOUR_S = 3600


class Harmed(Site):
    """A site that can be harmed; as under ``serve``, who comes while it is dead waits."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        self.harm = Harm(data_dir.parent / f"{data_dir.name}-harm")
        super().__init__(data_dir, catalogue=False, **self.harm.environment, **environment)

    def start(self) -> None:
        """Serve the armed application."""
        with pytest.MonkeyPatch.context() as patch:
            command = [*programs.web_at("127.0.0.1", self.port)[:-1], WEB]
            patch.setattr(programs, "web_at", lambda *_: command)
            super().start()

    def starts_again(self) -> None:
        """Take note that it was killed, and start."""
        assert self.process is not None
        self.process.wait(60)
        self.process = None
        self.start()


@pytest.fixture(scope="module")
def harmed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harmed]:
    with Harmed(tmp_path_factory.mktemp("harmed")) as site:
        yield site


@pytest.fixture
def asha(harmed: Harmed) -> Iterator[Visitor]:
    visitor = Visitor(harmed)
    yield visitor
    visitor.close()


@pytest.mark.parametrize(
    ("point", "known"), [("move-uncommitted", [1, 2]), ("move-committed", [1, 2, 3, 4])]
)
async def test_a_move_that_dies_on_its_way_is_whole_or_not_there_and_made_once(
    harmed: Harmed, asha: Visitor, point: str, known: list[int]
) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        harmed.harm.kill_at(point)
        await line.send("offer", price=1900, seen=2)
        with pytest.raises(ConnectionClosed):
            await line.hear_event("offer", "seller")
    assert harmed.numbers(game_id) == known
    harmed.starts_again()
    async with asha.at(game_id) as again:
        # The same once more, from a page that has read nothing since.
        await again.send("offer", price=1900, seen=2)
        await again.send("sync", after=2)
        await again.hear_event("offer", "seller")
        await again.hear_event("offer", "buyer")
    log = {frame["seq"]: frame["event"] for frame in again.events}
    offers = [event for event in log.values() if event["kind"] == "offer"]
    asks = [event["price"] for event in offers if event["actor"] == "seller"]
    assert asks == [1900]
    assert harmed.numbers(game_id) == [1, 2, 3, 4, 5]


async def test_an_answer_that_dies_on_its_way_is_given_once(harmed: Harmed, asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        harmed.harm.kill_at("turn-uncommitted")
        await line.send("offer", price=1900, seen=2)
        with pytest.raises(ConnectionClosed):
            await line.hear_event("offer", "buyer")
    assert harmed.numbers(game_id) == [1, 2, 3, 4]
    harmed.starts_again()
    async with asha.at(game_id) as again:
        await again.send("sync", after=4)
        await again.hear_event("offer", "buyer")
    assert harmed.numbers(game_id) == [1, 2, 3, 4, 5]


async def test_a_game_goes_on_while_the_clock_goes_an_hour_ahead_and_back(
    harmed: Harmed, asha: Visitor
) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        for price, ahead_s in ((1950, 0), (1900, HOUR_S), (1850, 0)):
            await line.hear_event("offer", "buyer")
            harmed.harm.put_clocks(ahead_s)
            await line.send("offer", price=price)
            await line.hear_event("offer", "seller")
        await line.hear_event("offer", "buyer")
    assert [frame for frame in line.frames if frame["type"] == "error"] == []
    numbers = harmed.numbers(game_id)
    assert numbers == list(range(1, len(numbers) + 1))


async def test_on_a_full_disk_a_move_is_refused_in_words_and_goes_through_later(
    tmp_path: Path,
) -> None:
    with small_disk(tmp_path / "small", 24) as disk:
        if disk is None:
            pytest.skip("no file system can be mounted here")
        with Site(disk.folder / "data", catalogue=False) as site:
            asha = Visitor(site)
            game_id = asha.opens()
            async with asha.at(game_id) as line:
                await line.send("sync")
                await line.hear_event("offer", "buyer")
                before = len(site.log)
                disk.fill()
                for price in range(1900, 1850, -5):
                    await line.send("offer", price=price, seen=2)
                    assert "no room" in (await line.hear_error("no-room"))["detail"]
                assert asha.http.get(f"/sell/{game_id}/").status_code == 200
                refused = asha.post("/api/sell/", LAMP)
                assert (refused.status_code, refused.json()["error"]["code"]) == (507, "no-room")
                token = asha.http.cookies["csrftoken"]
                move = {"csrfmiddlewaretoken": token, "price": "1800", "seq": 2}
                page = asha.http.post(f"/sell/{game_id}/move/", data=move)
                assert page.status_code == 507
                assert "The shelves are full" in page.text
                assert site.numbers(game_id) == [1, 2]
                told = site.log[before:]
                assert "Traceback" not in told
                of_the_outage = [line for line in told.splitlines() if "access_log" not in line]
                assert len(of_the_outage) < 10, told
                disk.clear()
                await line.send("offer", price=1900, seen=2)
                await line.hear_event("offer", "seller")
                await line.hear_event("offer", "buyer")
            assert site.numbers(game_id) == [1, 2, 3, 4, 5]
            asha.close()
