"""One sealed game a day: fair to check afterwards, impossible to know before, one try each."""

import datetime as dt
import hashlib
import io
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client
from PIL import Image

from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.sealed import commitment
from bazaarbatna.money import rupees_text
from negotiation import ttl_cache
from negotiation.bargain import sessions
from negotiation.bargain.game import position_of
from negotiation.bargain.house import Others, others_of
from negotiation.bargain.scenarios import stored_scenario
from negotiation.catalogue.shelving import CONTENT
from negotiation.games.fork import fork
from negotiation.games.game import Choice
from negotiation.models import Game, Listing
from replays.daily import days, house, opened, views
from replays.daily.card import histogram
from replays.daily.drawing import LEAST_ZONE, catalogue, catalogue_digest, commitment_of, deal
from replays.daily.results import Result, Standing, result_of, squares_of, standing_of, streak_of
from replays.daily.tasks import find_line
from replays.finished import replay_frames
from replays.models import DailyGame, DailyTry
from replays.preview.views import StillSealed, publish
from replays.sealed_days import INDIA, day_of, is_open, opens_at
from replays.transfer.export import document, to_json
from replays.transfer.importing import import_replay
from tests.support.visitors import a_visitor, key_of

NOON = dt.datetime(2026, 11, 25, 12, 0, tzinfo=INDIA)
DAY = NOON.date()


@pytest.fixture(autouse=True)
def clock(request: pytest.FixtureRequest) -> Iterator[time_machine.Traveller]:
    """Noon in India, as long as a test does not move it; nothing is kept of an earlier test."""
    ttl_cache.forget()
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def begins(client: Client) -> Game:
    """Press the button of the page."""
    answer = client.post("/daily/")
    assert answer.status_code == 302, answer.content
    return Game.objects.get(pk=answer["Location"].strip("/").split("/")[-1])


def ends(game: Game, *, deal: bool = True) -> Game:
    """Let Sauda bid once, then take it back to the floor, or walk."""
    sessions.opponent_turn(game.pk)
    if not deal:
        sessions.play(game.pk, game.owner, Walk())
    while (state := position_of(Game.objects.get(pk=game.pk)).state).ended is None:
        floor = state.scenario.sealed.reservation
        bid = state.standing_bid or 0
        sessions.play(game.pk, game.owner, Accept() if bid >= floor else Offer(floor))
        sessions.opponent_turn(game.pk)
    game.refresh_from_db()
    return game


def page(client: Client, path: str = "/daily/") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def secrets_of(game: Game) -> dict[str, re.Pattern[str]]:
    """What nobody may find of a finished game: its budget, price and seed as people and programs
    write them, its salt, its day's secret."""
    scenario = stored_scenario(game)
    assert game.deal_price is not None
    secret = DailyGame.objects.get(pk=day_of(game.created_at)).secret
    return {
        "budget": written(scenario.sealed.budget, money=True),
        "price": written(game.deal_price, money=True),
        "seed": written(scenario.sealed.seed, money=False),
        "salt": re.compile(scenario.salt),
        "secret": re.compile(secret),
    }


def written(number: int, *, money: bool) -> re.Pattern[str]:
    """A value of JSON or of a form, in paise or rupees; or a price with its sign."""
    bare = rf"{number}|{number / 100:.2f}|{number / 100:g}|{number / 100:.1f}" if money else number
    valued = rf"""(?:["']|&quot;):\s*["']?(?:{bare})(?![.\d])"""
    attribute = rf"""\b(?:value|data-[\w-]+)=["'](?:{bare})["']"""
    told = rf"|{re.escape(rupees_text(number / 100))}(?![,.]?\d)" if money else ""
    return re.compile(f"{valued}|{attribute}{told}")


def found_in(text: str, hidden: dict[str, re.Pattern[str]]) -> set[str]:
    return {name for name, pattern in hidden.items() if pattern.search(text)}


# The draw


def test_the_same_secret_deals_the_same_game_and_the_promise_is_what_a_shell_prints() -> None:
    secret = "ab" * 32
    assert deal(secret) == deal(secret)
    assert deal(secret) != deal("cd" * 32)
    assert commitment_of(secret) == hashlib.sha256(secret.encode()).hexdigest()


