"""Two people bargain over one thing."""

import html
import re
from datetime import timedelta
from urllib.parse import quote

import msgspec
import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from bazaar_site import worker_beat
from bazaarbatna.bargain.errors import GameOver, IllegalMove, NotYourTurn
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import chairs, pairs, sessions
from negotiation.bargain.clocks import clocks_of, give_sign
from negotiation.bargain.commands import Say
from negotiation.bargain.game import SALE
from negotiation.bargain.terms import PERSON, Terms
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.game_page import sale_page
from negotiation.bargain.web.live import Owner
from negotiation.bargain.web.live import play as play_by_socket
from negotiation.bargain.web.rendering import panels_html
from negotiation.errors import NoPrice, TimeIsUp, UnknownGame
from negotiation.games.frames_in import Written
from negotiation.models import EventRow, Game, Listing
from replays.grade import jobs
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db

ASHA, RAVI = "a" * 32, "b" * 32
NAMES = {"seller": "Asha", "buyer": "Ravi"}


@pytest.fixture
def listing():
    return Listing.objects.create(
        title="Pressure cooker", category="Kitchen", list_price=200_000, street_price=160_000,
        source_key="cooker",
    )  # fmt: skip


def dealt(listing, luck=7):
    return pairs.pair_scenario(listing, lambda _: luck, has_zone=True)


@pytest.fixture
def game(listing):
    return sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, listing=listing)


def test_each_plays_the_own_side_and_nobody_the_other(game):
    with pytest.raises(NotYourTurn, match="Ravi"):
        sessions.play(game.pk, ASHA, Offer(Paise(190_000)))
    sessions.play(game.pk, RAVI, Say("1200 dunga"))
    sessions.play(game.pk, ASHA, Offer(Paise(180_000), "Theek hai, 1800"))
    with pytest.raises(UnknownGame):
        sessions.play(game.pk, "c" * 32, Offer(Paise(1)))
    state = sessions.current(game.pk)[1].state
    assert [turn.actor for turn in state.turns] == ["buyer", "seller"]
    assert state.to_move == "buyer"


def test_the_rival_has_the_game_from_the_own_chair(game):
    theirs = sessions.owned_game(game.pk, RAVI, "buy")
    assert (theirs.owner, theirs.rival, theirs.seat, theirs.kind) == (RAVI, ASHA, "buyer", "buy")
    with pytest.raises(UnknownGame):
        sessions.owned_game(game.pk, RAVI, "sell")
    with pytest.raises(AssertionError):
        theirs.save()


def test_nobody_sits_opposite_himself(listing):
    with pytest.raises(ValueError, match="Two people"):
        sessions.open_pair(ASHA, ASHA, dealt(listing), names=NAMES)


def test_neither_page_holds_the_others_number(game):
    sealed = sessions.current(game.pk)[1].state.scenario.sealed
    floor, budget = sealed.reservation // 100, sealed.budget // 100
    for owner, own, other in ((ASHA, floor, budget), (RAVI, budget, floor)):
        mine = sessions.owned_game(game.pk, owner)
        page = str(sale_page(frames(mine, sessions.side_of(mine)), mine))
        assert f"{own:.1f}" in page
        assert f"{other:.1f}" not in page
        assert f"{other:,}" not in page


def test_both_limits_are_drawn(listing):
    cards = [dealt(listing, luck).sealed for luck in range(40)]
    assert len({one.reservation for one in cards}) > 30
    assert len({one.budget for one in cards}) > 30
    assert all(one.reservation < one.budget for one in cards)


def test_the_house_moves_nothing(game):
    assert not sessions.awaits_opponent(game)
    assert not sessions.opponent_turn(game.pk)


def test_after_the_end_both_have_the_replay_and_nobody_is_certified(game, client):
    sessions.play(game.pk, RAVI, Offer(Paise(120_000)))
    sessions.play(game.pk, ASHA, Accept()) if _may_accept(game) else sessions.play(
        game.pk, ASHA, Walk()
    )
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    assert game.certificate is None
    assert SALE.frames(game, RAVI) == SALE.frames(game, ASHA)


def _may_accept(game):
    state = sessions.current(game.pk)[1].state
    return state.standing_bid >= state.scenario.sealed.reservation


