"""The numbers of a debrief against a class that was reckoned by hand."""

import csv
import io

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from bazaarbatna.bargain.moves import Accept, Offer
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import pairs, sessions
from negotiation.charts.svg import round_ticks
from negotiation.models import Game
from rooms.debrief.cases import SALES, Part
from rooms.debrief.figures import (
    best_walk,
    course_of,
    first_bids,
    fit_of,
    missed_in,
    shares_by_role,
    totals_of,
)
from rooms.debrief.games import FinishedGame, played_in
from rooms.debrief.gradebook import gradebook
from rooms.debrief.page import quotes_of
from rooms.debrief.progress import progress_of
from rooms.debrief.questions import RULES, facts_of, questions_of
from rooms.models import Room
from tests.support.class_rooms import a_game, a_member, a_room, ask, bid, fill, takes


def test_totals_are_those_of_the_hand(four: Room) -> None:
    totals = totals_of(played_in(four))
    assert (totals.games, totals.deals, totals.missed, totals.rightly_left) == (4, 2, 1, 1)
    assert totals.seller_share == pytest.approx((0.6 + 1.0) / 2)
    assert totals.buyer_share == pytest.approx((0.4 + 0.0) / 2)
    assert (totals.kept, totals.lost) == (700, 100)
    assert totals.lost_part == pytest.approx(1 / 8)


def test_paths_are_parts_of_the_opening_ask(four: Room) -> None:
    games = played_in(four)
    asks, bids = course_of(games, "seller"), course_of(games, "buyer")
    assert [stop.n for stop in asks] == [4, 4, 3, 1]
    assert [stop.mean for stop in asks] == pytest.approx([1, 0.9, 2.5 / 3, 0.75])
    # The middle half of 0.8, 0.9, 0.9, 1.0; three games are too few for one.
    assert (asks[1].low, asks[1].high) == pytest.approx((0.875, 0.925))
    assert asks[2].low is None
    # Sauda took 800: she has moved there.
    assert [stop.mean for stop in bids] == pytest.approx(
        [(0.55 + 0.5 + 0.75 + 0.5) / 4, (0.7 + 0.5 + 0.8) / 3, 0.75]
    )


def test_a_missed_deal_costs_its_zone(four: Room) -> None:
    (missed,) = missed_in(played_in(four))
    assert (missed.game.number, missed.game.zone, missed.gap) == (2, 100, 400)


def test_the_best_walk_is_one_that_no_price_could_mend(four: Room) -> None:
    walk = best_walk(played_in(four))
    assert walk is not None
    assert (walk.game.number, walk.side, walk.price, walk.limit, walk.beyond) == (
        *(3, "seller"),
        *(750, 900, 150),
    )


def test_shares_stand_by_role_and_by_who_had_it(four: Room) -> None:
    rows = shares_by_role(played_in(four))
    told = {key: [(game.number, game.share(key[0])) for game in row] for key, row in rows.items()}
    assert told == {
        ("seller", True): [(1, pytest.approx(0.6)), (4, pytest.approx(1.0))],
        ("buyer", True): [(1, pytest.approx(0.4))],
        ("buyer", False): [(4, pytest.approx(0.0))],
    }


def test_first_bids_are_those_of_deals(four: Room) -> None:
    points = first_bids(played_in(four))
    assert [(game.number, x, y) for game, x, y in points] == [(1, 0.55, 0.75), (4, 0.5, 0.8)]


def test_a_fit_of_few_points_is_none_and_of_a_line_is_sure() -> None:
    on_a_line = [(x / 10, 0.2 + x / 20) for x in range(9)]
    assert fit_of(on_a_line[:7]) is None
    fit = fit_of(on_a_line)
    assert fit is not None
    assert (fit.r, fit.slope, fit.start) == pytest.approx((1, 0.5, 0.2))
    assert fit.is_sure
    assert fit_of([(0.5, y / 10) for y in range(9)]) is None


def test_the_interval_of_a_correlation_is_fishers() -> None:
    # Ten points on the corners of a square, eight of them on one diagonal: r = (8 - 2) / 10.
    square = [(-1.0, -1.0)] * 4 + [(1.0, 1.0)] * 4 + [(-1.0, 1.0), (1.0, -1.0)]
    fit = fit_of(square)
    assert fit is not None
    assert fit.r == pytest.approx(0.6)
    # tanh(atanh 0.6 -+ 1.96 / sqrt 7): atanh 0.6 = 0.6931, 1.96 / 2.6458 = 0.7408.
    assert (fit.low, fit.high) == pytest.approx((-0.0476, 0.8925), abs=2e-4)
    assert not fit.is_sure


