"""A flood is answered with a wait, over every door."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.people import LAMP, Visitor
from tests.support.servers import Site

A_DAY_S = 86_400


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with small limits; in a test of minutes no use leaves a window of a day."""
    folder: Path = tmp_path_factory.mktemp("strict")
    limits = {
        "BAZAAR_LIMIT_MESSAGES": "3/day",
        "BAZAAR_LIMIT_FRAMES": "8/day",
        "BAZAAR_LIMIT_GAMES": "6/day",
        "BAZAAR_LIMIT_SOCKETS": "4/day",
    }
    with Site(folder, catalogue=False, **limits) as running:
        yield running


# One address and one clock: what one door uses up is gone for the next, so this is one test.
async def test_words_frames_sockets_and_games_each_have_their_limit(strict: Site) -> None:
    mallory = Visitor(strict)
    game_id = mallory.opens()
    async with mallory.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        for _ in range(3):
            await line.send("offer", price=1)
            await line.hear_error("illegal-move")
        await line.send("offer", price=1)
        refused = await line.hear_error("rate-limited")
        assert A_DAY_S - 300 < refused["retry_after"] <= A_DAY_S
        assert refused["detail"] == "That was fast! Say the next thing in 24 hours."
        for _ in range(3):
            await line.send_raw("garbage")
            await line.hear_error("bad-frame")
        await line.send_raw("garbage")
        await line.hear_error("rate-limited")

    for _ in range(3):
        async with mallory.at(game_id) as counted:
            # An answer, so that a busy server has counted the socket before it is gone.
            await counted.send("sync")
            await counted.hear_error("rate-limited")
    async with mallory.at(game_id) as refused_line:
        await refused_line.hear_error("rate-limited")
        assert await refused_line.hear_end() == 4429

    for _ in range(5):
        mallory.opens()
    answer = mallory.post("/api/sell/", LAMP)
    assert answer.status_code == 429
    assert A_DAY_S - 300 < int(answer.headers["Retry-After"]) <= A_DAY_S
    assert answer.json()["error"]["code"] == "rate-limited"
    mallory.close()