def test_where_only_prices_count_words_are_left_out(listing):
    terms = Terms(chat=False)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with pytest.raises(NoPrice, match="Only prices"):
        sessions.play(game.pk, RAVI, Say("my mother is ill"))
    sessions.play(game.pk, RAVI, Say("my mother is ill, 1200 please"))
    offer = sessions.current(game.pk)[1].state.turns[-1]
    assert (offer.price, offer.text) == (120_000, "")


def test_tells_stay_away_where_the_table_says_so(listing):
    shown = {}
    for tells in (True, False):
        terms = Terms(tells=tells)
        game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
        sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
        sessions.play(game.pk, ASHA, Say("I must sell today, I need the cash! 1900"))
        kinds = [frame["event"]["kind"] for frame in frames(game, "buyer")]
        shown[tells] = "tells" in kinds
    assert shown == {True: True, False: False}


@pytest.mark.parametrize(("talk", "may_greet"), [("free", True), ("turns", False)])
def test_a_seat_is_told_only_what_it_can_do_and_of_nobody_that_he_is_a_she(
    listing, talk, may_greet
):
    """The buyer moves first; the seller may greet before that where words need no turn."""
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=Terms(talk=talk))

    def coach(own, side):
        return panels_html(frames(own, side), own, side)["sale-coach"]

    assert ("Say hello" in coach(game, "seller")) is may_greet
    assert "Say hello" in coach(game.turned(), "buyer")
    sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
    told = coach(game, "seller")
    assert "Say hello" in told, "the turn is here"
    sessions.play(game.pk, ASHA, Say("Good morning!"))
    sessions.play(game.pk, ASHA, Offer(Paise(190_000)))
    assert "coach-step" not in coach(game, "seller"), "no price while the other one thinks"
    sessions.play(game.pk, RAVI, Offer(Paise(110_000)))
    told += coach(game, "seller") + coach(game.turned(), "buyer")
    assert "Accept, or walk." in told
    assert not re.search(r"\b(she|her)\b", told, re.IGNORECASE)


def test_a_seller_who_would_walk_hears_what_the_bid_on_the_table_is_worth(listing):
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES)
    floor = dealt(listing).sealed.reservation
    for bid, said in ((floor - 100_00, "both of you lose"), (floor, "is no less than your floor")):
        sessions.play(game.pk, RAVI, Offer(Paise(bid)))
        assert said in panels_html(frames(game, "seller"), game, "seller")["sale-actions"]
        sessions.play(game.pk, ASHA, Offer(Paise(199_000)))


def test_a_bid_below_the_own_one_is_refused(game):
    sessions.play(game.pk, RAVI, Offer(Paise(120_000)))
    sessions.play(game.pk, ASHA, Offer(Paise(195_000)))
    with pytest.raises(IllegalMove, match="never goes down"):
        sessions.play(game.pk, RAVI, Offer(Paise(110_000)))


def test_who_stays_away_is_replaced_and_the_other_goes_on(listing):
    terms = Terms(absent_s=120)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    assert not pairs.look_after(game)
    with time_machine.travel(timezone.now() + timedelta(seconds=121)):
        assert pairs.look_after(game)
    game.refresh_from_db()
    assert (game.owner, game.rival, game.policy, game.kind) == (ASHA, "", "sauda", "sell")
    with pytest.raises(UnknownGame):
        sessions.owned_game(game.pk, RAVI)
    assert sessions.opponent_turn(game.pk)


def test_a_seller_who_stays_away_leaves_the_buyer_the_game(listing):
    terms = Terms(absent_s=120)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
    game.refresh_from_db()
    with time_machine.travel(timezone.now() + timedelta(seconds=121)):
        assert pairs.look_after(game)
    mine = sessions.owned_game(game.pk, RAVI, "buy")
    assert (mine.policy, mine.seat) == ("seller:default", "buyer")
    assert sessions.opponent_turn(game.pk)
    assert EventRow.objects.filter(game=game.pk).count() >= 3


def test_whoever_has_moved_meanwhile_keeps_the_seat(listing):
    terms = Terms(absent_s=120)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    seen = Game.objects.get(pk=game.pk)
    sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
    assert not pairs.hand_over(seen, "buyer")
    assert not pairs.close(seen.pk, "absent", seen.last_seq)
    assert sessions.owned_game(game.pk, RAVI)


