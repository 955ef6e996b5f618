"""One rule more on each day of the week: the same for everybody, true as told, and no new leak."""

import datetime as dt
import hashlib
import re
from html import unescape

import msgspec
import pytest
import time_machine
from django.test import Client

from bazaarbatna.bargain.moves import Accept, Offer
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Scenario
from negotiation import ttl_cache
from negotiation.bargain import sessions
from negotiation.bargain.commands import Say
from negotiation.bargain.game import position_of
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.terms import terms_of
from negotiation.models import Game, Listing
from replays.daily import days
from replays.daily.drawing import LEAST_ZONE, deal
from replays.daily.house import Step
from replays.daily.story import told_of
from replays.daily.twists import TWISTS, TWISTS_FROM, WEEK, twist_of
from replays.models import DailyGame, DailyTry
from replays.preview.lines import blanked
from replays.sealed_days import INDIA
from tests.support.visitors import a_visitor, key_of

SECRETS = [hashlib.sha256(f"twist {number}".encode()).hexdigest() for number in range(12)]


@pytest.fixture(autouse=True)
def _forget() -> None:
    ttl_cache.forget()


@pytest.fixture
def listing() -> Listing:
    return Listing.objects.create(
        title="Pressure cooker", list_price=200_000, street_price=160_000, source_key="cooker"
    )


def on(weekday: int) -> dt.datetime:
    """Noon in India of a day with the twist of that day of the week."""
    return dt.datetime.combine(TWISTS_FROM + dt.timedelta(days=7 + weekday), dt.time(12), INDIA)


def begins(client: Client) -> Game:
    answer = client.post("/daily/")
    assert answer.status_code == 302, answer.content
    return Game.objects.get(pk=answer["Location"].strip("/").split("/")[-1])


def ends(game: Game, words: str = "") -> None:
    """Name the floor with these words after her first bid, then take or repeat."""
    sessions.opponent_turn(game.pk)
    while (state := position_of(Game.objects.get(pk=game.pk)).state).ended is None:
        floor = state.scenario.sealed.reservation
        enough = (state.standing_bid or 0) >= floor
        sessions.play(game.pk, game.owner, Accept(words) if enough else Offer(floor, words))
        sessions.opponent_turn(game.pk)


def test_no_day_before_the_stated_one_has_a_twist_and_every_week_has_seven() -> None:
    assert twist_of(TWISTS_FROM - dt.timedelta(days=1)) == ""
    names = [twist_of(TWISTS_FROM + dt.timedelta(days=number)) for number in range(14)]
    assert {*names[:7], "silence"} == set(TWISTS)
    assert names[:7] == names[7:]


@pytest.mark.parametrize("name", sorted(TWISTS))
def test_a_twist_changes_the_game_and_leaves_room_for_a_deal(name: str) -> None:
    changed = [deal(secret, twist=name) for secret in SECRETS]
    assert changed == [deal(secret, twist=name) for secret in SECRETS]
    if TWISTS[name].terms.chat:
        assert [deal(secret) for secret in SECRETS] != changed
    for scenario in (one.scenario for one in changed):
        assert scenario.zopa >= LEAST_ZONE * scenario.anchor
        assert scenario.anchor > scenario.sealed.reservation


def test_what_is_told_of_a_day_holds_for_every_secret() -> None:
    for secret in SECRETS:
        dealt = {name: deal(secret, twist=name).scenario for name in TWISTS}
        sealed = {name: one.sealed for name, one in dealt.items()}
        assert dealt["four-rounds"].max_rounds == 4
        assert dealt["blitz"] == dealt["silence"]
        assert dealt["blitz"].max_rounds == 6
        assert sealed["her-train"].deadline == 3
        door, plain = dealt["next-door"], sealed["next-door"].cost * 1.05
        assert plain + 200 < sealed["next-door"].reservation < door.anchor
        cut = dealt["label-cut"]
        assert 0 <= cut.anchor - 1.3 * cut.sealed.reservation < 100
        assert sealed["full-purse"].budget >= 0.9 * dealt["full-purse"].anchor
        assert sealed["thin-purse"].budget <= 1.3 * sealed["thin-purse"].reservation


def test_what_the_shop_next_door_pays_does_not_follow_from_her_budget() -> None:
    drawn = deal(SECRETS[0]).scenario
    poor, rich = (
        TWISTS["next-door"].change(_with_budget(drawn, budget), 0.5).sealed.reservation
        for budget in (drawn.anchor, drawn.anchor * 3)
    )
    assert poor == rich


