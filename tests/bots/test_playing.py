"""A bot plays all suites, is summed up, and is asked again."""

import gzip
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from bazaarbatna.bargain.sealed_seeds import commitment, seed_of
from bazaarbatna.bargain.tasks import make_scenario
from tests.support.bots import halfway, plays_all_games, plays_to_its_end
from tests.support.commands import ROOT
from training.bots import plays, results, tasks
from training.bots.games import from_text
from training.bots.models import Bot, Play
from training.bots.plays import BotBusy
from training.bots.tasks import advance, claim
from training.models import Run

DOCS = ROOT / "docs"
Brought = Callable[..., Bot]

pytestmark = pytest.mark.usefixtures("posted")


def test_a_bot_plays_every_suite_and_is_verified(brought: Brought) -> None:
    play = plays_to_its_end(brought())
    assert play.run.status == Run.Status.DONE
    assert play.run.done == play.run.total == 7
    assert play.is_verified
    told = play.run.summary["bot"]
    assert told["verified"] is True
    assert told["failures"]["answers"] == len(from_all(play, repeats=False))
    assert set(told["failures"]) == {"answers"}
    agreement = told["agreement"]
    assert (agreement["replayed"], agreement["different"]) == (7, 0)
    assert agreement["bargains"] == 7
    assert agreement["same"] == agreement["turns"] > 7


def from_all(play: Play, *, repeats: bool) -> list[object]:
    texts = play.tables.filter(repeats__isnull=not repeats).values_list("moves", flat=True)
    return [move for text in texts for move in from_text(text)]


def test_the_house_plays_the_very_same_games_and_differences_are_paired(brought: Brought) -> None:
    play = plays_to_its_end(brought())
    rows = results.stored_rows(play)
    by_policy = {name: {(r.suite, r.seed, r.game): r for r in rows if r.policy == name}
                 for name in {row.policy for row in rows}}  # fmt: skip
    ours = by_policy.pop(play.bot.policy)
    assert set(by_policy) == set(results.REFERENCES)
    for theirs in by_policy.values():
        assert theirs.keys() == ours.keys()
        single = [key for key in ours if key[2] == 0]
        assert all(theirs[key].reservation == ours[key].reservation for key in single)
    summary = play.run.summary
    assert [one["policy"] for one in summary["policies"]] == [play.bot.policy, *results.REFERENCES]
    assert all(one["mean"]["n"] == 7 for one in summary["policies"])
    versus = [d for d in summary["differences"] if d["first"] == play.bot.policy]
    assert {d["second"] for d in versus} == set(results.REFERENCES)


def test_the_opened_key_gives_every_seed_and_was_promised_before(brought: Brought) -> None:
    bot = brought()
    play = plays.begin_play(bot, 1)
    promised = play.commitment
    plays_all_games(bot, "one", halfway)
    assert advance(play.pk) == "over"
    assert Run.objects.get(pk=play.pk).summary["bot"]["key"] is None
    plays_all_games(bot, "two", halfway)
    assert advance(play.pk) == "over"
    play = Play.objects.select_related("run", "bot").get(pk=play.pk)
    key = play.run.summary["bot"]["key"]
    assert commitment(key) == promised
    for row in results.stored_rows(play):
        if row.policy == bot.policy and row.game == 0:
            assert row.seed == seed_of(key, row.suite, 0)
            assert make_scenario(row.suite, row.seed).anchor == row.anchor


def test_anybody_can_play_every_game_again_from_the_two_downloads(
    brought: Brought, client: Client
) -> None:
    play = plays_to_its_end(brought())
    base = f"/bots/{play.bot_id}/{play.pk}"
    packed = client.get(f"{base}/moves.jsonl.gz").content
    published = client.get(f"{base}/episodes.jsonl.gz").content
    rows = {(r["suite"], r["seed"], r["game"]): r["digest"]
            for r in map(json.loads, gzip.decompress(published).splitlines())
            if r["policy"] == play.bot.policy}  # fmt: skip
    code = re.findall(r"```python\n(.*?)```", (DOCS / "bots.md").read_text(), re.S)[-1]
    told: dict[str, Any] = {"packed": packed, "key": play.key}
    exec(compile(code, "docs/bots.md", "exec"), told)
    assert told["again"] == rows


def test_chetans_bot_never_sees_a_seed_a_reservation_or_an_opened_value(brought: Brought) -> None:
    bot = brought()
    play = plays.begin_play(bot, 1)
    asked = plays_all_games(bot, "one", halfway)
    assert advance(play.pk) == "over"
    asked += plays_all_games(bot, "two", halfway)
    assert advance(play.pk) == "over"
    play = Play.objects.select_related("run", "bot").get(pk=play.pk)
    rows = [row for row in results.stored_rows(play) if row.policy == play.bot.policy]
    text = json.dumps(asked)
    assert "reservation" not in text
    assert "salt" not in text
    assert "cost" not in text
    assert play.key not in text
    assert all(str(row.seed) not in text for row in rows)
    assert all(one["result"] is None for one in asked)
    names = {one["episode_id"] for one in asked}
    assert len(names) == play.tables.count(), "a repeated game is not known again by its name"


def test_no_two_suites_share_a_seed(brought: Brought) -> None:
    play = plays.begin_play(brought(), 5)
    seeds = {seed_of(play.key, table.suite, table.place) for table in play.tables.all()}
    assert len(seeds) == play.tables.count() > 5
    assert "key" not in repr(play)
    assert play.key not in repr(play)