def test_a_clock_runs_for_whoever_is_to_move(listing):
    terms = Terms(clock_s=300, absence="close")
    start = timezone.now()
    with time_machine.travel(start, tick=False) as now:
        game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
        now.shift(100)
        sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
        now.shift(30)
        game.refresh_from_db()
        clocks = clocks_of(game)
        assert clocks.left("buyer", 300, timezone.now()) == 200
        assert clocks.left("seller", 300, timezone.now()) == 270
        now.shift(271)
        assert pairs.look_after(game)
    game.refresh_from_db()
    assert (game.status, game.outcome) == ("ended", "walk")
    assert EventRow.objects.get(game=game.pk, kind="walk").backend == "clock"


def test_against_the_house_nobody_is_replaced(listing):
    terms = Terms(absent_s=60, clock_s=300)
    game = sessions.open_dealt(ASHA, dealt(listing), "sauda", terms=terms, names={"seller": "Asha"})
    sessions.opponent_turn(game.pk)
    game.refresh_from_db()
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert not pairs.look_after(game), "the house waits for who thinks"
    with time_machine.travel(timezone.now() + timedelta(seconds=301)):
        assert pairs.look_after(game)
    game.refresh_from_db()
    assert game.outcome == "walk"


def test_seats_move_to_another_browser(game):
    sessions.move_seats(RAVI, "d" * 32, Game.objects.filter(pk=game.pk))
    assert sessions.owned_game(game.pk, "d" * 32).seat == "buyer"
    with pytest.raises(UnknownGame):
        sessions.owned_game(game.pk, RAVI)


def test_a_stranger_opposite_stays_a_stranger(listing):
    terms = Terms(persona_told=False)
    game = sessions.open_dealt(ASHA, dealt(listing), "sauda", terms=terms)
    sessions.opponent_turn(game.pk)
    game.refresh_from_db()
    shown = frames(game, "seller")
    page = str(sale_page(shown, game))
    assert not any("backend" in frame["event"] or "plan" in frame["event"] for frame in shown)
    assert "sauda" not in str(shown).lower()
    assert "Sauda" not in page


def test_a_person_and_a_policy_look_the_same_where_nobody_is_told(listing):
    terms = Terms(persona_told=False, absent_s=60)
    pair = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    scenario = msgspec.structs.replace(
        dealt(listing), suite="buy@2", seller="firm@1",
        sealed=msgspec.structs.replace(dealt(listing).sealed, persona="firm"),
    )  # fmt: skip
    house = sessions.open_dealt(
        RAVI,
        scenario,
        "seller:firm",
        kind="buy",
        seat="buyer",
        names={"buyer": "Ravi"},
        terms=terms,
    )
    seen = {}
    for name, game in (("person", pair), ("house", house)):
        sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
        if name == "person":
            sessions.play(game.pk, ASHA, Offer(Paise(190_000)))
        else:
            sessions.opponent_turn(game.pk)
        sessions.play(game.pk, RAVI, Walk())
        mine = sessions.owned_game(game.pk, RAVI, "buy")
        shown = [one for one in frames(mine, "buyer") if one["event"]["kind"] != "tells"]
        page = sale_page(shown, mine)
        seen[name] = [sorted(one["event"]) for one in shown]
        for text in (str(shown), str(page), page["panels"]["outcome"]):
            assert "firm" not in text.replace("confirm", "")
            assert "Zarina" not in text
    assert seen["person"] == seen["house"]


def test_a_mood_is_made_up_for_nobody_who_may_be_a_person(listing):
    sale = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES)
    untold = sessions.open_dealt(
        ASHA, dealt(listing), "sauda", names={"seller": "Asha"}, terms=Terms(persona_told=False)
    )
    sessions.play(sale.pk, RAVI, Offer(Paise(10_000)))
    sessions.opponent_turn(untold.pk)
    for game in (sale, untold):
        mine = sessions.owned_game(game.pk, ASHA)
        standing = sale_page(frames(mine, "seller"), mine)["panels"]["standing"]
        assert "standing-mood" not in standing


def test_a_clock_of_the_other_side_would_tell_that_a_person_sits_there(listing):
    terms = Terms(persona_told=False, absent_s=60)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    clocks = clocks_of(game)
    assert clocks.is_shown_to("buyer", is_told=False)
    assert not clocks.is_shown_to("seller", is_told=False)
    assert clocks.is_shown_to("seller", is_told=True)