def test_quotes_need_consent_and_name_the_step_after(four: Room) -> None:
    quotes = quotes_of(played_in(four))
    assert [(one.text, one.moved) for one in quotes] == [
        ("It is nearly new, look at it", 300),
        ("Only one thousand one hundred, my friend", 200),
    ]
    four.members.filter(nickname="Asha").update(withdrawn_at=timezone.now())
    assert [one.moved for one in quotes_of(played_in(four))] == [200]
    four.members.update(may_quote=False)
    assert quotes_of(played_in(four)) == []


def test_four_questions_come_from_what_happened(four: Room) -> None:
    asked = questions_of(played_in(four))
    assert len(asked) == 4
    assert asked[0].text.startswith("Deals missed although a price suited both: 1. They held ₹100.")
    assert asked[0].game is not None
    assert asked[0].game.number == 2
    assert questions_of([]) == []


def test_every_question_can_be_asked_of_its_fact(db: None) -> None:
    room = a_room()
    fill(room, people=15, rounds=4, seed=3)
    facts = facts_of(played_in(room))
    words = {name: fact.words for name, fact in facts.items()}
    # Not every class has a close walk; its words are those of the other side's.
    told = {"number": "1", "price": "₹1", "limit": "₹1"}
    words |= {"right_walk_buyer": told, "right_walk_seller": told}
    words.setdefault("bids_go_along", {"bid": "50 %", "number": "1"})
    for rule in RULES:
        assert rule.text.format(**words[rule.when]), rule.when


def test_the_gradebook_is_that_of_the_hand(four: Room) -> None:
    body = gradebook(four.members.order_by("number"), [(Part(SALES), played_in(four))])
    assert body.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(body.decode("utf-8-sig"))))
    assert rows[0][:2] == ["Number", "Nickname"]
    assert [row[:10] for row in rows[1:]] == [
        ["1", "Asha", "2", "1", "60.0", "300.00", "0", "1", "0", "0"],
        ["2", "'=Ravi+1", "2", "1", "40.0", "200.00", "0", "1", "0", "0"],
        ["3", "Meena", "1", "0", "0.0", "0.00", "1", "0", "0", "0"],
        ["4", "Omar", "2", "1", "50.0", "200.00", "1", "0", "0", "0"],
    ]


