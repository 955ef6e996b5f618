"""What each rule buyer is known for."""

from itertools import pairwise

import msgspec
import pytest

from agents.buyers.classic import Aggressive, Og, Smart
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.players.simple import (
    Agreeable,
    Boulware,
    Climber,
    Conceder,
    Halver,
    Linear,
    Micro,
    Split,
    TitForTat,
    Waiter,
    Zeuthen,
)
from tests.support.positions import a_position


def price(move: Move) -> float:
    assert isinstance(move, Offer)
    return move.price / 100


def test_aggressive_opens_at_55_percent_and_leaves_early() -> None:
    buyer = Aggressive(1)
    assert price(buyer.act(a_position((1000,), budget=900))) == 550
    dear = a_position((1000, 900), (550, 580), budget=950, at=7)
    assert isinstance(buyer.act(dear), Walk)
    assert isinstance(buyer.act(a_position((1000, 700), (550,), budget=900)), Accept)


def test_smart_opens_at_65_percent_and_meets_halfway() -> None:
    buyer = Smart(1)
    assert price(buyer.act(a_position((1000,), budget=1200))) == 650
    assert price(buyer.act(a_position((1000, 950), (650,), budget=1200))) == 800
    assert isinstance(buyer.act(a_position((1000, 820), (800,), budget=1200)), Accept)
    last = a_position((1000, 950), (650,), budget=960, at=10)
    assert isinstance(buyer.act(last), Accept)


def test_the_clock_orders_conceder_linear_and_boulware() -> None:
    for number in range(1, 10):
        position = a_position((1000,), budget=900, at=number)
        boulware, linear, conceder = (
            price(make(1).act(position)) for make in (Boulware, Linear, Conceder)
        )
        assert 500 <= boulware < linear < conceder < 900


def test_linear_climbs_evenly() -> None:
    bids = [price(Linear(1).act(a_position((1000,), budget=930, at=n))) for n in range(1, 11)]
    steps = {round(after - before) for before, after in pairwise(bids)}
    assert steps == {39}


def test_tit_for_tat_gives_what_it_gets() -> None:
    buyer = TitForTat(1)
    assert price(buyer.act(a_position((1000,), budget=900))) == 550
    assert price(buyer.act(a_position((1000, 930), (550,), budget=900))) == 620
    assert price(buyer.act(a_position((1000, 930, 930), (550, 620), budget=900))) == 620


def test_micro_waits_for_a_new_price_of_the_seller() -> None:
    buyer = Micro(1)
    assert price(buyer.act(a_position((1000,), budget=900))) == 500
    assert price(buyer.act(a_position((1000, 990), (500,), budget=900))) == 540
    stalled = a_position((1000, 1000, 1000), (500, 540), budget=900)
    assert price(buyer.act(stalled)) == 540


def test_zeuthen_bids_where_both_products_of_gains_are_equal() -> None:
    position = a_position((1000, 800), (550,), budget=900)
    bid = price(Zeuthen(1).act(position))
    assert bid == 600
    assert (900 - bid) * (bid - 500) == (900 - 800) * (800 - 500)


def test_zeuthen_waits_while_it_has_nothing_to_lose() -> None:
    assert price(Zeuthen(1).act(a_position((1000, 950), (550,), budget=900))) == 550


def test_splitting_the_difference_can_be_exploited_by_a_seller_who_never_moves() -> None:
    asks, bids = (1000.0,), ()
    position: BuyerObservation = a_position(asks, bids, budget=1000, rounds=20)
    for _ in range(20):
        move = Split(1).act(position)
        if isinstance(move, Accept):
            break
        bids = (*bids, price(move))
        position = a_position((*position_asks(position), 1000), bids, budget=1000, rounds=20)
    assert isinstance(move, Accept)
    assert bids[:3] == (500, 750, 875)


def position_asks(position: BuyerObservation) -> tuple[float, ...]:
    return tuple(ask / 100 for ask in position.asks)