def test_a_move_that_comes_after_the_seat_was_taken_is_not_stored(listing, monkeypatch):
    terms = Terms(absent_s=60)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    real = sessions.carry_out

    def taken_meanwhile(*args, **kwargs):
        pairs.hand_over(Game.objects.get(pk=game.pk), "buyer")
        return real(*args, **kwargs)

    monkeypatch.setattr(sessions, "carry_out", taken_meanwhile)
    with pytest.raises(UnknownGame):
        sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
    assert EventRow.objects.filter(game=game.pk).count() == 1


def test_refusals_and_notes_do_not_tell_who_sits_opposite(listing):
    terms = Terms(persona_told=False)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with pytest.raises(NotYourTurn) as refused:
        sessions.play(game.pk, ASHA, Offer(Paise(190_000)))
    told = sessions.play(game.pk, RAVI, Say("namaste ji")).note.detail
    assert "Ravi" not in str(refused.value)
    assert "Asha" not in told
    assert "the seller" in told.lower()


def test_who_stays_is_not_hurried_after_the_other_has_gone(listing):
    terms = Terms(absent_s=60)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=False) as now:
        assert pairs.look_after(game)
        assert sessions.opponent_turn(game.pk)
        now.shift(600)
        assert not pairs.look_after(Game.objects.get(pk=game.pk))


CLOSED_BY_CLOCK = Terms(clock_s=60, absence="close")


def late(seconds=61):
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False)


@pytest.mark.parametrize("command", [Offer(Paise(100_000)), Say("1000 dunga"), Walk()])
def test_a_move_after_the_own_clock_ran_out_is_refused_though_nobody_looked(listing, command):
    buyer = key_of(a_visitor())
    game = sessions.open_pair(
        ASHA, buyer, dealt(listing), names=NAMES, terms=CLOSED_BY_CLOCK
    )  # fmt: skip
    with late(), pytest.raises(TimeIsUp, match="Your time was up"):
        play_by_socket(game.pk, Owner(buyer, "buy"), command, Written())
    game.refresh_from_db()
    assert (game.status, game.outcome) == ("ended", "walk")
    assert EventRow.objects.get(game=game.pk, kind="walk").backend == "clock"
    assert not EventRow.objects.filter(game=game.pk, kind="offer").exists()


def test_who_moves_too_late_has_given_the_seat_to_the_house(listing):
    terms = Terms(absent_s=60)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with late(), pytest.raises(TimeIsUp):
        pairs.play(game.pk, RAVI, Offer(Paise(100_000)))
    game.refresh_from_db()
    assert (game.owner, game.policy, game.last_seq) == (ASHA, "sauda", 1)


def test_who_speaks_out_of_turn_finds_the_house_where_the_other_was_too_late(listing):
    terms = Terms(absent_s=60)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with late(), pytest.raises(NotYourTurn, match="Sauda for Ravi"):
        pairs.play(game.pk, ASHA, Say("are you there?"))
    game.refresh_from_db()
    assert game.policy == "sauda"


def test_who_moves_as_the_others_time_is_called_is_told_no_other_reason(listing, monkeypatch):
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=CLOSED_BY_CLOCK)
    real = sessions.play

    def is_looked_at(*asked):
        try:
            return real(*asked)
        except TimeIsUp:
            pairs.look_after(Game.objects.get(pk=game.pk))
            raise

    monkeypatch.setattr(sessions, "play", is_looked_at)
    with late(), pytest.raises(GameOver):
        pairs.play(game.pk, ASHA, Say("are you there?"))


def test_a_move_just_in_time_counts(listing):
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=CLOSED_BY_CLOCK)
    with late(58):
        pairs.play(game.pk, RAVI, Offer(Paise(100_000)))
    assert sessions.current(game.pk)[1].state.to_move == "seller"


def test_a_form_that_comes_too_late_is_answered_in_words(listing, client):
    client.get("/learn/")
    game = sessions.open_pair(
        ASHA, client.session.session_key, dealt(listing), names=NAMES, terms=CLOSED_BY_CLOCK
    )
    with late():
        answer = client.post(f"/buy/{game.pk}/move/", {"action": "say", "text": "1000"})
    assert answer.status_code == 409
    assert "Your time was up before this came." in answer.content.decode()
    game.refresh_from_db()
    assert game.status == "ended"


