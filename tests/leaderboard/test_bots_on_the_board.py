"""Bots beside the house: real plays, against what was published before."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.bots import plays_all_games
from tests.support.evaluating import a_plan, a_run
from tests.support.visitors import a_visitor
from training.bots import plays, results, tasks
from training.bots.models import Bot, Play
from training.bots.owners import register
from training.bots.tasks import advance
from training.evaluation.published import newest, publish
from training.leaderboard import policy_table
from training.leaderboard.lines import Place, stored
from training.models import Run

pytestmark = pytest.mark.django_db

SUITES = ["single_deal", "deceptive_seller"]
EPISODES = 12


@pytest.fixture
def published(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The house's players in two suites, on the board."""
    monkeypatch.setattr(tasks, "enqueue", lambda _run_id: None)
    settings.BOT_EPISODES = EPISODES
    run = a_run(tmp_path / "run", a_plan(list(results.REFERENCES), SUITES, episodes=EPISODES))
    publish(run)
    policy_table.refresh_policies()
    return run


def pushover(asked: dict[str, Any]) -> dict[str, Any]:
    """Pays whatever is asked."""
    if asked["standing_ask"] <= asked["budget"]:
        return {"action": "accept"}
    return {"action": "walk"}


def plays_out() -> Play:
    bot = register("Pushover", "asha")[0]
    play = plays.begin_play(bot, EPISODES)
    for session in ("one", "two"):
        plays_all_games(bot, session, pushover)
        assert advance(play.pk) == "over"
    return Play.objects.select_related("run", "bot").get(pk=play.pk)


def places() -> dict[str, Place]:
    known = stored("policies")
    assert known is not None
    return {one.player.key: one for one in known[0].places}


def page(address: str = "/leaderboard/") -> str:
    return a_visitor().get(address).content.decode()


def test_a_verified_bot_is_rated_and_ranked_and_the_house_does_not_move(published: Run) -> None:
    before = places()
    play = plays_out()
    assert play.is_verified
    assert policy_table.refresh_policies()
    after = places()
    bot = after.pop(play.bot.policy)
    assert {name: one.points for name, one in after.items()} == {
        name: one.points for name, one in before.items()
    }
    assert bot.points < 1500
    assert bot.player.verified
    assert "Pushover" in page()
    assert "bot, verified" in page()
    link = f'<a href="{play.bot.get_absolute_url()}">Pushover</a>'
    for address in ("/leaderboard/", "/leaderboard/suites/"):
        assert page(address).count(link) == 1


def test_the_bargains_of_a_bot_do_not_stay_in_memory(published: Run) -> None:
    plays_out()
    found = newest()
    assert found is not None
    (bot,) = policy_table.results(found)
    assert policy_table.distance_of(bot, found) is not None
    assert "rows" in bot.play.get_deferred_fields()


def test_an_unverified_bot_is_shown_and_ranks_nobody(published: Run) -> None:
    play = plays_out()
    Play.objects.filter(pk=play.pk).update(verified_at=None)
    policy_table.refresh_policies()
    bot = places()[play.bot.policy]
    assert bot.ranks is None
    assert "bot, unverified" in page()
    Play.objects.filter(pk=play.pk).update(verified_at=play.verified_at)
    assert policy_table.refresh_policies(), "what was verified since is another table"


def test_a_bot_that_met_other_versions_stays_out(published: Run) -> None:
    play = plays_out()
    config = play.run.config
    config["suites"][0]["seller"] = "rule:default@0#000000000000"
    Run.objects.filter(pk=play.pk).update(config=config)
    policy_table.refresh_policies()
    assert play.bot.policy not in places()
    assert "Pushover" not in page()


def test_a_withdrawn_bot_is_gone_from_the_page_at_once(published: Run) -> None:
    play = plays_out()
    policy_table.refresh_policies()
    Bot.objects.filter(pk=play.bot_id).update(withdrawn_at=play.verified_at)
    assert "Pushover" not in page()


def test_a_bots_distance_is_measured_on_its_own_seeds_alone(published: Run) -> None:
    play = plays_out()

    shown = newest()
    assert shown is not None
    (result,) = policy_table.results(shown)
    distance = policy_table.distance_of(result, shown)
    assert distance is not None
    assert set(distance.against) == set(results.REFERENCES)
    assert distance.points < 0 < distance.variance
    assert {row.seed for row in results.stored_rows(play)}.isdisjoint(range(EPISODES + 10))
