"""The arena's pages as the server renders them, before any script runs."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from arena.auction.web import matches, schedule, views
from arena.auction.web.orders import PERSON, Order
from arena.auction.web.rendering import LOW_STARTS, STEPS, chips_of
from arena.models import Match, MatchSeat, Stage
from bazaarbatna.auction.events import Bid, Hold, Leave, Take
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.money import rupees_text
from negotiation import ttl_cache
from negotiation.limits import forget_uses
from replays.browse.shelf import visible
from tests.support.spellings import names
from tests.support.tables import a_listing, a_match, closes, plays_out, plays_round
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db

RIVALS = ("rules:boulware", "rules:micro", "rules:smart")


@pytest.fixture
def asha() -> Client:
    """Asha, who plays."""
    return a_visitor()


@pytest.fixture
def bilal() -> Client:
    """Bilal, who spectates."""
    return a_visitor()


@pytest.mark.parametrize("ask", [90, 745, 2000, 4830, 61_000])
def test_who_can_pay_anything_is_offered_a_first_bid(ask: int) -> None:
    offered = set()
    for budget in range(ask // 10 + 1, ask + 1):
        chips = [chip.price for chip in chips_of(ask, None, budget)]
        assert chips, budget
        assert chips == sorted(chips)
        assert 0 < chips[0] <= chips[-1] <= budget * 0.85, "a first bid is not nearly all one has"
        offered |= {*chips}
    # None is computed from a budget: from a bid that was offered nobody reads one.
    assert len(offered) <= len(STEPS) + len(LOW_STARTS)


@pytest.fixture(autouse=True)
def nobody_looked_yet() -> None:
    """The stage of another test's database is not this one's."""
    ttl_cache.forget()


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def seated(asha: Client, *rivals: str) -> Match:
    """A match in which Asha has the last seat."""
    order = Order(listing=a_listing(), line_up=(*(rivals or RIVALS), PERSON), seed=3)
    return matches.open_match(key_of(asha), order)


def own_index(match: Match) -> int:
    return MatchSeat.objects.exclude(owner="").get(match=match).index


def rivals_close(match: Match) -> None:
    for seat in MatchSeat.objects.filter(match=match, owner=""):
        closes(match.pk, seat.index)


def moments(html: str) -> list[tuple[str, bool]]:
    """Words of each moment on a page, and whether it is the one that is shown."""
    found = re.findall(r'<section class="moment [^>]*data-words="([^"]*)"( hidden)?>', html)
    return [(words, not hidden) for words, hidden in found]


def test_the_lobby_shows_what_is_on_and_lets_a_visitor_sit_down(asha: Client) -> None:
    for number in range(8):
        a_listing(f"Brass lamp {number}")
    html = page(asha, "/arena/")
    slots = schedule.ensure()
    assert f"/arena/{slots.current}/" in html
    assert f"/arena/{slots.following}/seat/" in html
    free = re.findall(
        r'name="csrfmiddlewaretoken"[^>]*><input[^>]* name="index" value="(\d)"', html
    )
    answer = asha.post(f"/arena/{slots.following}/seat/", {"index": free[0]})
    assert answer.headers["Location"] == f"/arena/{slots.following}/"
    assert MatchSeat.objects.get(match=slots.following, index=free[0]).owner == key_of(asha)
    html = page(asha, f"/arena/{slots.following}/")
    assert "You have a seat" in html
    assert "I would rather play at once" in html


def test_who_takes_a_seat_plays_at_once_against_the_house(asha: Client) -> None:
    listing = a_listing()
    html = page(asha, "/arena/")
    assert f'name="listing" value="{listing.pk}"' in html
    answer = asha.post("/arena/now/", {"listing": listing.pk})
    match = Match.objects.get(exhibition=False)
    assert answer.headers["Location"] == f"/arena/{match.pk}/"
    assert match.phase == Match.Phase.LIVE
    _, position = matches.current(match.pk)
    scenario = position.state.scenario
    assert [seat.person for seat in scenario.seats] == [True, False, False, False]
    assert position.state.awaits(0)
    assert 'data-turn="yours"' in page(asha, f"/arena/{match.pk}/")


@pytest.mark.parametrize("way", ["now", "form", "table"])
@pytest.mark.parametrize("unlisted", [True, False])
def test_who_keeps_a_match_off_the_lists_is_alone_with_its_replay(
    asha: Client, bilal: Client, way: str, unlisted: bool
) -> None:
    listing = a_listing()
    form = {"listing": listing.pk, "seat_1": "person", "seat_2": "rules:smart"}
    asked: dict[str, Any] = {
        "now": {"listing": listing.pk},
        "form": form,
        "table": {"people": "2"},
    }[way]
    address = {"now": "/arena/now/", "form": "/arena/", "table": "/arena/table/"}[way]
    more = {"unlisted": "on"} if unlisted else {}
    assert "Matches are public" in asha.get("/arena/").content.decode()
    match_id = asha.post(address, {**asked, **more})["Location"].split("/")[-2]
    bilal.get("/arena/")
    told = bilal.get("/api/arena/").json()
    listed = [one["id"] for one in (*told["now"], *told["next"])]
    assert (match_id in listed) is not unlisted
    if way == "table":
        chair = MatchSeat.objects.filter(match=match_id, owner="").first()
        assert chair
        matches.take_seat(match_id, chair.index, key_of(bilal))
    plays_out(match_id)
    ttl_cache.forget()
    chetan = a_visitor()
    assert visible(key_of(asha)).filter(pk=match_id).count() == 1
    for who, may in ((asha, True), (bilal, way == "table" or not unlisted), (chetan, not unlisted)):
        assert (who.get(f"/replays/{match_id}/").status_code == 200) is may
        assert (who.get(f"/replays/{match_id}.json").status_code == 200) is may
    assert (match_id in chetan.get("/replays/").content.decode()) is not unlisted
    assert (match_id in chetan.get("/arena/").content.decode()) is not unlisted


def test_a_newcomer_has_a_chance(asha: Client) -> None:
    """Enough to pay the seller with, and at most one rival with more."""
    listing = a_listing()
    for _ in range(6):
        asha.post("/arena/now/", {"listing": listing.pk})
    begun = Match.objects.filter(exhibition=False)
    assert len({match.seed for match in begun}) == 6
    for match in begun:
        sealed = matches.current(match.pk)[1].state.scenario.sealed
        own, *others = sealed.budgets
        assert own >= 1.1 * sealed.reservation
        assert sum(other > own for other in others) <= 1


def test_a_seat_at_once_needs_goods(asha: Client) -> None:
    assert asha.post("/arena/now/").status_code == 404
    assert asha.post("/arena/now/", {"listing": "9" * 40}).status_code == 404
    a_listing()
    assert asha.post("/arena/now/").status_code == 302


def test_the_first_seat_can_be_won_and_the_page_says_so(asha: Client) -> None:
    """Nobody at the table has nearly as much money; later seats promise nothing."""
    told = "this seat can be won"
    a_listing()
    assert "for your first seat we draw until nobody there has as much" in page(asha, "/arena/")
    first = asha.post("/arena/now/").headers["Location"]
    sealed = matches.current(first.split("/")[2])[1].state.scenario.sealed
    assert sealed.budgets[0] >= 1.15 * max(sealed.budgets[1:])
    assert told in page(asha, first)
    assert "for your first seat we draw until nobody there has as much" not in page(asha, "/arena/")
    assert told not in page(asha, asha.post("/arena/now/").headers["Location"])
    assert told in page(asha, first)


def test_a_call_says_what_it_does(asha: Client) -> None:
    order = Order(listing=a_listing(), line_up=("rules:smart", "rules:aggressive", PERSON), seed=3)
    match = matches.open_match(key_of(asha), order)
    html = page(asha, f"/arena/{match.pk}/")
    assert "The seller looks at you 15 % more: of equal bids the louder call wins." in html
    assert "Arundhati will raise less." in html


def test_there_is_always_something_to_watch(bilal: Client) -> None:
    match = a_match(*RIVALS)
    plays_out(match.pk)
    Stage.objects.all().delete()
    Match.objects.filter(exhibition=True).delete()
    html = page(a_visitor(), "/arena/")
    assert ("Watch the last match" in html) != ("Watch a match" in html)


def test_a_person_is_told_the_budget_in_whole_rupees(asha: Client) -> None:
    match = seated(asha)
    budget = matches.current(match.pk)[1].state.scenario.sealed.budgets[3]
    assert budget % 100 == 0
    html = page(asha, f"/arena/{match.pk}/")
    assert html.count(rupees_text(budget // 100)) == 3


def test_whoever_starts_too_many_is_told_once_beside_the_button(
    asha: Client, settings: Settings
) -> None:
    settings.LIMITS = {**settings.LIMITS, "matches": "1/hour"}
    forget_uses()
    listing = a_listing()
    assert asha.post("/arena/now/", {"listing": listing.pk}).status_code == 302
    answer = asha.post("/arena/now/", {"listing": listing.pk})
    assert answer.status_code == 429
    html = answer.content.decode()
    assert html.count('role="alert"') == 1
    assert html.index(">Take a seat<") < html.index('role="alert"') < html.index('id="now"')
    assert 'id="start">' in html
    asked = {"listing": listing.pk, "seat_2": "rules:smart", "seat_3": "sauda", "seed": "12"}
    answer = asha.post("/arena/", asked)
    assert answer.status_code == 429
    html = answer.content.decode()
    assert html.count('role="alert"') == 1
    assert html.index(">Open the match<") < html.index('role="alert"')
    assert 'id="start" open>' in html
    assert 'value="12"' in html
    assert Match.objects.filter(exhibition=False).count() == 1


def test_beginning_a_table_is_counted_like_every_move(asha: Client, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "messages": "1/hour"}
    forget_uses()
    a_listing()
    address = asha.post("/arena/table/", {"people": 2}).headers["Location"]
    assert asha.post(f"{address}begin/").status_code == 302
    assert asha.post(f"{address}begin/").status_code == 429


def test_what_is_on_and_the_goods_are_drawn_again_without_the_rest(
    bilal: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every open lobby asks for what is on every few seconds."""
    a_listing()
    scripted = {"HX-Request": "true"}
    made: list[str] = []
    for name in ("_on_now", "_goods", "_results", "_good_listing", "seat_choices"):
        monkeypatch.setattr(views, name, _noted(made, name, getattr(views, name)))
    monkeypatch.setattr(schedule, "watch", _noted(made, "watch", schedule.watch))
    html = bilal.get("/arena/?part=now", headers=scripted).content.decode()
    assert 'id="now"' in html
    assert "Sit down" in html
    assert made == ["watch", "_on_now"]
    made.clear()
    assert 'id="goods"' in bilal.get("/arena/?part=goods", headers=scripted).content.decode()
    assert made == ["_goods"]