@pytest.mark.parametrize("number", range(40))
def test_every_game_leaves_room_for_a_deal(number: int) -> None:
    dealt = deal(hashlib.sha256(str(number).encode()).hexdigest())
    scenario = dealt.scenario
    assert scenario.zopa >= LEAST_ZONE * scenario.anchor
    assert dealt.source_key in {one.source_key for one in catalogue()}


def test_a_narrow_zone_is_dealt_again() -> None:
    """By the first rule of budgets: around a thing's worth no zone of the catalogue is narrow."""
    secrets = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(60)]
    draws = [deal(secret, rule=1).draw for secret in secrets]
    assert max(draws) > 0 == min(draws)


# The clock


def test_a_day_is_indian_and_opens_an_hour_after_its_midnight(
    clock: time_machine.Traveller,
) -> None:
    late = dt.datetime(2026, 11, 25, 23, 59, tzinfo=INDIA)
    assert day_of(late) == DAY == day_of(late.astimezone(dt.UTC))
    assert day_of(late + dt.timedelta(minutes=1)) == DAY + dt.timedelta(days=1)
    assert opens_at(DAY) == dt.datetime(2026, 11, 26, 1, 0, tzinfo=INDIA)
    clock.move_to(opens_at(DAY) - dt.timedelta(seconds=1))
    assert not is_open(DAY)
    clock.move_to(opens_at(DAY))
    assert is_open(DAY)


# Rows


@pytest.mark.django_db
def test_days_are_made_ahead_once_and_promised_before_they_come(
    clock: time_machine.Traveller,
) -> None:
    first = days.today()
    assert first.day == DAY
    assert DailyGame.objects.count() == days.AHEAD
    before = dict(DailyGame.objects.values_list("day", "secret"))
    clock.move_to(NOON + dt.timedelta(days=20))
    later = days.today()
    assert later.secret == before[later.day]
    assert later.made_at < dt.datetime.combine(later.day, dt.time(), INDIA)
    assert DailyGame.objects.filter(day__gt=later.day).count() == days.AHEAD - 1


@pytest.mark.django_db
def test_a_second_process_that_makes_the_same_days_changes_none() -> None:
    days.today()
    before = dict(DailyGame.objects.values_list("day", "secret"))

    rows = [days._made(day) for day in before]
    DailyGame.objects.bulk_create(rows, ignore_conflicts=True)
    assert dict(DailyGame.objects.values_list("day", "secret")) == before


@pytest.mark.django_db
def test_secrets_are_made_anew_for_days_that_nobody_has_begun() -> None:
    today = days.today()
    before = dict(DailyGame.objects.values_list("day", "secret"))
    assert days.rotate(DAY - dt.timedelta(days=3)) == days.AHEAD - 1
    after = dict(DailyGame.objects.values_list("day", "secret"))
    assert after[today.day] == before[today.day]
    assert all(after[day] != before[day] for day in before if day != today.day)


# One try


@pytest.mark.django_db
def test_two_clocks_say_what_each_of_them_ends() -> None:
    """Begin before midnight, finish within an hour after it: two moments, an hour apart."""
    asha = a_visitor()
    shown = re.sub(r"\s+", " ", page(asha))
    moments = re.findall(r"<dt>(Last \w+)</dt><dd><time datetime=\"([^\"]+)\"", shown)
    assert [name for name, _ in moments] == ["Last start", "Last finish"]
    first, last = (dt.datetime.fromisoformat(moment) for _, moment in moments)
    assert last - first == dt.timedelta(hours=1)
    strip = page(asha, f"/daily/strip/{begins(asha).pk}/")
    told = re.search(r'last finish <time datetime="([^"]+)"', strip)
    assert told is not None
    assert dt.datetime.fromisoformat(told[1]) == last
    assert "in the last one you take her bid or not" in shown


@pytest.mark.django_db
def test_everybody_is_dealt_the_same_cards_and_a_second_post_leads_back() -> None:
    asha, bilal = a_visitor(), a_visitor()
    one, other = begins(asha), begins(bilal)
    assert one.pk != other.pk
    assert stored_scenario(one) == stored_scenario(other)
    assert begins(asha) == one
    ends(one)
    assert begins(asha) == one
    assert DailyTry.objects.filter(visitor=key_of(asha)).count() == 1