@pytest.mark.parametrize("nickname", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", "＝1"])
def test_no_nickname_is_calculated(db: None, nickname: str) -> None:
    room = a_room()
    a_member(room, nickname)
    body = gradebook(room.members.all(), [(Part(SALES), [])]).decode("utf-8-sig")
    (row,) = list(csv.reader(io.StringIO(body, newline="")))[1:]
    assert row[1] == f"'{nickname}"


def test_a_game_that_a_program_finished_is_no_longer_the_persons(db: None) -> None:
    room = a_room()
    asha, ravi = a_member(room, "Asha"), a_member(room, "Ravi")
    row = a_game(room, asha, ravi, [bid(1100)])
    assert pairs.hand_over(Game.objects.get(pk=row.game_id), "seller")
    while sessions.opponent_turn(row.game_id):
        pass
    sessions.play(row.game_id, ravi.session, Offer(Paise(130000)))
    while sessions.opponent_turn(row.game_id):
        pass
    live = Game.objects.get(pk=row.game_id).status == Game.Status.LIVE
    if live:
        pairs.close(row.game_id, "clock")
    (game,) = played_in(room)
    assert game.seller.helped
    assert not game.buyer.helped
    assert not game.is_between_people
    body = (
        gradebook(room.members.order_by("number"), [(Part(SALES), [game])])
        .decode("utf-8-sig")
        .splitlines()
    )
    assert body[1].split(",")[2] == "0"
    assert body[1].split(",")[8] == "1"
    assert body[2].split(",")[2] == "1"


def test_a_seat_that_was_taken_at_the_last_moment_is_not_the_persons(db: None) -> None:
    room = a_room()
    asha, ravi = a_member(room, "Asha"), a_member(room, "Ravi")
    row = a_game(room, asha, ravi, [bid(1100), ask(1500)])
    assert pairs.hand_over(Game.objects.get(pk=row.game_id), "seller")
    sessions.play(row.game_id, ravi.session, Accept())
    (game,) = played_in(room)
    assert (game.seller.helped, game.buyer.helped) == (True, False)


@pytest.mark.parametrize(("why", "counts"), [("absent", False), ("closed", False), ("clock", True)])
def test_who_was_gone_has_missed_nothing(db: None, why: str, counts: bool) -> None:
    room = a_room()
    row = a_game(room, a_member(room, "Asha"), a_member(room, "Ravi"), [bid(1100)])
    pairs.close(row.game_id, why)  # type: ignore[arg-type]
    (game,) = played_in(room)
    assert game.is_broken_off is not counts
    assert game.is_missed is counts
    assert game.is_between_people
    assert totals_of([game]).games == counts


def test_leaving_is_never_worth_more_than_staying(db: None) -> None:
    """A poor price stands for the buyer's taking: stay for it, or let the house try for more."""
    room = a_room()
    asha, ravi = a_member(room, "Asha"), a_member(room, "Ravi")
    poor = [bid(1000), ask(1690)]
    a_game(room, ravi, asha, [*poor, takes("buyer")], number=1)
    for number, deeds in enumerate((poor, []), start=2):
        row = a_game(room, ravi, asha, deeds, number=number)
        assert pairs.hand_over(Game.objects.get(pk=row.game_id), "buyer")
        for price in range(130_000, 120_000, -1_000):
            sessions.opponent_turn(row.game_id)
            if Game.objects.get(pk=row.game_id).status == Game.Status.LIVE:
                sessions.play(row.game_id, ravi.session, Offer(Paise(price)))
    closed = a_game(room, ravi, asha, poor, number=4)
    pairs.close(closed.game_id, "absent")
    by_host = a_game(room, ravi, asha, poor, number=5)
    pairs.close(by_host.game_id, "closed")
    games = {game.round: game for game in played_in(room)}
    assert games[1].earned("buyer") == pytest.approx(0.02)
    for number, standing in ((2, 0.02), (3, 0)):
        assert games[number].share("buyer") > 0.5, "the house did better"
        assert games[number].earned("buyer") == pytest.approx(standing), "what stood for the taking"
        assert games[number].earned("seller") == games[number].share("seller"), "who stayed"
    assert games[4].earned("buyer") == 0, "who was away"
    assert games[4].earned("seller") is None
    assert games[5].earned("buyer") is None, "the host closed it: nobody left"
    told = (
        gradebook([asha], [(Part(SALES), list(games.values()))])
        .decode("utf-8-sig")
        .splitlines()[1]
        .split(",")
    )
    assert told[4] == f"{100 * (0.02 + 0.02) / 4:.1f}"
    own, by_program = int(told[10]), int(told[11])
    # A price and a yes, then one price in games 2, 4 and 5; that the table closed two is nobody's.
    assert own == 2 + 1 + 1 + 1
    assert by_program >= 2


def test_progress_counts_people_by_round(four: Room) -> None:
    late = a_member(four, "Late")
    a_game(four, late, a_member(four, "Lena"), [bid(1100), ask(1900)], number=1)
    a_member(four, "Gone", left_at=timezone.now())
    progress = progress_of(four)
    assert progress.here == 6
    assert [(r.waiting, r.playing, r.done) for r in progress.rounds] == [(0, 2, 4), (3, 0, 3)]
    assert (progress.live, progress.finished, progress.is_done) == (1, 4, False)


def test_live_games_are_not_read(four: Room) -> None:
    before = played_in(four)
    a_game(four, a_member(four, "Late"), a_member(four, "Lena"), [bid(1100)], number=3)
    assert played_in(four) == before


def test_two_queries_read_a_room(
    four: Room, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(2):
        assert len(played_in(four)) == 4


def test_ticks_are_round() -> None:
    assert round_ticks(500, 500, about=5)
    assert round_ticks(0.5, 0.9, about=5)[0] <= 0.5


def test_shares_of_both_sides_add_to_one(db: None) -> None:
    room = a_room()
    fill(room, people=9, rounds=3, seed=2)
    games: list[FinishedGame] = played_in(room)
    assert len(games) == 15
    assert all(g.share("seller") + g.share("buyer") == pytest.approx(1) for g in games if g.is_deal)
    assert all(g.has_zone for g in games if g.is_deal)
    assert all(0 <= g.place <= 1 for g in games)
