"""A bot at an address plays all suites, is summed up, and is asked again."""

import gzip
import json
import random
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from negotiation.engine.tasks import make_scenario
from tests.support.bots import HttpBot, halfway, nobody_at, reply, socket_bot
from tests.support.commands import ROOT
from training.bots import plays, results
from training.bots.errors import BotBusy
from training.bots.models import Bot, Play
from training.bots.moves import Failed, from_text
from training.bots.playing import advance, claim
from training.bots.sealing import commitment, seed_of
from training.models import Run

DOCS = ROOT / "docs"
Brought = Callable[..., Bot]


def plays_to_its_end(bot: Bot, letters: int = 12) -> Play:
    play = plays.begin_play(bot, 1)
    for _ in range(letters):
        if advance(play.pk) == "over":
            return Play.objects.select_related("run", "bot").get(pk=play.pk)
    raise AssertionError("the letters never end")


def test_a_bot_plays_every_suite_and_is_verified(brought: Brought) -> None:
    with HttpBot() as server:
        play = plays_to_its_end(brought(server.url))
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
    with HttpBot() as server:
        play = plays_to_its_end(brought(server.url))
    rows = results.stored_rows(play)
    by_policy = {name: {(r.suite, r.seed, r.game): r for r in rows if r.policy == name}
                 for name in {row.policy for row in rows}}  # fmt: skip
    ours = by_policy.pop(play.bot.policy)
    assert set(by_policy) == set(results.HOUSE)
    for theirs in by_policy.values():
        assert theirs.keys() == ours.keys()
        single = [key for key in ours if key[2] == 0]
        assert all(theirs[key].reservation == ours[key].reservation for key in single)
    summary = play.run.summary
    assert [one["policy"] for one in summary["policies"]] == [play.bot.policy, *results.HOUSE]
    assert all(one["mean"]["n"] == 7 for one in summary["policies"])
    versus = [d for d in summary["differences"] if d["first"] == play.bot.policy]
    assert {d["second"] for d in versus} == set(results.HOUSE)


def test_the_opened_key_gives_every_seed_and_was_promised_before(brought: Brought) -> None:
    with HttpBot() as server:
        bot = brought(server.url)
        play = plays.begin_play(bot, 1)
        promised = play.commitment
        while advance(play.pk) != "over":
            play.refresh_from_db()
            if play.run.summary is not None and play.opened_at is None:
                assert play.run.summary["bot"]["key"] is None
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
    with HttpBot() as server:
        play = plays_to_its_end(brought(server.url))
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
    with HttpBot() as server:
        play = plays_to_its_end(brought(server.url))
        asked = server.moves_asked
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
    play = plays.begin_play(brought(nobody_at()), 5)
    seeds = {seed_of(play.key, table.suite, table.place) for table in play.tables.all()}
    assert len(seeds) == play.tables.count() > 5
    assert "key" not in repr(play)
    assert play.key not in repr(play)


def test_a_bot_behind_a_websocket_plays_too(brought: Brought) -> None:
    with socket_bot() as url:
        play = plays_to_its_end(brought(url))
    assert play.is_verified


def test_a_bot_that_is_gone_fails_in_words_and_goes_on_where_it_was(brought: Brought) -> None:
    server = HttpBot()
    with server:
        bot = brought(server.url)
        answered = threading.Semaphore(14)

        def until_it_breaks(asked: dict[str, Any]) -> object:
            if not answered.acquire(blocking=False):
                return lambda handler: reply(handler, b"out of memory", 500)
            return halfway(asked)

        server.answerer = until_it_breaks
        play = plays.begin_play(bot, 1)
        assert advance(play.pk) == "over"
        run = Run.objects.get(pk=play.pk)
        assert run.status == Run.Status.FAILED
        assert "error status" in run.note
        assert "memory" not in run.note
        assert 0 < run.done < run.total
        kept = {table.number: table.moves for table in play.tables.all()}
        server.answerer = halfway
        again = plays_to_its_end(bot)
    assert again.pk == play.pk
    assert again.run.status == Run.Status.DONE
    for table in again.tables.filter(repeats=None):
        before = from_text(kept[table.number])
        assert from_text(table.moves)[: len(before)] == before
    assert again.run.summary["bot"]["failures"]["status"] >= 4


def test_a_bot_that_does_not_greet_back_costs_nobody_a_move(brought: Brought) -> None:
    with HttpBot(lambda _asked: {"status": "ok"}) as stranger:
        play = plays.begin_play(brought(stranger.url), 1)
        assert advance(play.pk) == "over"
        assert len(stranger.asked) == 1
    run = Run.objects.get(pk=play.pk)
    assert run.status == Run.Status.FAILED
    assert "greet" in run.note
    assert from_all(play, repeats=False) == []