@pytest.mark.django_db
def test_two_tabs_at_once_make_one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    asha = a_visitor()
    first = days.begin(key_of(asha), "client")
    seen, real = [], days.try_of

    def late(day: dt.date, visitor: str) -> DailyTry | None:
        seen.append(day)
        return None if len(seen) == 1 else real(day, visitor)

    monkeypatch.setattr(days, "try_of", late)
    assert days.begin(key_of(asha), "client") == first
    assert Game.objects.filter(owner=key_of(asha)).count() == 1


@pytest.mark.django_db
def test_the_database_itself_refuses_a_second_try() -> None:
    row = days.today()
    game = days.begin("asha", "c")
    other = days._dealt(row, "asha", "c")
    assert game != other
    with pytest.raises(IntegrityError):
        DailyTry.objects.create(day=row, visitor="asha", game=other)


@pytest.mark.django_db
def test_a_game_that_was_left_is_the_try(clock: time_machine.Traveller) -> None:
    asha = a_visitor()
    game = begins(asha)
    assert "Go on with your game" in page(asha)
    assert standing_of(DAY).total == 0
    assert begins(asha) == game


@pytest.mark.django_db
def test_a_game_belongs_to_the_day_it_began_and_counts_if_it_ends_before_that_opens(
    clock: time_machine.Traveller,
) -> None:
    clock.move_to(dt.datetime(2026, 11, 25, 23, 50, tzinfo=INDIA))
    asha, bilal = a_visitor(), a_visitor()
    in_time, too_late = begins(asha), begins(bilal)
    clock.move_to(dt.datetime(2026, 11, 26, 0, 40, tzinfo=INDIA))
    secret = DailyGame.objects.get(pk=DAY).secret
    text = page(asha)
    assert "still counts" in text
    assert "It opens at 01:00" in text
    assert secret not in text + page(asha, "/daily/days.json")
    assert asha.get(f"/daily/{DAY}/").status_code == 404
    ends(in_time)
    clock.move_to(dt.datetime(2026, 11, 26, 1, 10, tzinfo=INDIA))
    ends(too_late)
    assert standing_of(DAY).total == 1
    assert streak_of(key_of(asha), DAY + days.DAY) == 1
    assert streak_of(key_of(bilal), DAY + days.DAY) == 0
    assert secret in page(asha)
    assert begins(asha) != in_time


@pytest.mark.django_db
def test_a_streak_grows_by_days_in_a_row_and_breaks(clock: time_machine.Traveller) -> None:
    asha = a_visitor()
    for day in range(3):
        clock.move_to(NOON + dt.timedelta(days=day))
        assert streak_of(key_of(asha), DAY + day * days.DAY) == day
        ends(begins(asha))
        assert streak_of(key_of(asha), DAY + day * days.DAY) == day + 1
    assert "3 days in a row" in page(asha)
    assert streak_of(key_of(asha), DAY + 4 * days.DAY) == 0


# What stays sealed


@pytest.mark.django_db
def test_nobody_else_learns_anything_of_a_finished_game_before_its_day_opens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = itertools.count()

    def drawn(size: int = 32) -> str:
        return hashlib.sha256(f"drawn {next(numbers)}".encode()).hexdigest()[: 2 * size]

    monkeypatch.setattr(days.secrets, "token_hex", drawn)
    asha, chetan = a_visitor(), a_visitor()
    game = ends(begins(asha))
    own = DailyTry.objects.get(game=game)
    hidden = secrets_of(game)
    everything = {"budget", "seed", "price", "salt"}
    assert found_in(page(asha, f"/replays/{game.pk}.json"), hidden) == everything
    assert {"budget", "price"} <= found_in(page(asha, f"/replays/{game.pk}/"), hidden)
    begins(chetan)
    seen = [page(chetan, path) for path in (
        "/", "/daily/", "/daily/days.json", f"/daily/card/{own.token}/", "/replays/",
        "/api/replays/", "/replays/?source=person", "/leaderboard/",
    )]  # fmt: skip
    for text in seen:
        assert found_in(text, hidden) == set()
    for path in ("/", ".json", "/card.png", "/grades/", "/grades.json"):
        assert chetan.get(f"/replays/{game.pk}{path}").status_code == 404
    said = [frame["seq"] for frame in replay_frames(game) if frame["event"].get("text")]
    assert said, "the owner has no line whose picture could be sent on"
    for seq in said:
        assert asha.get(f"/replays/{game.pk}/card.png?seq={seq}").status_code == 404
    assert chetan.get(f"/api/sell/{game.pk}/").status_code == 404
    assert chetan.get(f"/daily/{DAY + days.DAY}/").status_code == 404
    answer = chetan.post(
        f"/api/replays/{game.pk}/fork/", {"seq": 2, "action": "walk"}, "application/json"
    )
    assert answer.status_code == 404