def _noted(made: list[str], name: str, does: Callable[..., Any]) -> Callable[..., Any]:
    def done(*args: Any, **more: Any) -> Any:
        made.append(name)
        return does(*args, **more)

    return done


def test_a_table_waits_for_friends_until_somebody_at_it_begins(asha: Client, bilal: Client) -> None:
    a_listing()
    address = asha.post("/arena/table/", {"people": 2}).headers["Location"]
    match = Match.objects.get(exhibition=False)
    assert match.phase == Match.Phase.WAITING
    html = page(asha, address)
    assert f"http://testserver{address}" in html
    assert "Begin now" in html
    assert "Begin now" not in page(bilal, address)
    assert bilal.post(f"{address}begin/").status_code == 403
    assert asha.post(f"{address}begin/").headers["Location"] == address
    seats = matches.current(match.pk)[1].state.scenario.seats
    assert [seat.person for seat in seats] == [True, False, False, False]


def test_a_table_begins_when_the_last_friend_is_there(asha: Client, bilal: Client) -> None:
    a_listing()
    address = asha.post("/arena/table/", {"people": 2}).headers["Location"]
    bilal.post(f"{address}seat/", {"index": 1})
    assert 'data-turn="yours"' in page(bilal, address)
    assert 'data-turn="yours"' in page(asha, address)