def test_who_reads_by_the_api_finds_that_the_time_is_up(listing, client):
    client.get("/learn/")
    key = client.session.session_key
    closed = sessions.open_pair(ASHA, key, dealt(listing), names=NAMES, terms=CLOSED_BY_CLOCK)
    taken = sessions.open_pair(
        ASHA, key, dealt(listing), names=NAMES, terms=Terms(absent_s=60)
    )  # fmt: skip
    with late():
        told = client.get(f"/api/buy/{closed.pk}/").json()
        assert (told["status"], told["turn"]) == ("ended", "over")
        assert client.get(f"/api/buy/{taken.pk}/").status_code == 404


def test_who_is_back_has_the_seat_again_and_goes_on(listing, client):
    client.get("/learn/")
    key = client.session.session_key
    game = sessions.open_pair(ASHA, key, dealt(listing), names=NAMES, terms=Terms(absent_s=60))
    with late():
        pairs.look_everywhere()
        game.refresh_from_db()
        assert (game.policy, game.rival) == ("sauda", ""), "and Sauda has bid at once"
        sessions.play(game.pk, ASHA, Offer(Paise(195_000)))
        assert not pairs.give_back(game.pk, RAVI), "nobody else's seat"
        assert client.get(f"/buy/{game.pk}/").status_code == 200
        game.refresh_from_db()
        assert (game.policy, game.rival, game.gone) == (PERSON, key, "")
        assert not sessions.opponent_turn(game.pk), "nobody plays for who is there"
        sessions.play(game.pk, key, Walk())
        assert sessions.owned_game(game.pk, ASHA).status == "ended"


def test_a_seat_lost_to_the_clock_does_not_come_back(listing, client):
    client.get("/learn/")
    key = client.session.session_key
    game = sessions.open_pair(ASHA, key, dealt(listing), names=NAMES, terms=Terms(clock_s=60))
    with late():
        for _ in range(2):
            answer = client.get(f"/buy/{game.pk}/")
            assert answer.status_code == 404
            assert "the house has taken it" in answer.content.decode()
    assert "the house has taken it" in client.get("/buy/nogamehere12/").content.decode()
    assert "the house has taken it" not in client.get("/learn/nothing/").content.decode()


def test_whoever_was_taken_out_gets_no_seat_back(listing):
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=Terms(absent_s=60))
    pairs.leave(game.pk, "buyer")
    assert not pairs.give_back(game.pk, RAVI)


def test_a_page_in_sight_keeps_the_seat_and_each_move_has_its_own_time(listing, client):
    client.get("/learn/")
    key = client.session.session_key
    terms = Terms(absent_s=60, move_s=300)
    with time_machine.travel(timezone.now(), tick=False) as now:
        game = sessions.open_pair(ASHA, key, dealt(listing), names=NAMES, terms=terms)
        for _ in range(5):
            now.shift(59)
            give_sign(Game.objects.get(pk=game.pk), "buyer")
            assert not pairs.look_after(Game.objects.get(pk=game.pk))
        clocks = clocks_of(Game.objects.get(pk=game.pk))
        assert (clocks.is_away, clocks.shown_s) == (False, 5)
        now.shift(6)
        give_sign(Game.objects.get(pk=game.pk), "buyer")
        assert pairs.look_after(Game.objects.get(pk=game.pk)), "thinking has an end, too"


def test_the_one_who_waits_writes_and_names_no_price(game):
    sessions.play(game.pk, RAVI, Say("salaam, kaisa hai?"))
    receipt = sessions.play(game.pk, ASHA, Say("It is like new, take your time."))
    assert receipt.note is None
    for words in ("1900", "I can do 1900"):
        with pytest.raises(NotYourTurn):
            sessions.play(game.pk, ASHA, Say(words))
    sessions.play(game.pk, RAVI, Offer(Paise(120_000)))
    said = [frame["event"]["actor"] for frame in frames(game, "buyer")
            if frame["event"]["kind"] in ("message", "offer")]  # fmt: skip
    assert said == ["buyer", "seller", "buyer"]
    SALE.positions.forget_all()
    assert len(sessions.current(game.pk)[1].state.turns) == 3, "the log plays again"