def test_og_follows_its_schedule_and_its_narrator_never_says_the_budget() -> None:
    bids: tuple[float, ...] = ()
    said = []
    for _ in range(7):
        move = Og(1).act(a_position((2000,), bids, budget=1000))
        bids = (*bids, price(move))
        said.append(move.text)
    assert bids == (500, 600, 700, 800, 900, 1000, 1000)
    assert said[0] == "The buyer offers ₹500."
    assert said[-1] == "The buyer offers a price."


@pytest.mark.parametrize(("ask", "kind"), [(800, Accept), (1000, Offer)])
def test_agreeable_says_yes_in_round_two_if_it_can(ask: float, kind: type[Move]) -> None:
    first = Agreeable(1).act(a_position((1000,), budget=900))
    assert price(first) == 700
    assert isinstance(Agreeable(1).act(a_position((1000, ask), (700,), budget=900)), kind)


def test_waiter_repeats_its_bid_until_the_ask_stops_falling() -> None:
    buyer = Waiter(1)
    assert price(buyer.act(a_position((1000,), budget=900))) == 480
    assert price(buyer.act(a_position((1000, 700), (480,), budget=900))) == 480
    assert isinstance(buyer.act(a_position((1000, 700, 700), (480, 480), budget=900)), Accept)
    assert price(buyer.act(a_position((1000, 950, 950), (480, 480), budget=900))) == 480


def test_waiter_takes_a_bluffers_ask_in_the_last_round_only() -> None:
    buyer = Waiter(1)
    stalled = a_position((1000, 700, 700), (480, 480), budget=900, persona="deceptive")
    assert price(buyer.act(stalled)) == 480
    last = a_position((1000, 700, 720), (480, 480), budget=900, at=10, persona="deceptive")
    assert isinstance(buyer.act(last), Accept)


def test_waiter_knows_a_list_price_and_a_bluffer_by_the_suite() -> None:
    listing = msgspec.structs.replace(
        a_position((1000,), budget=900), suite="amazon_realistic@sampled-1"
    )
    assert price(Waiter(1).act(listing)) == 350
    stalled = a_position((1000, 700, 700), (480, 480), budget=900)
    hidden = msgspec.structs.replace(stalled, suite="read_the_tells@sampled-1")
    assert price(Waiter(1).act(hidden)) == 480


def test_climber_walks_a_straight_line_and_takes_the_last_ask() -> None:
    bids = [price(Climber(1).act(a_position((1000,), budget=930, at=n))) for n in range(1, 10)]
    assert bids[0] == 500
    assert {round(after - before) for before, after in pairwise(bids)} == {22}
    assert isinstance(Climber(1).act(a_position((1000,), budget=1000, at=10)), Accept)
    assert price(Climber(1).act(a_position((1000,), budget=900, at=10))) == 700


def test_another_line_is_a_climber_of_another_version() -> None:
    class Steep(Climber):
        first, last = 0.4, 0.9
        parameters = {"first": first, "last": last}

    assert price(Steep(1).act(a_position((1000,), budget=900))) == 400
    assert Steep.version() != Climber.version()


def test_halver_halves_the_gap_three_times_and_stands() -> None:
    buyer = Halver(1)
    assert price(buyer.act(a_position((1000,), budget=1200))) == 600
    assert price(buyer.act(a_position((1000, 960), (600,), budget=1200))) == 780
    three = a_position((1000, 960, 960, 960), (600, 780, 870), budget=1200)
    assert price(buyer.act(three)) == 915
    four = a_position((1000, *(960,) * 4), (600, 780, 870, 915), budget=1200)
    assert price(buyer.act(four)) == 915
    assert isinstance(buyer.act(a_position((1000, 620), (600,), budget=1200)), Accept)
    last = a_position((1000, 960), (600,), budget=1200, at=10)
    assert isinstance(buyer.act(last), Accept)
