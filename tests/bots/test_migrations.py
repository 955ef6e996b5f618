"""Bots that were called at an address until the site was updated: they and their results stay."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from tests.support.bots import halfway, plays_all_games, plays_to_its_end
from training.bots import plays
from training.bots.models import Bot, Play
from training.bots.owners import bot_with_token, register
from training.bots.socket import Seat
from training.bots.tasks import advance
from training.models import Run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("few_games")]

BEFORE = [("bots", "0002_cards")]
NOW = [("bots", "0003_tokens_only")]
FAILED = '[{"kind":"failed","code":"timeout"}]'


@pytest.fixture
def migrated() -> Iterator[Callable[[list[tuple[str, str]]], Any]]:
    """Moves the tables of the bots; they are as they should be afterwards."""

    def move(to: list[tuple[str, str]]) -> Any:
        executor = MigrationExecutor(connection)
        executor.migrate(to)
        return MigrationExecutor(connection).loader.project_state(to).apps

    yield move
    move(NOW)


def test_a_called_bot_keeps_its_verified_result_and_its_token(
    migrated: Any, posted: list[str]
) -> None:
    bot, token = register("Haggler", "asha")
    play = plays_to_its_end(bot)
    assert play.is_verified
    summary = play.run.summary
    summary["bot"]["failures"] = counts = {"answers": 40, "timeout": 3}
    Run.objects.filter(pk=play.pk).update(summary=summary)
    Play.objects.update(counts=counts)
    old = migrated(BEFORE)
    old.get_model("bots", "Bot").objects.update(kind="http", url="https://bot.asha.in/move")
    migrated(NOW)
    page = Client().get(f"/bots/{bot.pk}/").content.decode()
    assert "verified" in page
    assert "The bot took too long".lower() in page.lower()
    assert "asha.in" not in page
    assert Run.objects.get(pk=play.pk).published_at == play.run.published_at
    assert Client().get(f"/bots/{bot.pk}/{play.pk}/moves.jsonl.gz").status_code == 200
    assert bot_with_token(token) == Bot.objects.get()


def test_a_called_bot_goes_on_with_its_token_where_it_stopped(
    migrated: Any, posted: list[str]
) -> None:
    bot, token = register("Haggler", "asha")
    play = plays.begin_play(bot, 1)
    first = play.tables.first()
    assert first is not None
    old = migrated(BEFORE)
    old.get_model("bots", "Bot").objects.update(kind="socket", url="wss://bot.asha.in/")
    old.get_model("training", "Run").objects.update(status="running")
    old.get_model("bots", "Table").objects.filter(pk=first.pk).update(moves=FAILED)
    migrated(NOW)
    assert advance(play.pk) == "over", "nobody calls it any more"
    bot = bot_with_token(token)
    seat = Seat(bot, "one")
    assert seat.next_game()[0]["round"] == 2
    plays_all_games(bot, "two", halfway)
    assert advance(play.pk) == "over"
    plays_all_games(bot, "three", halfway)
    assert advance(play.pk) == "over"
    play = Play.objects.select_related("run").get()
    assert play.run.status == Run.Status.DONE
    assert play.opened_at is not None
    assert play.run.summary["bot"]["failures"]["timeout"] == 1
    assert play.run.summary["bot"]["agreement"]["different"] == 0


def test_what_was_asked_to_stop_is_stopped_and_can_be_gone_on_with(
    migrated: Any, posted: list[str]
) -> None:
    bot, _ = register("Haggler", "asha")
    play = plays.begin_play(bot, 1)
    old = migrated(BEFORE)
    old.get_model("bots", "Bot").objects.update(kind="http", url="https://bot.asha.in/move")
    old.get_model("training", "Run").objects.update(status="running", cancel_asked=True)
    migrated(NOW)
    run = Run.objects.get(pk=play.pk)
    assert (run.status, run.note) == (Run.Status.CANCELLED, plays.STOPPED)
    assert plays.begin_play(Bot.objects.get(), 1).pk == play.pk