def test_a_table_may_bind_words_to_turns(listing):
    terms = Terms(talk="turns")
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with pytest.raises(NotYourTurn):
        sessions.play(game.pk, ASHA, Say("It is like new, take your time."))


def test_words_of_the_one_who_waits_are_no_sign_of_the_other(listing):
    with time_machine.travel(timezone.now(), tick=False) as now:
        terms = Terms(absent_s=60)
        game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
        now.shift(50)
        sessions.play(game.pk, ASHA, Say("Are you there?"))
        now.shift(11)
        assert pairs.look_after(Game.objects.get(pk=game.pk))


def test_nobody_has_to_wait_for_who_is_away(listing, client):
    client.get("/learn/")
    key = client.session.session_key
    terms = Terms(absent_s=600, absence="policy")
    with time_machine.travel(timezone.now(), tick=False) as now:
        game = sessions.open_pair(key, RAVI, dealt(listing), names=NAMES, terms=terms)
        client.post(f"/sell/{game.pk}/end/")
        game.refresh_from_db()
        assert game.status == "live", "Ravi is there"
        now.shift(41)
        assert not pairs.end_without(game.pk, RAVI), "whoever is away himself ends nothing"
        assert "End the game without a deal" in client.get(f"/sell/{game.pk}/").content.decode()
        client.post(f"/sell/{game.pk}/end/")
        game.refresh_from_db()
        assert (game.status, game.outcome) == ("ended", "walk")
    assert EventRow.objects.get(game=game.pk, kind="walk").backend == "absent"


@pytest.mark.parametrize(
    ("why", "mine", "other"),
    [
        ("absent", "You were away too long", "Ravi was away too long"),
        ("clock", "You ran out of time", "Ravi ran out of time"),
        ("closed", "it was your turn", "it was the turn of Ravi"),
    ],
)
@pytest.mark.parametrize("reveal", ["all", "own"])
def test_the_end_says_that_nobody_walked_away(listing, why, mine, other, reveal):
    terms = Terms(absent_s=60, clock_s=60, reveal=reveal)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    assert pairs.close(game.pk, why)
    for key, kind, words in ((RAVI, "buy", mine), (ASHA, "sell", other)):
        seen = sessions.owned_game(game.pk, key, kind)
        shown = sale_page(frames(seen, sessions.side_of(seen)), seen)
        page = html.unescape(f"{shown['panels']}{shown['transcript']}")
        assert page.count(words) >= 3, "the talk, its end and the sheet"
        assert "walked away" not in page
        assert "table@1" not in page


def test_who_walks_away_is_said_to_have_walked_away(game):
    sessions.play(game.pk, RAVI, Walk())
    seen = sessions.owned_game(game.pk, ASHA, "sell")
    assert "Ravi walked away" in str(sale_page(frames(seen, "seller"), seen))


def test_a_closed_table_is_nobodys_bad_move(listing):
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=Terms(clock_s=60))
    sessions.play(game.pk, RAVI, Offer(Paise(120_000)))
    sessions.play(game.pk, ASHA, Offer(Paise(190_000)))
    assert pairs.close(game.pk, "clock")
    jobs.run(game.pk)
    row = jobs.wanted(Game.objects.get(pk=game.pk))
    assert row is not None
    result = jobs.result_of_row(row)
    assert result is not None
    assert [move.seq for move in result.moves] == [2, 3]


def test_where_nobody_is_told_who_sits_opposite_nothing_tells_that_it_is_a_person(listing, client):
    client.get("/learn/")
    key = client.session.session_key
    terms = Terms(absent_s=600, persona_told=False)
    with time_machine.travel(timezone.now(), tick=False) as now:
        game = sessions.open_pair(key, RAVI, dealt(listing), names=NAMES, terms=terms)
        with pytest.raises(NotYourTurn):
            sessions.play(game.pk, key, Say("Are you there?"))
        now.shift(41)
        assert not pairs.end_without(game.pk, key)
        page = client.get(f"/sell/{game.pk}/").content.decode()
        assert "data-free" not in page
        assert 'data-table-clock data-own="seller" hidden' in page


