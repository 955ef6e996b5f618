"""The writer of matches: opening, sitting down, beginning, closing envelopes, ending."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from arena.auction.web import matches, running
from arena.auction.web.game import AUCTION
from arena.auction.web.orders import Order
from arena.errors import NoSeat, NotBegun, SeatTaken
from arena.models import Match, MatchSeat
from bazaarbatna.auction.events import Bid, Hold
from bazaarbatna.auction.match import fold
from bazaarbatna.bargain.errors import GameOver, NotYourTurn
from negotiation.errors import BadSale, UnknownGame
from negotiation.models import EventRow, Game
from tests.support.tables import a_listing, a_match, closes, plays_out, plays_round

pytestmark = pytest.mark.django_db(transaction=False)


def numbers(match_id: str) -> list[int]:
    return list(
        EventRow.objects.filter(game=match_id).order_by("seq").values_list("seq", flat=True)
    )


def test_a_match_is_a_game_like_any_other_when_it_has_ended() -> None:
    match = a_match()
    plays_out(match.pk)
    game = Game.objects.get(pk=match.pk)
    match.refresh_from_db()
    assert (game.kind, game.source, game.status, match.phase) == (
        "arena",
        "arena",
        "ended",
        "ended",
    )
    assert game.share_replay
    assert game.rounds_used
    assert game.persona == match.persona
    assert game.ended_at is not None
    assert numbers(match.pk) == list(range(1, game.last_seq + 1))
    assert game.deal_price
    assert game.buyer_share is not None
    assert game.seller_share is not None
    assert game.buyer_share + game.seller_share == pytest.approx(1)


def test_the_stored_log_is_a_match_of_the_stored_scenario() -> None:
    match = a_match()
    plays_out(match.pk)
    _, position = matches.current(match.pk)
    assert fold(AUCTION.scenario_of(match.pk), position.events) == position.state


def test_the_same_order_with_the_same_seed_is_the_same_match() -> None:
    first = a_match()
    plays_out(first.pk)
    order = Order(listing=first.game.listing, line_up=tuple(first.line_up), seed=first.seed)
    second = matches.open_match("bilal", order)
    plays_out(second.pk)
    logs = [
        [bytes(row) for row in EventRow.objects.filter(game=m.pk).values_list("payload", flat=True)]
        for m in (first, second)
    ]
    assert logs[0] == logs[1]


def test_an_envelope_of_an_old_position_is_not_written() -> None:
    match = a_match()
    _, old = matches.current(match.pk)
    closes(match.pk, 0)
    assert matches.write(match, old, 1, Hold(), None) is None
    assert numbers(match.pk) == [1, 2]


def test_nobody_closes_an_envelope_twice() -> None:
    match = a_match("person", "rules:micro")
    matches.place_for(match.pk, "asha", lambda position, index: Bid(10_000))
    with pytest.raises(NotYourTurn):
        matches.place_for(match.pk, "asha", lambda position, index: Bid(11_000))


def test_only_those_who_sit_can_bid() -> None:
    match = a_match("person", "rules:micro")
    with pytest.raises(NoSeat):
        matches.place_for(match.pk, "chetan", lambda position, index: Hold())
    with pytest.raises(NoSeat):
        matches.place_for(match.pk, "", lambda position, index: Hold())
    with pytest.raises(UnknownGame):
        matches.place_for("nosuch", "asha", lambda position, index: Hold())


def test_nobody_bids_before_the_beginning_or_after_the_end() -> None:
    waiting = a_match("person", "person")
    with pytest.raises(NotBegun):
        matches.place_for(waiting.pk, "asha", lambda position, index: Hold())
    matches.begin(waiting.pk)
    plays_out(waiting.pk)
    with pytest.raises(GameOver):
        matches.place_for(waiting.pk, "asha", lambda position, index: Hold())


def test_a_chair_that_nobody_took_is_played_by_a_policy() -> None:
    match = a_match("person", "person", "rules:micro")
    assert matches.begin(match.pk)
    assert not matches.begin(match.pk)
    seats = AUCTION.scenario_of(match.pk).seats
    assert [seat.person for seat in seats] == [True, False, False]
    assert seats[1].policy == "rules:smart"


def test_the_last_person_who_sits_down_begins_the_match() -> None:
    match = a_match("person", "person")
    matches.take_seat(match.pk, 1, "bilal")
    match.refresh_from_db()
    assert match.phase == Match.Phase.LIVE
    assert [seat.name for seat in AUCTION.scenario_of(match.pk).seats] == ["Visitor", "Visitor 2"]
    with pytest.raises(SeatTaken):
        matches.take_seat(match.pk, 1, "chetan")


@pytest.mark.parametrize(("index", "owner"), [(0, "bilal"), (2, "bilal"), (9, "bilal"), (1, "")])
def test_a_seat_that_is_not_free_cannot_be_taken(index: int, owner: str) -> None:
    match = a_match("person", "person", "rules:micro")
    with pytest.raises(SeatTaken):
        matches.take_seat(match.pk, index, owner)
    assert MatchSeat.objects.filter(match=match, owner="bilal").count() == 0


def test_a_seat_can_be_given_back_until_the_match_begins() -> None:
    match = a_match("person", "person", "person")
    matches.take_seat(match.pk, 1, "bilal")
    with pytest.raises(NoSeat):
        matches.leave_seat(match.pk, "chetan")
    matches.leave_seat(match.pk, "bilal")
    matches.take_seat(match.pk, 1, "chetan")
    matches.begin(match.pk)
    with pytest.raises(SeatTaken):
        matches.leave_seat(match.pk, "chetan")


def test_nobody_has_two_seats() -> None:
    match = a_match("person", "person", "person")
    with pytest.raises(SeatTaken):
        matches.take_seat(match.pk, 1, "asha")


def test_equal_buyers_get_names_of_their_own() -> None:
    match = a_match("rules:smart", "rules:smart", "rules:smart")
    names = [seat.name for seat in AUCTION.scenario_of(match.pk).seats]
    assert names == ["Arundhati", "Arundhati 2", "Arundhati 3"]


def test_people_have_time_until_a_moment_that_every_process_knows() -> None:
    match = a_match("person", "rules:micro")
    match.refresh_from_db()
    first = match.turn_ends_at
    assert first is not None
    assert first > timezone.now()
    plays_round(match.pk)
    match.refresh_from_db()
    assert match.turn_ends_at is not None
    assert match.turn_ends_at > first


@pytest.mark.parametrize(
    ("people", "exhibition", "times"), [(1, False, 4), (2, False, 1), (1, True, 1)]
)
def test_who_plays_among_the_house_alone_may_think_longer(
    people: int, exhibition: bool, times: int, settings: Settings
) -> None:
    settings.ARENA_TURN_S = 45.0
    match = a_match(*["person"] * people, "rules:micro", "rules:smart")
    for index in range(1, people):
        matches.take_seat(match.pk, index, f"friend {index}")
    Match.objects.filter(pk=match.pk).update(exhibition=exhibition)
    with time_machine.travel(timezone.now(), tick=False):
        plays_round(match.pk)
        match.refresh_from_db()
        assert match.turn_ends_at is not None
        assert (match.turn_ends_at - timezone.now()).total_seconds() == 45 * times


def test_missed_rounds_are_counted_until_the_person_is_back() -> None:
    match = a_match("person", "rules:micro")
    live, position = matches.current(match.pk)
    matches.write(live, position, 0, Hold(), None, missed=1)
    assert MatchSeat.objects.get(match=match, index=0).missed == 1
    closes(match.pk, 1)
    matches.place_for(match.pk, "asha", lambda position, index: Hold())
    assert MatchSeat.objects.get(match=match, index=0).missed == 0


def test_one_process_holds_a_match_and_another_takes_it_over_later() -> None:
    match = a_match()
    assert running.claim(match.pk)
    assert running.claim(match.pk)
    Match.objects.filter(pk=match.pk).update(runner="another")
    assert not running.claim(match.pk)
    assert not running.renew(match.pk)
    assert running.orphans() == []
    Match.objects.filter(pk=match.pk).update(held_until=timezone.now())
    assert running.orphans() == [match.pk]
    assert running.claim(match.pk)
    plays_out(match.pk)
    assert not running.claim(match.pk)


def test_a_chosen_seed_is_no_secret_so_several_people_cannot_play_on_it() -> None:
    order = Order(listing=a_listing(), line_up=("person", "person"), seed=1)
    with pytest.raises(BadSale, match="chance"):
        matches.open_match("asha", order)


@pytest.mark.django_db(transaction=True)
def test_of_many_writers_of_one_envelope_one_wins() -> None:
    match = a_match()
    live, position = matches.current(match.pk)

    def writes(_: int) -> bool:
        try:
            return matches.write(live, position, 0, Hold(), None) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as crowd:
        won = list(crowd.map(writes, range(16)))
    assert sum(won) == 1
    assert numbers(match.pk) == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_people_who_bid_at_the_same_moment_all_bid_once() -> None:
    match = a_match("person", "person", "person", "person")
    people = ("asha", "bilal", "chetan", "mallory")
    for index, owner in enumerate(people[1:], start=1):
        matches.take_seat(match.pk, index, owner)

    def bids(owner: str) -> None:
        try:
            matches.place_for(match.pk, owner, lambda position, index: Bid(10_000 + index))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as crowd:
        list(crowd.map(bids, people))
    _, position = matches.current(match.pk)
    assert position.state.round == 2
    assert len(position.state.rounds[0]) == 4
    assert numbers(match.pk) == list(range(1, 10))