@pytest.mark.parametrize("people", ["", "1", "5", "two"])
def test_a_table_is_for_two_to_four(asha: Client, people: str) -> None:
    a_listing()
    assert asha.post("/arena/table/", {"people": people}).status_code == 422
    assert not Match.objects.filter(exhibition=False).exists()


def test_nobody_begins_the_open_table_before_its_time(asha: Client) -> None:
    a_listing()
    page(asha, "/arena/")
    following = schedule.ensure().following
    asha.post(f"/arena/{following}/seat/", {"index": 0})
    assert asha.post(f"/arena/{following}/begin/").status_code == 409
    assert Match.objects.get(pk=following).phase == Match.Phase.WAITING


def test_the_better_move_is_told_after_the_end_to_whoever_sat_there(
    asha: Client, bilal: Client
) -> None:
    match = seated(asha)
    address = f"/arena/{match.pk}/?part=better"
    assert asha.get(address).status_code == 404
    plays_out(match.pk)
    assert 'class="better"' in page(asha, address)
    assert bilal.get(address).status_code == 404
    assert f'hx-get="{address}"' in page(asha, f"/arena/{match.pk}/")
    assert f'hx-get="{address}"' not in page(bilal, f"/arena/{match.pk}/")


def test_whose_chair_was_given_up_hears_why(asha: Client) -> None:
    match = seated(asha)
    own = own_index(match)
    for missed, move in enumerate((Hold(), Leave()), start=1):
        rivals_close(match)
        matches.write(*matches.current(match.pk), own, move, None, missed)
    plays_out(match.pk)
    html = page(asha, f"/arena/{match.pk}/?part=better")
    assert "Two rounds went by" in html
    assert "no move that we would advise" not in html


