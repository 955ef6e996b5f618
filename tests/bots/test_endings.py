"""Plays that end otherwise than by their last move: nothing is left under way for ever."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from bazaarbatna.envs.openenv.errors import Unplayable
from tests.support.bots import plays_all_games
from training.bots import plays, results
from training.bots.models import Bot, Play
from training.bots.owners import withdraw
from training.bots.socket import Seat
from training.bots.tasks import advance
from training.models import Run

Brought = Callable[..., Bot]


def play_of(bot: Bot) -> Play:
    return Play.objects.select_related("run", "bot").get(bot=bot)


def sellers_change(bot: Bot) -> None:
    run = play_of(bot).run
    run.config["suites"][0]["seller"] = "rule:default@0#000000000000"
    run.save(update_fields=["config"])


def test_a_client_whose_sellers_change_in_a_game_is_told_once_and_may_begin_anew(
    brought: Brought, posted: list[str]
) -> None:
    bot = brought()
    seat = Seat(bot, "one")
    seat.next_game()
    sellers_change(bot)
    with pytest.raises(Unplayable, match="have changed"):
        seat.next_game()
    play = play_of(bot)
    assert play.run.status == Run.Status.FAILED
    assert "have changed" in play.run.note
    assert plays.begin_play(bot, 1).pk != play.pk


def test_a_client_whose_sellers_change_before_its_check_keeps_its_result_and_begins_anew(
    brought: Brought, posted: list[str]
) -> None:
    bot = brought()
    plays_all_games(bot, "one")
    assert advance(play_of(bot).pk) == "over"
    assert plays.awaits_check(play_of(bot))
    sellers_change(bot)
    with pytest.raises(Unplayable, match="have changed"):
        Seat(bot, "two").next_game()
    play = play_of(bot)
    assert play.run.status == Run.Status.DONE
    assert not play.is_verified
    assert play.opened_at is not None
    assert "have changed" in play.run.summary["bot"]["agreement"]["note"]
    assert plays.begin_play(bot, 1).pk != play.pk


def test_a_bot_withdrawn_while_its_result_is_summed_up_is_never_published(
    brought: Brought, posted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = brought()
    plays_all_games(bot, "one")
    house = results._reference_rows

    def as_it_withdraws(play: Play) -> object:
        withdraw(Bot.objects.get(pk=bot.pk))
        return house(play)

    monkeypatch.setattr(results, "_reference_rows", as_it_withdraws)
    assert advance(play_of(bot).pk) == "over"
    run = play_of(bot).run
    assert run.status == Run.Status.CANCELLED
    assert run.published_at is None
    assert run.summary is None


def test_a_client_stopped_while_its_result_is_summed_up_stays_stopped_and_goes_on_later(
    brought: Brought, posted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = brought()
    plays_all_games(bot, "one")
    house = results._reference_rows

    def as_it_is_stopped(play: Play) -> object:
        plays.stop(play, Run.Status.CANCELLED, plays.STOPPED)
        return house(play)

    monkeypatch.setattr(results, "_reference_rows", as_it_is_stopped)
    assert advance(play_of(bot).pk) == "over"
    assert play_of(bot).run.status == Run.Status.CANCELLED
    monkeypatch.undo()
    assert plays.begin_play(bot, 1).pk == play_of(bot).pk
    assert advance(play_of(bot).pk) == "over"
    assert play_of(bot).run.status == Run.Status.DONE


def test_no_receipt_of_a_withdrawn_bot_is_served_whatever_its_run_says(
    brought: Brought, posted: list[str], client: Client
) -> None:
    bot = brought()
    plays_all_games(bot, "one")
    assert advance(play_of(bot).pk) == "over"
    address = reverse("receipt-summary", args=[play_of(bot).pk])
    assert client.get(address).status_code == 200
    published_at = play_of(bot).run.published_at
    withdraw(bot)
    Run.objects.update(published_at=published_at)
    assert client.get(address).status_code == 404