@pytest.mark.django_db
@pytest.mark.parametrize(("weekday", "is_checked"), [(1, True), (3, False)])
def test_the_replay_knows_what_the_shop_next_door_paid(weekday: int, is_checked: bool) -> None:
    asha = a_visitor()
    with time_machine.travel(on(weekday), tick=False):
        game = begins(asha)
        asked = stored_scenario(game).anchor // 100 - 1
        ends(game, f"The shop next door offers {asked} for it.")
        replay = asha.get(f"/replays/{game.pk}/").content.decode()
    paid = f"{stored_scenario(game).sealed.reservation // 100:,}"
    assert (f"The shop next door paid ₹{paid}." in replay) is is_checked


def _with_budget(scenario: Scenario, budget: int) -> Scenario:
    return msgspec.structs.replace(
        scenario, sealed=msgspec.structs.replace(scenario.sealed, budget=Paise(budget))
    )


@pytest.mark.django_db
def test_two_minutes_against_the_clock_are_two_minutes_of_ones_own() -> None:
    with time_machine.travel(on(2), tick=False) as clock:
        asha = a_visitor()
        game = begins(asha)
        sessions.opponent_turn(game.pk)
        strip = asha.get(f"/daily/strip/{game.pk}/").content.decode()
        assert "Against the clock" in strip
        page = asha.get(f"/sell/{game.pk}/").content.decode()
        assert "Your time" in page
        assert "Offer a price." in page
        assert "Say something." not in page, "words are not passed on"
        for seconds, status in ((110, Game.Status.LIVE), (30, Game.Status.ENDED)):
            clock.shift(dt.timedelta(seconds=seconds))
            asha.get(f"/sell/{game.pk}/")
            game.refresh_from_db()
            assert game.status == status
        assert game.deal_price is None


@pytest.mark.django_db
@pytest.mark.parametrize("weekday", range(7))
def test_everybody_gets_the_day_as_it_is_told(weekday: int) -> None:
    twist = WEEK[weekday]
    with time_machine.travel(on(weekday), tick=False):
        asha, bilal = a_visitor(), a_visitor()
        before = asha.get("/daily/").content.decode()
        assert twist.title in before
        one, other = begins(asha), begins(bilal)
        assert stored_scenario(one) == stored_scenario(other)
        assert terms_of(one) == terms_of(other) == twist.terms
        assert asha.get(f"/daily/strip/{one.pk}/").content.decode().count(twist.title) == 1
        assert bilal.get(f"/daily/strip/{one.pk}/").status_code == 404
        table = asha.get(f"/sell/{one.pk}/").content.decode()
        assert f'hx-get="/daily/strip/{one.pk}/"' in table
        assert ("words are not passed on" in table) is not twist.terms.chat
        ends(one)
        assert asha.get(f"/sell/{one.pk}/").status_code == 200
        page = asha.get("/daily/").content.decode()
        assert "Your card" in page
        assert WEEK[(weekday + 1) % 7].title in page
        again = asha.post(f"/sell/{one.pk}/again/")
        copy = Game.objects.get(pk=again["Location"].strip("/").split("/")[-1])
        assert terms_of(copy) == twist.terms


@pytest.mark.django_db
def test_another_game_has_no_strip(listing: Listing) -> None:
    asha = a_visitor()
    asha.post("/sell/new/", {"listing": listing.pk})
    game = Game.objects.get(owner=key_of(asha))
    assert asha.get(f"/daily/strip/{game.pk}/").status_code == 404


@pytest.mark.django_db
def test_a_day_that_was_promised_before_keeps_its_game() -> None:
    with time_machine.travel(on(0), tick=False):
        days.today()
        row = DailyGame.objects.get(pk=on(3).date())
        DailyGame.objects.filter(pk=row.pk).update(twist="")
    with time_machine.travel(on(3), tick=False):
        asha = a_visitor()
        assert WEEK[3].title not in asha.get("/daily/").content.decode()
        assert begins(asha).terms == {}
        assert DailyGame.objects.get(pk=row.pk).scenario == row.scenario


@pytest.mark.django_db
def test_on_the_day_of_silence_nobody_is_heard() -> None:
    with time_machine.travel(on(2), tick=False):
        asha = a_visitor()
        game = begins(asha)
        sessions.opponent_turn(game.pk)
        ask = position_of(game).state.standing_ask
        sessions.play(game.pk, game.owner, Say(f"I need it, sister. {ask // 100 - 1}"))
        sessions.opponent_turn(game.pk)
        assert [turn.text for turn in position_of(Game.objects.get(pk=game.pk)).state.turns] == [
            "", "", "",
        ]  # fmt: skip