def test_players_have_names_and_code_names_wait_in_the_details(bilal: Client) -> None:
    match = a_match("rules:aggressive", "rules:smart", "rules:sauda-without-tells", "sauda")
    html = page(bilal, f"/arena/{match.pk}/")
    shown, _, details = html.partition('class="match-how')
    for name in ("Vikram", "Arundhati", "Sauda"):
        assert f">{name}</b>" in shown
    for title in ("Smart heuristic", "Aggressive", "Sauda without tells", "rules:"):
        assert title not in shown
    assert "rules:smart" in details
    front = page(bilal, "/arena/").partition('id="start"')[0]
    assert "Seed" not in front
    assert "rules:" not in front


def test_goods_are_searched_with_and_without_scripts(asha: Client) -> None:
    a_listing("Steel almirah")
    a_listing("Brass lamp")
    part = asha.get("/arena/?part=goods&q=almirah", headers={"HX-Request": "true"})
    html = part.content.decode()
    assert "Steel almirah" in html
    assert "Brass lamp" not in html
    assert "<html" not in html
    whole = page(asha, "/arena/?q=almirah&seat_1=sauda&seat_2=rules:smart")
    assert '<details class="lobby-start" id="start" open>' in whole
    goods = whole[whole.index('id="goods"') : whole.index("start-seats")]
    assert "Steel almirah" in goods
    assert "Brass lamp" not in goods
    assert whole.count(" selected>Sauda<") == 1


def test_whoever_saw_a_match_end_is_told_of_the_next(bilal: Client) -> None:
    a_listing("Steel almirah")
    html = page(bilal, "/arena/?part=coming")
    slots = schedule.ensure()
    assert f"/arena/{slots.current}/" in html
    assert f"/arena/{slots.following}/" in html


def test_two_visitors_cannot_sit_in_one_seat(asha: Client, bilal: Client) -> None:
    a_listing()
    page(asha, "/arena/")
    following = schedule.ensure().following
    asha.post(f"/arena/{following}/seat/", {"index": 0})
    answer = bilal.post(f"/arena/{following}/seat/", {"index": 0})
    assert answer.status_code == 409
    assert "Somebody else sits there" in answer.content.decode()


def test_a_form_starts_a_match_with_the_chosen_seats(asha: Client) -> None:
    listing = a_listing()
    chosen = {"listing": listing.pk, "seat_1": "rules:smart", "seat_3": "sauda", "seed": "12"}
    answer = asha.post("/arena/", chosen)
    match = Match.objects.get(line_up=["rules:smart", "sauda"])
    assert answer.headers["Location"] == f"/arena/{match.pk}/"
    assert match.seed == 12


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seat_1": ""}, "Seat at least 2 buyers"),
        ({"listing": ""}, "Choose what is sold"),
        ({"seed": "seven"}, "A seed is a whole number"),
        ({"seat_1": PERSON, "seat_2": PERSON}, "one seat only"),
        ({"seat_1": "rules:nobody"}, "choose from the lists"),
    ],
)
def test_a_form_that_cannot_be_used_says_why(
    asha: Client, change: dict[str, str], told: str
) -> None:
    listing = a_listing()
    usual = {"listing": str(listing.pk), "seat_1": "rules:smart", "seat_2": "sauda"}
    answer = asha.post("/arena/", usual | change)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert Match.objects.filter(exhibition=False).count() == 0