def test_tables_that_both_have_left_end_though_nobody_looks(
    listing, django_assert_num_queries
):  # fmt: skip
    with django_assert_num_queries(1):
        assert pairs.look_everywhere() == 0
    terms = Terms(clock_s=300, absent_s=120)
    table = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    free = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=Terms(absent_s=120))
    with time_machine.travel(timezone.now(), tick=False) as now:
        now.shift(121)
        assert pairs.look_everywhere() == 2
        table.refresh_from_db()
        assert (table.policy, table.owner) == ("sauda", ASHA)
        assert sessions.turn_of(table) == "seller", "the house has moved at once"
        now.shift(301)
        assert pairs.look_everywhere() == 1, "the other clock"
        table.refresh_from_db()
        assert table.status == "ended"
        now.shift(chairs.FORSAKEN_S)
        assert pairs.look_everywhere() == 1, "there is no clock, and nobody comes back"
    free.refresh_from_db()
    assert (free.status, free.outcome) == ("ended", "walk")
    assert EventRow.objects.get(game=free.pk, kind="walk").backend == "absent"
    with django_assert_num_queries(1):
        assert pairs.look_everywhere() == 0


def test_a_table_without_limits_waits_a_week_then_has_been_left(game):
    with time_machine.travel(timezone.now(), tick=False) as now:
        now.shift(chairs.DESERTED_S - 60)
        assert pairs.look_everywhere() == 0
        sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
        now.shift(chairs.DESERTED_S - 60)
        assert pairs.look_everywhere() == 0, "somebody was there in between"
        now.shift(61)
        assert pairs.look_everywhere() == 1
    game.refresh_from_db()
    assert (game.status, game.outcome) == ("ended", "walk")
    assert EventRow.objects.get(game=game.pk, kind="walk").backend == "absent"


def test_a_seat_that_the_house_took_while_nobody_was_there_is_played(listing):
    terms = Terms(absent_s=60)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with time_machine.travel(timezone.now(), tick=False) as now:
        now.shift(61)
        assert pairs.look_after(game), "by another lobby of the room, say"
        assert pairs.look_everywhere() == 1
        game.refresh_from_db()
        assert sessions.turn_of(game) == "seller"
        sessions.play(game.pk, ASHA, Offer(Paise(190_000)))
        assert pairs.look_everywhere() == 0, "the seller is there, and is answered on the page"
        now.shift(pairs.FORGOTTEN_S + 1)
        assert pairs.look_everywhere() == 1
        game.refresh_from_db()
        assert sessions.turn_of(game) == "seller"


def test_where_nobody_of_the_house_can_take_a_seat_the_table_is_closed(listing):
    terms = Terms(absent_s=60, buyer="a-bot-of-last-year")
    first, second = (
        sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms) for _ in range(2)
    )
    assert not pairs.replace(first.pk, "buyer"), "the one who is there goes on"
    with late():
        assert pairs.look_after(first)
    assert EventRow.objects.get(game=first.pk, kind="walk").backend == "absent"
    pairs.leave(second.pk, "buyer")
    assert EventRow.objects.get(game=second.pk, kind="walk").backend == "closed"


@pytest.mark.parametrize("who", ["worker", "lobby"])
def test_a_table_that_cannot_go_on_keeps_no_other_one_waiting(listing, monkeypatch, who):
    terms = Terms(absent_s=60)
    games = [
        sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms) for _ in range(3)
    ]
    broken = min(game.pk for game in games)
    real = chairs.sit_down

    def fails(game, side, *policy):
        if game.pk == broken:
            raise UnknownGame("gone")
        return real(game, side, *policy)

    monkeypatch.setattr(chairs, "sit_down", fails)
    with late():
        assert (pairs.look_after_all(games) if who == "lobby" else pairs.look_everywhere()) == 2
    taken = Game.objects.exclude(policy=PERSON).values_list("pk", flat=True)
    assert set(taken) == {game.pk for game in games} - {broken}


def test_many_tables_are_looked_after_with_one_reading(listing, django_assert_num_queries):
    terms = Terms(clock_s=300)
    for _ in range(20):
        sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with django_assert_num_queries(2):
        assert pairs.look_after_all(Game.objects.filter(status="live")) == 0


def test_the_house_takes_a_seat_though_somebody_moves_at_that_moment(game, monkeypatch):
    real = chairs.sit_down

    def moves_first(seen, side, *policy):
        if seen.last_seq == 1:
            sessions.play(game.pk, RAVI, Offer(Paise(100_000)))
        return real(seen, side, *policy)

    monkeypatch.setattr(chairs, "sit_down", moves_first)
    assert pairs.replace(game.pk, "seller")
    assert Game.objects.get(pk=game.pk).policy == "seller:default"
    assert not pairs.replace(game.pk, "buyer"), "nobody sits there for two any more"