@pytest.mark.django_db
def test_the_results_and_the_house_are_shown_only_after_the_own_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asha, chetan = a_visitor(), a_visitor()
    ends(begins(asha))
    begins(chetan)
    assert "daily-histogram" not in page(chetan)
    before = page(chetan)
    assert "daily-house" not in before
    assert "Par is" not in before
    assert "daily-histogram" not in page(asha)
    assert "Your streak" not in page(asha), "a day alone is no row"
    own = Game.objects.get(owner=key_of(asha))
    assert others_of(own, own.seller_share or 0.0) == Others(), "a day is measured by its par"
    assert "1 person has finished this game. From 5 on" in page(asha)
    monkeypatch.setattr(views, "DRAWN_FROM", 1)
    told = page(asha)
    assert "daily-histogram" in told
    assert "daily-house" in told
    par = house.par_of(house.house_results(days.today()))
    assert par is not None
    shown = re.search(r"Par is (\d+)\s*%, what the best of our own sellers kept", told)
    assert shown is not None
    assert int(shown[1]) == round(100 * par.share)
    row = re.search(r'<tr class="is-par">.*?</tr>', told)
    assert row is not None
    assert par.keeper in row[0]


def test_par_is_the_best_deal_of_the_house_and_there_need_not_be_one() -> None:
    failed, small, large = (
        house.HouseResult("seller:firm", share, 10, outcome)
        for share, outcome in ((0.0, "expired"), (0.2, "deal"), (0.6, "deal"))
    )
    assert house.par_of([small, large, failed]) == large
    assert house.par_of([failed]) is None


@pytest.mark.django_db
def test_a_day_tells_of_its_zone_as_its_own_page_does_and_nothing_of_first_games() -> None:
    asha = a_visitor()
    assert "There is always a price that suits both of you." in page(asha)
    assert "nobody yet" in page(asha)
    game = begins(asha)
    told = page(asha, f"/sell/{game.pk}/")
    brief = asha.get(f"/api/sell/{game.pk}/").json()["brief"]["walking_away"]
    assert brief == "There is always a price that suits both of you here."
    assert brief in told
    assert "first two games" not in told


@pytest.mark.django_db
def test_a_sealed_game_cannot_be_published_not_as_a_what_if_and_not_as_a_file(
    clock: time_machine.Traveller,
) -> None:
    asha = a_visitor()
    key = key_of(asha)
    game = ends(begins(asha))
    child = fork(game, 3, Choice("walk"), key)
    copy = import_replay(key, to_json(document(game))).game
    cards = msgspec.structs.replace(stored_scenario(game), salt="of its own")
    again = sessions.open_dealt(key, cards, game.policy)
    ends(again)
    for one in (game, child, copy, again):
        assert not one.share_replay
        with pytest.raises(StillSealed):
            publish(one, key)
        asha.post(f"/replays/{one.pk}/share/", {"public": "1"})
        one.refresh_from_db()
        assert not one.share_replay
    assert "everybody sees the talk" not in page(asha, f"/replays/{game.pk}/")
    assert standing_of(DAY).total == 1
    clock.move_to(opens_at(DAY))
    publish(game, key)
    game.refresh_from_db()
    assert game.share_replay


def plays_again(client: Client, game: Game) -> Game:
    """Press "Same cards, once more"."""
    answer = client.post(f"/sell/{game.pk}/again/")
    assert answer.status_code == 302
    return Game.objects.get(pk=answer["Location"].split("/")[2])


def invites(client: Client, game: Game) -> str | None:
    """Ask for a link to look on."""
    answer = client.post(f"/sell/{game.pk}/guests/")
    assert answer.status_code == 302
    game.refresh_from_db()
    return game.watch_key