def test_a_live_page_shows_every_moment_and_one_of_them(bilal: Client) -> None:
    match = a_match(*RIVALS)
    plays_round(match.pk)
    closes(match.pk, 0)
    html = page(bilal, f"/arena/{match.pk}/")
    told = moments(html)
    assert [shown for _, shown in told] == [False] * (len(told) - 1) + [True]
    assert told[0][0].startswith("The seller asks")
    assert "has sealed." in told[-1][0]
    assert "Round 1" in html
    assert html.count('class="lane-strip"') == 3


def test_a_spectator_of_a_person_sees_closed_envelopes_until_the_end(
    asha: Client, bilal: Client
) -> None:
    match = seated(asha)
    me = own_index(match)
    rivals_close(match)
    closes(match.pk, me, Bid(Paise(123_457), "mera pehla daam"))
    budget = matches.current(match.pk)[1].state.scenario.sealed.budgets[me]
    html = page(bilal, f"/arena/{match.pk}/")
    assert not names(html, 123_457)
    assert "mera pehla daam" in html, "what is said to the table is heard"
    assert not names(html, budget)
    assert "envelope-sign" in html
    plays_out(match.pk)
    html = page(bilal, f"/arena/{match.pk}/")
    assert names(html, 123_457)
    assert "mera pehla daam" in html
    assert names(html, budget), "the search finds what is opened"


def test_a_seat_sees_its_budget_and_what_it_sealed_and_no_rival(asha: Client) -> None:
    match = seated(asha)
    me = own_index(match)
    _, position = matches.current(match.pk)
    sealed = position.state.scenario.sealed
    html = page(asha, f"/arena/{match.pk}/")
    assert f"{sealed.budgets[me] // 100 % 1000:03d}" in html
    assert 'data-turn="yours"' in html
    closes(match.pk, me, Bid(Paise(123_457), "bas itna"))
    html = page(asha, f"/arena/{match.pk}/")
    assert 'data-turn="closed"' in html
    assert "You sealed a bid of ₹1,234.57" in html
    rivals_close(match)
    _, position = matches.current(match.pk)
    # The microseconds of a time may read like any price.
    html = re.sub(r'datetime="[^"]*"', "", page(asha, f"/arena/{match.pk}/"))
    rivals = [bid.price for bid in position.state.rounds[0] if bid.buyer != me and bid.price]
    assert rivals
    for price in rivals:
        assert not names(html, price)


def test_being_outbid_is_told_and_nothing_else(asha: Client) -> None:
    match = seated(asha)
    rivals_close(match)
    closes(match.pk, own_index(match), Bid(Paise(1_000)))
    html = page(asha, f"/arena/{match.pk}/")
    assert "You do not lead: somebody bid more" in html
    assert "somebody is ahead of you" in html


def test_words_and_prices_are_sealed_by_a_plain_form(asha: Client) -> None:
    match = seated(asha)
    answer = asha.post(
        f"/arena/{match.pk}/move/", {"action": "say", "text": "1200 de dunga", "signal": "bluff"}
    )
    assert answer.headers["Location"] == f"/arena/{match.pk}/"
    _, position = matches.current(match.pk)
    assert position.state.pending[own_index(match)] == Bid(Paise(120_000), "1200 de dunga", "bluff")