def test_a_bot_that_plays_otherwise_when_asked_again_stays_unverified(brought: Brought) -> None:
    play = plays_to_its_end(brought(), halfway, check=lambda _seen: {"action": "walk"})
    assert play.run.status == "done"
    assert not play.is_verified
    assert play.run.summary["bot"]["agreement"]["different"] == 0
    assert play.opened_at is not None


def test_a_bot_with_chance_in_it_is_verified_by_its_mean(brought: Brought) -> None:
    luck = random.Random(3)

    def wavering(seen: dict[str, Any]) -> dict[str, Any]:
        said = halfway(seen)
        if said.get("action") == "offer":
            said["price"] = round(said["price"] * luck.uniform(0.985, 1.0), 2)
        return said

    play = plays_to_its_end(brought(), wavering)
    agreement = play.run.summary["bot"]["agreement"]
    assert agreement["same"] < 0.9 * agreement["turns"]
    assert play.is_verified


def test_a_changed_record_is_found(brought: Brought) -> None:
    bot = brought()
    play = plays.begin_play(bot, 1)
    plays_all_games(bot, "one", halfway)
    assert advance(play.pk) == "over"
    table = play.tables.filter(repeats=None, done=True).first()
    assert table is not None
    play.tables.filter(pk=table.pk).update(digests=["0" * 64])
    plays_all_games(bot, "two", halfway)
    assert advance(play.pk) == "over"
    play = Play.objects.get(pk=play.pk)
    assert not play.is_verified
    assert play.agreement["different"] == 1


def test_a_bot_plays_one_play_at_a_time_and_one_process_holds_it(brought: Brought) -> None:
    bot = brought()
    play = plays.begin_play(bot, 1)
    with pytest.raises(BotBusy):
        plays.begin_play(bot, 1)
    assert claim(play.pk, "one")
    assert not claim(play.pk, "another")


def test_a_task_for_a_held_play_comes_back_later(brought: Brought) -> None:
    bot = brought()
    play = plays.begin_play(bot, 1)
    plays_all_games(bot, "one", halfway)
    assert claim(play.pk, "another")
    assert advance(play.pk) == "later"
    Play.objects.update(held_until="2026-01-01T00:00:00Z")
    assert advance(play.pk) == "over"
    assert Play.objects.get().held_until is None


def test_a_task_that_finds_games_waiting_for_the_bot_ends(brought: Brought) -> None:
    # Such are queued where bots were called at an address until the site was updated.
    play = plays.begin_play(brought(), 1)
    assert advance(play.pk) == "over"
    assert Run.objects.get(pk=play.pk).status == Run.Status.QUEUED
    assert Play.objects.get().held_until is None


def test_a_fault_of_ours_ends_a_play_in_words_and_not_in_a_loop(
    brought: Brought, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    bot = brought()
    play = plays.begin_play(bot, 1)
    plays_all_games(bot, "one", halfway)
    monkeypatch.setattr(results, "close", breaks)
    assert advance(play.pk) == "over"
    run = Run.objects.get(pk=play.pk)
    assert run.status == Run.Status.FAILED
    assert "our side" in run.note
    assert "secret" not in run.note
    assert "a play of a bot failed" in caplog.text
    assert play.key not in caplog.text


def test_an_operator_takes_a_bot_off_the_site(brought: Brought, admin_client: Any) -> None:
    bot = brought()
    play = plays_to_its_end(bot)
    page = admin_client.get("/admin/bots/bot/")
    assert "Haggler" in page.content.decode()
    assert play.key not in page.content.decode()
    run_page = admin_client.get(f"/admin/training/run/{play.pk}/change/", follow=True)
    assert run_page.status_code == 200
    admin_client.post("/admin/bots/bot/", {"action": "take_off", "_selected_action": [bot.pk]})
    assert Bot.objects.get().withdrawn_at is not None
    assert Run.objects.get(pk=play.pk).published_at is None
    assert advance(play.pk) == "over"


def test_a_play_of_other_sellers_is_not_gone_on_with(brought: Brought) -> None:
    bot = brought()
    play = plays.begin_play(bot, 1)
    plays_all_games(bot, "one", halfway)
    config = play.run.config
    config["suites"][0]["seller"] = "rule:default@0#000000000000"
    Run.objects.filter(pk=play.pk).update(config=config)
    assert advance(play.pk) == "over"
    run = Run.objects.get(pk=play.pk)
    assert run.status == Run.Status.FAILED
    assert "have changed" in run.note
    assert plays.begin_play(bot, 1).pk != play.pk


def test_a_task_that_took_too_long_is_followed_by_another(
    brought: Brought, monkeypatch: pytest.MonkeyPatch
) -> None:
    def takes_too_long(*_: object) -> None:
        raise tasks.SoftTimeLimitExceeded

    written: list[dict[str, Any]] = []
    monkeypatch.setattr(tasks, "settle", takes_too_long)
    monkeypatch.setattr(
        tasks.play_on, "apply_async", lambda args, **how: written.append({"args": args, **how})
    )
    bot = brought()
    play = plays.begin_play(bot, 1)
    plays_all_games(bot, "one", halfway)
    tasks.play_on(play.pk)
    (task,) = written
    assert task["args"] == (play.pk,)
    assert task["countdown"] > 0
    assert plays.is_under_way(plays.latest_play(bot) or play)