@pytest.mark.django_db
def test_nobody_looks_on_at_a_daily_game_nor_at_its_cards_played_again() -> None:
    asha = a_visitor()
    game = begins(asha)
    assert "Let a friend watch" not in page(asha, f"/sell/{game.pk}/")
    assert invites(asha, game) is None
    again = plays_again(asha, ends(game))
    assert "Let a friend watch" not in page(asha, f"/sell/{again.pk}/")
    assert invites(asha, again) is None


@pytest.mark.django_db
def test_an_ordinary_sale_has_a_link_to_look_on() -> None:
    asha = a_visitor()
    own = {"title": "Brass lamp", "asking_price": "1800", "reservation_price": "1000"}
    asha.post("/sell/new/", own)
    game = Game.objects.get(owner=key_of(asha))
    assert "Let a friend watch" in page(asha, f"/sell/{game.pk}/")
    assert invites(asha, game) is not None


@pytest.mark.django_db
def test_the_same_cards_played_again_are_no_second_try() -> None:
    asha = a_visitor()
    first = ends(begins(asha), deal=False)
    again = ends(plays_again(asha, first))
    assert again.rematch_of == first
    assert again.is_daily
    standing = standing_of(DAY, key_of(asha))
    assert (standing.total, standing.no_deal, standing.own) == (1, 1, -1)
    assert begins(asha) == first
    assert "That was your try" in page(asha, f"/sell/{first.pk}/")
    shown = page(asha, f"/sell/{again.pk}/").split("sale-outcome", 1)[1]
    assert "practice" in shown
    for told in ("That was your try", "See today", "Sharing opens"):
        assert told not in shown
    assert f"/replays/{again.pk}/share/" not in shown
    assert "verdict-stars" in shown


@pytest.mark.django_db
def test_what_a_player_learns_at_the_end_opens_no_other_day() -> None:
    game = ends(begins(a_visitor()))
    known = stored_scenario(game)
    for row in DailyGame.objects.exclude(day=DAY):
        other = days.scenario_of(row)
        assert row.secret not in msgspec.json.encode(known).decode()
        assert (other.salt, other.sealed.seed) != (known.salt, known.sealed.seed)
    text = page(a_visitor(), "/daily/") + page(a_visitor(), "/daily/days.json")
    for row in DailyGame.objects.all():
        assert row.secret not in text
        assert days.scenario_of(row).salt not in text
    coming = days.scenario_of(DailyGame.objects.get(pk=DAY + days.DAY))
    assert coming.item.title not in text


# What is opened


@pytest.mark.django_db
def test_yesterday_is_opened_and_everybody_can_check_it(clock: time_machine.Traveller) -> None:
    asha = a_visitor()
    game = ends(begins(asha))
    seal = commitment(stored_scenario(game).sealed, stored_scenario(game).salt)
    promise = DailyGame.objects.get(pk=DAY).commitment
    assert promise in page(a_visitor())
    clock.move_to(NOON + dt.timedelta(days=1))
    find_line(DAY.isoformat())
    text = page(a_visitor())
    assert "daily-line" in text
    assert "still looking" not in text
    row = DailyGame.objects.get(pk=DAY)
    assert row.secret in text
    assert promise in text
    assert hashlib.sha256(row.secret.encode()).hexdigest() == promise
    told = io.StringIO()
    call_command("daily", "--open", row.secret, stdout=told)
    dealt = json.loads(told.getvalue())
    assert (dealt["commitment"], dealt["game"]["seal"]) == (promise, seal)
    assert dealt["game"]["sealed"]["budget"] == stored_scenario(game).sealed.budget
    (line,) = [one for one in json.loads(page(asha, "/daily/days.json"))["days"]
               if one["day"] == DAY.isoformat()]  # fmt: skip
    assert line["secret"] == row.secret
    assert line["game"] == dealt["game"]
    assert page(asha, f"/daily/{DAY}/").count("has finished this game.") == 1


OF_THE_FIRST_RULE = "a12ec22f50e2fa958afff4ce242c31e9c5c594812182866acd27c696d22574b8"
"""What sixty secrets have always dealt of five lamps."""