@pytest.mark.parametrize(
    ("form", "status", "told"),
    [
        ({"action": "say", "text": "kya haal hai"}, 400, "Name one, or take the ask"),
        ({"action": "say", "price": "abc"}, 422, "Write a price above 0"),
        ({"action": "say", "price": "99999999"}, 409, "above your budget"),
        ({"action": "dance"}, 422, "valid choice"),
    ],
)
def test_a_refused_envelope_stays_open_and_says_why(
    asha: Client, form: dict[str, str], status: int, told: str
) -> None:
    match = seated(asha)
    answer = asha.post(f"/arena/{match.pk}/move/", form)
    html = answer.content.decode()
    assert answer.status_code == status
    assert told in html
    assert 'data-turn="yours"' in html


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"choice": "1200.0", "text": "1200 ya 1300?"}, "1200 ya 1300?"),
        ({"action": "say", "text": "haan ji", "asked": ["1200.0"]}, "haan ji"),
    ],
)
def test_a_price_that_was_asked_back_is_pressed_or_said_yes_to(
    asha: Client, form: dict[str, Any], words: str
) -> None:
    match = seated(asha)
    asked = asha.post(
        f"/arena/{match.pk}/move/", {"action": "say", "text": "1200 ya 1300?"}
    ).content.decode()
    for price in ("1200.0", "1300.0"):
        assert f'<button class="chip" name="choice" value="{price}">' in asked
        assert f'<input type="hidden" name="asked" value="{price}">' in asked
    several = {"action": "say", "text": "haan", "asked": ["1200.0", "1300.0"]}
    assert asha.post(f"/arena/{match.pk}/move/", several).status_code == 422
    seq = matches.current(match.pk)[1].seq
    assert asha.post(f"/arena/{match.pk}/move/", {**form, "seq": seq}).status_code == 302
    _, position = matches.current(match.pk)
    assert position.state.pending[own_index(match)] == Bid(Paise(120_000), words)


def test_whoever_only_looks_on_cannot_bid(asha: Client, bilal: Client) -> None:
    match = seated(asha)
    answer = bilal.post(f"/arena/{match.pk}/move/", {"action": "say", "price": "1000"})
    assert answer.status_code == 403
    _, position = matches.current(match.pk)
    assert not any(position.state.pending)


def test_the_end_opens_everything_and_offers_the_same_match_again(bilal: Client) -> None:
    match = a_match(*RIVALS, seed=5)
    plays_out(match.pk)
    html = page(bilal, f"/arena/{match.pk}/")
    assert "What everybody kept secret" in html
    assert f"/replays/{match.pk}/" in html
    again = re.search(r'href="(/arena/\?[^"]+)"', html)
    assert again is not None
    form = page(bilal, again[1].replace("&amp;", "&").partition("#")[0])
    assert re.search(r'name="seed"[^>]*value="5"', form)
    assert form.count(" selected>Harpreet · Boulware<") == 1
    assert re.search(rf'value="{match.game.listing_id}" checked', form)


def test_a_seat_that_wins_reads_so(asha: Client) -> None:
    match = seated(asha, "rules:micro")
    me = own_index(match)
    while matches.current(match.pk)[1].state.ended is None:
        _, position = matches.current(match.pk)
        can = position.state.ask <= position.state.scenario.sealed.budgets[me]
        rivals_close(match)
        if matches.current(match.pk)[1].state.awaits(me):
            closes(match.pk, me, Take() if can else Hold())
    ended = matches.current(match.pk)[1].state.ended
    assert ended is not None
    html = page(asha, f"/arena/{match.pk}/")
    assert ("You got it for" in html) == (ended.winner == me)
    assert html.count('class="secret of-') == 2
    sealed = matches.current(match.pk)[1].state.scenario.sealed
    room, price = sealed.budgets[me] - sealed.reservation, ended.price or 0
    percent = 100 * (sealed.budgets[me] - price) / room if ended.winner == me else 0
    for place in (html, page(asha, f"/replays/{match.pk}/")):
        shown = re.findall(r'verdict-number">(\d+)&nbsp;%</b> <span[^>]*>([★☆]+)<', place)
        assert [abs(int(number) - percent) <= 0.5 for number, _ in shown] == [room > 0][: room > 0]
    for place in (f"/arena/{match.pk}/", f"/replays/{match.pk}/"):
        assert "verdict-number" not in page(a_visitor(), place), "who looks on kept nothing"


def test_what_people_say_is_words_and_never_markup(asha: Client, bilal: Client) -> None:
    match = seated(asha)
    closes(match.pk, own_index(match), Bid(Paise(110_000), "<script>alert(1)</script>"))
    plays_out(match.pk)
    for client in (asha, bilal):
        for address in (f"/arena/{match.pk}/", f"/replays/{match.pk}/"):
            html = page(client, address)
            assert "<script>alert" not in html
            assert "&lt;script&gt;alert" in html


def test_an_unknown_match_is_not_there(asha: Client) -> None:
    assert asha.get("/arena/nothinghere1/").status_code == 404
    assert asha.post("/arena/nothinghere1/seat/", {"index": 0}).status_code == 404
    assert asha.post("/arena/nothinghere1/move/", {"action": "hold"}).status_code == 404