def test_a_worker_looks_after_tables_and_outlives_a_broken_one(listing, monkeypatch):
    terms = Terms(absent_s=60)
    game = sessions.open_pair(ASHA, RAVI, dealt(listing), names=NAMES, terms=terms)
    with late():
        with monkeypatch.context() as broken:
            broken.setattr(pairs, "look_everywhere", _breaks)
            worker_beat.look_after_tables()
        worker_beat.look_after_tables()
    assert Game.objects.get(pk=game.pk).policy == "sauda"


def _breaks():
    raise UnknownGame


def test_a_page_offers_things_and_the_link_goes_by_every_way(listing, client):
    offered = client.get("/pair/").content.decode()
    assert f'name="listing" value="{listing.pk}" required checked' in offered
    chosen = client.get("/pair/", {"listing": listing.pk}).content.decode()
    assert f'type="hidden" name="listing" value="{listing.pk}"' in chosen
    assert client.get("/pair/", {"listing": "none"}).status_code == 404
    made = client.post("/pair/", {"listing": listing.pk, "name": "Asha", "seat": "seller"})
    waiting = client.get(made["Location"]).content.decode()
    link = f"http://testserver{made['Location']}"
    assert f'value="{link}"' in waiting
    assert "https://wa.me/?text=" in waiting
    assert quote(link, safe="") in waiting
    assert '<svg role="img"' in waiting
    assert link not in Client().get(made["Location"]).content.decode(), "a friend needs no link"


@pytest.mark.parametrize(
    ("mine", "theirs", "is_same"),
    [
        ("Asha", "ASHA", True),
        ("Asha", "Аshа", True),
        ("🎈", "🙂", False),
        ("Asha", "Asha R", False),
    ],
)
def test_two_friends_are_called_differently(listing, client, mine, theirs, is_same):
    asked = {"listing": listing.pk, "name": mine, "seat": "seller"}
    link = client.post("/pair/", asked)["Location"]
    answer = Client().post(link, {"name": theirs})
    assert answer.status_code == (422 if is_same else 302)
    assert ("tells you apart" in answer.content.decode()) is is_same


def two_friends(listing):
    """Two browsers at one table, whom the link in the answer has led there."""
    asha, ravi = a_visitor(), a_visitor()
    form = {"listing": listing.pk, "name": "Asha", "seat": "seller", "clock_s": "0"}
    link = asha.post("/pair/", form)["Location"]
    ravi.post(link, {"name": "Ravi"})
    asha.get(link)
    return asha, ravi, link


@pytest.mark.parametrize("address", ["/pair/", "/", "/sell/", "/buy/"])
def test_who_closed_the_page_finds_the_way_back_to_the_friend(listing, address):
    asha, ravi, link = two_friends(listing)
    for one in (asha, ravi):
        assert f'<a class="button" href="{link}">Continue:' in one.get(address).content.decode()
    assert "Continue:" not in a_visitor().get(address).content.decode()
    sessions.play(Game.objects.get().pk, key_of(ravi), Walk())
    assert "Continue:" not in asha.get(address).content.decode()


def test_the_link_gives_back_the_seat_that_the_house_kept(listing):
    _, ravi, link = two_friends(listing)
    game = Game.objects.get()
    assert pairs.replace(game.pk, "buyer")
    assert Game.objects.get().gone == key_of(ravi)
    assert ravi.get(link)["Location"] == f"/buy/{game.pk}/"
    game = Game.objects.get()
    assert (game.policy, game.rival) == (PERSON, key_of(ravi))
    assert a_visitor().get(link).status_code == 410, "nobody else"


def test_an_end_promises_nothing_that_the_next_line_would_show(listing):
    asha, ravi, _ = two_friends(listing)
    game = Game.objects.get()
    address = f"/sell/{game.pk}/"
    assert "After your first line" in asha.get(address).content.decode()
    sessions.play(game.pk, key_of(ravi), Walk())
    page = asha.get(address).content.decode()
    assert "Nothing was read in this game." in page
    assert "After your first line" not in page
