"""Lists of bots stay light, however often their bots have played."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.bots import plays_all_games
from training.bots import plays
from training.bots.models import Bot
from training.bots.tasks import advance

Brought = Callable[..., Bot]


def plays_once(bot: Bot) -> None:
    """Through all games, over two connections, until its result is checked."""
    play = plays.begin_play(bot, 1)
    for session in ("one", "two"):
        plays_all_games(bot, session)
        assert advance(play.pk) == "over"


@pytest.mark.parametrize("address", ["/bots/", "/api/bots/"])
def test_a_list_reads_one_play_of_each_bot_and_no_summary(
    brought: Brought, posted: list[str], client: Client, address: str
) -> None:
    bot = brought()
    plays_once(bot)
    plays_once(bot)
    client.get(address)  # opens the session
    few = _queries(client, address)
    brought(name="Another one")
    brought(name="A third one")
    assert _queries(client, address) == few
    with CaptureQueriesContext(connection) as asked:
        page = client.get(address)
    assert page.status_code == 200
    read = " ".join(one["sql"] for one in asked.captured_queries)
    columns = set(re.findall(r"\"(\w+)\"\.\"(\w+)\"", read))
    assert not columns & {
        ("training_run", "summary"), ("training_run", "config"), ("bots_play", "rows")
    }  # fmt: skip


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


def test_a_list_tells_the_newest_play_and_the_bots_own_page_all(
    brought: Brought, posted: list[str], client: Client
) -> None:
    bot = brought()
    plays_once(bot)
    plays_once(bot)
    (listed,) = client.get("/api/bots/").json()["results"]
    own = client.get(f"/api/bots/{bot.pk}/").json()
    assert [one["number"] for one in own["plays"]] == [2, 1]
    assert listed["plays"] == own["plays"][:1]
    assert listed["verified"] is own["verified"] is True
    newest = plays.latest_play(bot)
    assert newest is not None
    summary = newest.run.summary
    (mean,) = (one["mean"] for one in summary["policies"] if one["policy"] == bot.policy)
    assert own["plays"][0]["share_of_winnable"] == mean["share_of_winnable"]
    assert own["plays"][0]["answers"] == summary["bot"]["failures"]["answers"]