def test_days_of_the_first_rule_are_dealt_again_as_they_were() -> None:
    goods = tuple(
        Listing(
            title=f"Lamp {n}",
            list_price=200_000 + 50_000 * n,
            street_price=150_000,
            source_key=f"lamp-{n}",
        )
        for n in range(5)
    )
    secrets = [hashlib.sha256(str(n).encode()).hexdigest() for n in range(60)]
    dealt = [deal(secret, goods, rule=1) for secret in secrets]
    told = [(one.source_key, one.draw, one.scenario.sealed.budget) for one in dealt]
    assert hashlib.sha256(repr(told).encode()).hexdigest() == OF_THE_FIRST_RULE
    content = [[getattr(one, name) for name in ("source_key", *CONTENT)] for one in catalogue()]
    assert catalogue_digest(1) == hashlib.sha256(msgspec.json.encode(content)).hexdigest()


@pytest.mark.django_db
def test_a_day_of_the_first_rule_is_opened_by_it(clock: time_machine.Traveller) -> None:
    days.today()
    row = DailyGame.objects.get(pk=DAY)
    row.scenario = msgspec.json.encode(deal(row.secret, rule=1).scenario)
    row.goods = catalogue_digest(1)
    row.save()
    sealed = days.scenario_of(row).sealed
    assert row.goods != catalogue_digest()
    for words in ([], ["--rule", "1"]):
        told = io.StringIO()
        call_command("daily", "--open", row.secret, *words, stdout=told)
        dealt = json.loads(told.getvalue())
        assert dealt["catalogue"] == row.goods
        assert dealt["game"]["sealed"]["budget"] == sealed.budget
    # A site that knows nothing of the day takes the newest one, unless it is told.
    row.delete()
    told = io.StringIO()
    call_command("daily", "--open", row.secret, stdout=told)
    assert json.loads(told.getvalue())["catalogue"] == catalogue_digest()


@pytest.mark.django_db
def test_the_best_line_is_a_game_by_the_rules_and_at_least_as_good_as_the_house(
    clock: time_machine.Traveller,
) -> None:
    row = days.today()
    best = house.find_best_line(row)
    results = house.house_results(row)
    assert best.share >= max(one.share for one in results)
    assert {one.policy for one in results} == set(house.SELLERS)
    sealed = days.scenario_of(row).sealed
    last = best.steps[-1]
    assert last.price is not None
    assert best.share == pytest.approx(
        (last.price - sealed.reservation) / (sealed.budget - sealed.reservation), abs=1e-6
    )
    asks = [one.price for one in best.steps if (one.actor, one.kind) == ("seller", "offer")]
    assert asks == sorted(asks, key=lambda price: -(price or 0))