# A line on the card


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("8,950? Split it, sister.", "…? Split it, sister."),
        ("On the amplifier I stay with ₹8,800.", "On the amplifier I stay with …."),
        ("teen hazaar do sau, bas", "…, bas"),
        ("₹१,२०० या बारह सौ", "… या …"),
        ("Splitting is for samosas.", "Splitting is for samosas."),
    ],
)
def test_a_line_is_shown_without_its_numbers(said: str, shown: str) -> None:
    assert blanked(said) == shown


@pytest.mark.django_db
def test_only_its_player_puts_a_line_on_a_card_and_no_other_line_is_told() -> None:
    with time_machine.travel(on(0), tick=False):
        asha, bilal = a_visitor(), a_visitor()
        game = begins(asha)
        ends(game, "Sister, three thousand or 4,000")
        own = DailyTry.objects.get(visitor=key_of(asha))
        card = f"/daily/card/{own.token}/"
        assert bilal.get(f"{card}line.png").status_code == 404
        choices = re.findall(r'name="seq" value="(\d+)"', asha.get("/daily/").content.decode())
        assert choices
        assert bilal.post(f"{card}line/", {"seq": choices[0]}).status_code == 404
        assert asha.post(f"{card}line/", {"seq": choices[-1]}).status_code == 302
        shown = bilal.get(card).content.decode()
        exchange = shown.partition('class="daily-exchange"')[2].partition("</figure>")[0]
        exchange = unescape(exchange)
        assert exchange
        assert not re.search(r"\d|thousand", exchange)
        assert bilal.get(f"{card}line.png")["Content-Type"] == "image/png"
        for nothing in ("", "99999", "1", "x"):
            asha.post(f"{card}line/", {"seq": nothing})
            assert 'class="daily-exchange"' not in bilal.get(card).content.decode()


# Yesterday as a story


def test_a_line_is_told_as_advice() -> None:
    steps = (
        Step("buyer", "offer", 500_00),
        Step("seller", "offer", 1000_00),
        Step("buyer", "offer", 500_00),
        Step("seller", "offer", 1000_00),
        Step("buyer", "offer", 620_00),
        Step("seller", "offer", 900_00),
        Step("buyer", "offer", 740_00),
        Step("seller", "accept", 740_00),
    )
    assert told_of(steps, 1000.0, "INR") == (
        "Sauda begins at ₹500.",
        "Hold ₹1,000 for 2 rounds: she comes to ₹620.",
        "Ask ₹900: she comes to ₹740.",
        "Take ₹740.",
    )
    assert told_of(steps[:1], 1000.0, "INR") == ("Sauda begins at ₹500.",)
    assert told_of((), 1000.0, "INR") == ()


@pytest.mark.django_db
def test_yesterday_is_told_with_the_crowd() -> None:
    with time_machine.travel(on(0), tick=False):
        people = [a_visitor() for _ in range(3)]
        for person in people:
            ends(begins(person))
    with time_machine.travel(on(1), tick=False):
        told = people[0].get("/daily/").content.decode()
        assert "3 people finished." in told
        assert WEEK[0].told.replace("'", "&#x27;") in told


@pytest.mark.django_db
@pytest.mark.parametrize("is_deal", [True, False])
@pytest.mark.parametrize("weekday", [1, 3])
def test_without_a_deal_the_shop_next_door_has_paid(weekday: int, is_deal: bool) -> None:
    asha = a_visitor()
    with time_machine.travel(on(weekday), tick=False):
        game = begins(asha)
        address = f"/daily/strip/{game.pk}/"
        table = asha.get(f"/sell/{game.pk}/").content.decode()
        assert "rather keep the thing" not in table
        assert "It paid you" not in asha.get(address).content.decode()
        outcome = "deal" if is_deal else "walk"
        Game.objects.filter(pk=game.pk).update(status=Game.Status.ENDED, outcome=outcome)
        strip = asha.get(address).content.decode()
        paid = f"{stored_scenario(game).sealed.reservation // 100:,}"
        assert (f"It paid you ₹{paid}." in strip) is (weekday == 1 and not is_deal)
        assert (f"It pays ₹{paid}." in strip) is (weekday == 1 and is_deal)