def test_nonsense_now_and_then_is_held_and_counted_but_does_not_end_the_play(
    brought: Brought,
) -> None:
    def sometimes(asked: dict[str, Any]) -> object:
        return b"??" if asked.get("round") == 2 else halfway(asked)

    with HttpBot(sometimes) as server:
        play = plays_to_its_end(brought(server.url))
    assert play.run.status == Run.Status.DONE
    assert play.run.summary["bot"]["failures"]["unreadable"] > 0
    assert Failed("unreadable") in from_all(play, repeats=False)
    assert play.is_verified


def test_a_bot_that_plays_otherwise_when_asked_again_stays_unverified(brought: Brought) -> None:
    bot: list[Bot] = []

    def two_faced(asked: dict[str, Any]) -> object:
        if "hello" in asked:
            return asked
        if Run.objects_done:
            return {"action": "walk"}
        return halfway(asked)

    class Run:
        objects_done = False

    with HttpBot(two_faced) as server:
        bot.append(brought(server.url))
        play = plays.begin_play(bot[0], 1)
        while advance(play.pk) != "over":
            play.run.refresh_from_db()
            Run.objects_done = play.run.status == "done"
    play = Play.objects.select_related("run").get(pk=play.pk)
    assert play.run.status == "done"
    assert not play.is_verified
    assert play.run.summary["bot"]["agreement"]["different"] == 0
    assert play.opened_at is not None


def test_a_bot_with_chance_in_it_is_verified_by_its_mean(brought: Brought) -> None:
    luck = random.Random(3)

    def wavering(asked: dict[str, Any]) -> object:
        said = halfway(asked)
        if said.get("action") == "offer":
            said["price"] = round(said["price"] * luck.uniform(0.985, 1.0), 2)
        return said

    with HttpBot(wavering) as server:
        play = plays_to_its_end(brought(server.url))
    agreement = play.run.summary["bot"]["agreement"]
    assert agreement["same"] < 0.9 * agreement["turns"]
    assert play.is_verified


def test_a_changed_record_is_found(brought: Brought) -> None:
    with HttpBot() as server:
        bot = brought(server.url)
        play = plays.begin_play(bot, 1)
        while advance(play.pk) != "over":
            table = play.tables.filter(repeats=None, done=True).first()
            if table is not None and Run.objects.get(pk=play.pk).status == Run.Status.DONE:
                play.tables.filter(pk=table.pk).update(digests=["0" * 64])
    play = Play.objects.get(pk=play.pk)
    assert not play.is_verified
    assert play.agreement["different"] == 1


def test_a_bot_plays_one_play_at_a_time_and_one_process_holds_it(brought: Brought) -> None:
    bot = brought(nobody_at())
    play = plays.begin_play(bot, 1)
    with pytest.raises(BotBusy):
        plays.begin_play(bot, 1)
    assert claim(play.pk, "one")
    assert not claim(play.pk, "another")


def test_a_letter_for_a_held_play_comes_back_later(brought: Brought) -> None:
    play = plays.begin_play(brought(nobody_at()), 1)
    assert claim(play.pk, "another")
    assert advance(play.pk) == "later"
    Play.objects.update(held_until="2026-01-01T00:00:00Z")
    assert advance(play.pk) == "over"
    assert Play.objects.get().held_until is None


def test_a_fault_of_ours_ends_a_play_in_words_and_not_in_a_loop(
    brought: Brought, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    with HttpBot() as server:
        play = plays.begin_play(brought(server.url), 1)
        monkeypatch.setattr(results, "close", breaks)
        assert advance(play.pk) == "over"
        run = Run.objects.get(pk=play.pk)
        assert run.status == Run.Status.FAILED
        assert "our side" in run.note
        assert "secret" not in run.note
        monkeypatch.undo()
        assert "a play of a bot failed" in caplog.text
        assert play.key not in caplog.text


def test_an_operator_takes_a_bot_off_the_site(brought: Brought, admin_client: Any) -> None:
    with HttpBot() as server:
        bot = brought(server.url)
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


def test_a_stopped_play_asks_no_more(brought: Brought) -> None:
    with HttpBot() as server:
        bot = brought(server.url)
        play = plays.begin_play(bot, 1)
        Run.objects.filter(pk=play.pk).update(cancel_asked=True)
        assert advance(play.pk) == "over"
    assert Run.objects.get(pk=play.pk).status == Run.Status.CANCELLED


def test_a_play_of_other_sellers_is_not_gone_on_with(brought: Brought) -> None:
    with HttpBot() as server:
        bot = brought(server.url)
        play = plays.begin_play(bot, 1)
        config = play.run.config
        config["suites"][0]["seller"] = "rule:default@0#000000000000"
        Run.objects.filter(pk=play.pk).update(config=config)
        assert advance(play.pk) == "over"
        run = Run.objects.get(pk=play.pk)
        assert run.status == Run.Status.FAILED
        assert "have changed" in run.note
        assert server.asked == []
        assert plays.begin_play(bot, 1).pk != play.pk