@pytest.mark.django_db
def test_a_line_is_looked_for_once_and_never_of_a_sealed_day(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = days.today()
    find_line(row.day.isoformat())
    row.refresh_from_db()
    assert row.best_line is None
    asked: list[str] = []
    monkeypatch.setattr(opened, "enqueue_soon", lambda task, day: asked.append(day))
    assert opened.opened(row) is None
    clock.move_to(opens_at(row.day))
    for _ in range(3):
        shown = opened.opened(row)
        assert shown is not None
        assert shown.best is None
    assert asked == [row.day.isoformat()]


@pytest.mark.django_db
def test_one_worker_looks_at_a_time_and_after_three_that_broke_off_nobody(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = days.today()
    looked: list[dt.date] = []

    def breaks_off(row: DailyGame) -> house.Best:
        looked.append(row.day)
        raise RuntimeError

    monkeypatch.setattr("replays.daily.tasks.find_best_line", breaks_off)
    asked: list[str] = []
    monkeypatch.setattr(opened, "enqueue_soon", lambda task, day: asked.append(day))
    clock.move_to(NOON + dt.timedelta(days=1))
    for attempt in range(1, house.MOST_ATTEMPTS + 1):
        with pytest.raises(RuntimeError):
            find_line(row.day.isoformat())
        find_line(row.day.isoformat())
        assert len(looked) == attempt, "a second worker leaves it to the first"
        ttl_cache.forget()
        assert "still looking" in page(a_visitor())
        clock.shift(house.SEARCH.seconds + 1)
    assert len(asked) == house.MOST_ATTEMPTS
    find_line(row.day.isoformat())
    assert len(looked) == house.MOST_ATTEMPTS
    ttl_cache.forget()
    text = page(a_visitor())
    assert "each time the search broke off" in text
    assert "still looking" not in text
    assert len(asked) == house.MOST_ATTEMPTS, "nobody is asked any more"


def test_the_search_is_claimed_for_longer_than_the_job_may_run() -> None:
    assert house.SEARCH.seconds > find_line.time_limit


@pytest.mark.django_db
def test_a_line_that_was_found_is_not_looked_for_again(
    clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = days.today()
    clock.move_to(opens_at(row.day))
    DailyGame.objects.filter(pk=row.pk).update(best_line={"share": 0.5, "steps": []})
    monkeypatch.setattr("replays.daily.tasks.find_best_line", lambda row: pytest.fail("again"))
    find_line(row.day.isoformat())


@pytest.mark.django_db
def test_an_own_end_is_counted_at_once_whatever_is_kept_for_others() -> None:
    asha, bilal, chetan = (a_visitor() for _ in range(3))
    ends(begins(asha))
    assert "You are the first to finish today." in page(asha)
    assert standing_of(DAY).total == 1
    ends(begins(bilal))
    assert standing_of(DAY).total == 1, "kept a few seconds"
    shown = page(bilal)
    assert "You are the first" not in shown
    assert "2 people have finished this game." in shown
    assert "<dd>2</dd>" in page(chetan), "now known to everybody"


@pytest.mark.django_db
def test_a_page_reads_each_thing_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asha = a_visitor()
    ends(begins(asha))
    read: Counter[str] = Counter()
    for name in ("result_of", "streak_of", "standing_of"):
        real = getattr(views, name)

        def seen(*given: Any, name: str = name, real: Any = real) -> Any:
            read[name] += 1
            return real(*given)

        monkeypatch.setattr(views, name, seen)
    page(asha)
    assert read == {"result_of": 1, "streak_of": 1, "standing_of": 1}


# The card


def test_squares_tell_who_moved_whatever_the_price() -> None:
    asks, bids = [1000, 1000, 980, 900, 899], [500, 520, 520, 640]
    dear = [[1_000_000 + 37 * price for price in prices] for prices in (asks, bids)]
    assert squares_of(asks, bids) == squares_of(dear[0], dear[1])
    assert squares_of(asks, bids) == (("held", "small", "big", "small"), ("small", "held", "big"))


@pytest.mark.django_db
def test_squares_have_rounds_above_and_say_whose_they_are() -> None:
    asha = a_visitor()
    game = begins(asha)
    sessions.opponent_turn(game.pk)
    ask = stored_scenario(game).anchor
    for _ in range(3):
        ask = Paise(ask - 100)
        sessions.play(game.pk, key_of(asha), Offer(ask))
        sessions.opponent_turn(game.pk)
    sessions.play(game.pk, key_of(asha), Accept())
    told = result_of(DailyTry.objects.get(game=game))
    assert (len(told.squares), len(told.hers)) == (3, 3)
    rows = re.findall(r'<p class="daily-squares.*?</p>', page(asha), re.S)
    rounds, mine, hers = (re.sub(r"<[^>]+>", " ", row).split() for row in rows)
    assert rounds == ["Round", "1", "2", "3", "4"]
    assert mine[0] == "You"
    assert hers[0] == "Sauda"
    # Her first bid is no step: what she did after an ask stands one place further.
    assert rows[2].count('<span class="daily-square') == 1 + len(told.hers)
    own = DailyTry.objects.get(game=game)
    shared = re.findall(
        r'<p class="daily-squares.*?</p>', page(a_visitor(), f"/daily/card/{own.token}/"), re.S
    )
    assert re.sub(r"<[^>]+>", " ", shared[1]).split()[0] == "Seller"


def test_even_steps_are_small_and_one_move_alone_is_no_leap() -> None:
    assert squares_of([900, 800, 700], [100, 200]) == (("small", "small"), ("small",))
    assert squares_of([900, 800], [100]) == (("small",), ())
    assert squares_of([900, 900], []) == (("held",), ())
    assert squares_of([900, 890, 880], [100, 500]) == (("small", "small"), ("big",))


@pytest.mark.parametrize(
    ("share", "stars"), [(0.0, 0), (0.2, 1), (0.21, 2), (0.6, 3), (0.99, 5), (1.0, 5)]
)
def test_stars_are_fifths_of_the_zone(share: float, stars: int) -> None:
    assert Result(share, 3, (), (), "deal").verdict.stars == stars
    assert Result(share, 3, (), (), "left").verdict.stars == 0


@pytest.mark.django_db
def test_a_card_tells_neither_goods_nor_prices() -> None:
    asha = a_visitor()
    game = ends(begins(asha))
    scenario = stored_scenario(game)
    own = DailyTry.objects.get(game=game)
    text = page(a_visitor(), f"/daily/card/{own.token}/")
    shared = page(asha).split("<textarea")[1].split(">", 1)[1].split("</textarea")[0]
    for told in (text, shared):
        assert scenario.item.title not in told
        assert scenario.item.category not in told
        assert "₹" not in told
        assert game.pk not in told
    assert re.search("[★☆]{5}", shared)
    assert own.token in shared
    mine, hers = result_of(own).signs
    assert not set(mine) & set(hers), "the rows look alike"
    assert (
        f"Seller {mine}\nSauda {hers}\n" in f"{shared}\n" if hers else f"Seller {mine}\n" in shared
    )
    assert 'property="og:image"' in text
    image = a_visitor().get(f"/daily/card/{own.token}.png")
    assert Image.open(io.BytesIO(image.content)).size == (1200, 630)
    again = a_visitor().get(
        f"/daily/card/{own.token}.png", headers={"If-None-Match": image["ETag"]}
    )
    assert again.status_code == 304
    for answer in (image, again):
        assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))


@pytest.mark.django_db
def test_a_live_game_has_no_card() -> None:
    game = begins(a_visitor())
    own = DailyTry.objects.get(game=game)
    for path in ("/", ".png"):
        assert a_visitor().get(f"/daily/card/{own.token}{path}").status_code == 404
    assert a_visitor().get("/daily/card/nothing/").status_code == 404


@pytest.mark.django_db
def test_the_end_of_the_game_leads_to_the_table() -> None:
    asha = a_visitor()
    game = ends(begins(asha))
    assert 'href="/daily/"' in page(asha, f"/sell/{game.pk}/").split("sale-outcome", 1)[1]


@pytest.mark.django_db
def test_results_are_counted_in_tenths_and_ones_own_is_marked() -> None:
    visitors = [a_visitor() for _ in range(3)]
    games = [begins(one) for one in visitors]
    ends(games[0], deal=False)
    ends(games[1])
    standing = standing_of(DAY, key_of(visitors[1]))
    assert (standing.total, standing.no_deal, sum(standing.bars)) == (2, 1, 1)
    assert (standing.worse, standing.others) == (1, 1)
    assert standing.own is not None
    assert standing.bars[standing.own] == 1
    assert standing_of(DAY, key_of(visitors[0])).own == -1
    assert standing_of(DAY, key_of(visitors[2])).own is None


def test_an_empty_histogram_says_so_in_words() -> None:
    drawn = histogram(Standing(0, 0, (0,) * 10, None), "x")
    assert "Nobody has finished yet." in drawn


# The command


@pytest.mark.django_db
def test_the_command_lists_what_is_promised_and_refuses_what_is_no_secret() -> None:
    told = io.StringIO()
    call_command("daily", "--days", "40", stdout=told)
    assert "Made ahead: 39 days." in told.getvalue()
    for row in DailyGame.objects.all():
        assert row.commitment in told.getvalue()
        assert row.secret not in told.getvalue()
    call_command("daily", "--rotate", "2026-12-01", stdout=told)
    with pytest.raises(CommandError):
        call_command("daily", "--rotate", "tomorrow")
    with pytest.raises(CommandError):
        call_command("daily", "--open", "abc")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/daily/2026-02-31/", "/daily/2020-01-01/", "/daily/2027-01-01/"])
def test_days_without_a_game_are_not_there(path: str) -> None:
    assert a_visitor().get(path).status_code == 404


@pytest.mark.django_db
def test_today_has_one_page() -> None:
    answer = a_visitor().get(f"/daily/{DAY}/")
    assert (answer.status_code, answer["Location"]) == (302, "/daily/")
