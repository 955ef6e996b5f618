"""How Sauda bargains."""

import functools
from collections.abc import Callable
from random import Random

from agents.buyers.sauda import PLAN, Sauda
from agents.testing.players import a_scenario, firm, play_checked, steady
from agents.text.rounding import people_price
from bazaarbatna.bargain.episode import State, apply, start
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import observe_buyer
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.bargain.tells import Tells
from tests.support.positions import a_position

PRESSED = Tells(verbal_urgency=0.9, verbal_confidence=0.1, emotional_escalation=0.6)


def a_sale(budget: int, *, reservation: int = 1200, seed: int = 1) -> Scenario:
    """A tiffin listed at 1,800 rupees; prices in rupees."""
    sealed = SealedValues(
        Paise(reservation * 100), Paise(reservation * 95), Paise(budget * 100), seed
    )
    return Scenario("sell@1", Item("Steel tiffin"), 10, Paise(180_000), sealed, "salt")


def stubborn(state: State, dice: Random) -> Move:
    return Offer(state.standing_ask, "fixed price")


@functools.cache
def play(scenario: Scenario, seller: Callable[[State, Random], Move]) -> tuple[Move, ...]:
    return play_checked(Sauda, scenario, seller, Random(1))


def prices(moves: tuple[Move, ...]) -> list[int]:
    return [move.price for move in moves if isinstance(move, Offer)]


def test_sauda_opens_low_but_plausible() -> None:
    for budget in (1300, 1500, 1750):
        for seed in range(60):
            move = Sauda(seed).act(a_position(budget=budget))
            assert isinstance(move, Offer)
            assert 0.45 <= move.price / 180_000 <= 0.65
            assert move.price < 0.85 * budget * 100


def test_prices_are_round() -> None:
    for seed in range(100):
        for price in prices(play(a_sale(1500, seed=seed), steady)):
            assert price % 500 == 0


def test_concessions_shrink() -> None:
    first, rest = 0, 0
    for seed in range(100):
        bids = prices(play(a_sale(1500, seed=seed), steady))
        if len(bids) >= 4:
            first += bids[1] - bids[0]
            rest += bids[3] - bids[2]
    assert first > 1.3 * rest > 0


def test_concessions_are_uneven_between_games() -> None:
    steps = {tuple(prices(play(a_sale(1500, seed=seed), steady))) for seed in range(30)}
    assert len(steps) > 20


def test_a_pressed_seller_gets_lower_bids() -> None:
    lower = 0
    for seed in range(60):
        calm = Sauda(seed).act(a_position((1800, 1650), (1000,), tells=Tells(verbal_urgency=0.0)))
        pressed = Sauda(seed).act(a_position((1800, 1650), (1000,), tells=PRESSED))
        assert isinstance(calm, Offer)
        assert isinstance(pressed, Offer)
        assert pressed.price <= calm.price
        lower += pressed.price < calm.price
    assert lower > 30


def test_a_seller_who_gives_gets_more() -> None:
    generous = [prices(play(a_sale(1500, seed=s), steady))[1] for s in range(40)]
    stingy = [prices(play(a_sale(1500, seed=s), stubborn))[1] for s in range(40)]
    assert sum(generous) > sum(stingy)


def careful(state: State, dice: Random) -> Move:
    """Comes down a sixth of the gap each round and closes what is nearly closed."""
    bid, ask = state.standing_bid or 0, state.standing_ask
    if bid >= 0.97 * ask:
        return Accept("chalo theek hai")
    return Offer(Paise(ask - (ask - bid) // 6), "thoda aur kam")


def shares(seller: Callable[[State, Random], Move]) -> list[float]:
    """Sell to budgets from 1,300 to 1,800 rupees; gives the buyer's shares."""
    found = []
    for seed in range(120):
        state, _ = start(a_sale(1300 + 4 * seed, seed=seed))
        dice = Random(seed)
        while state.to_move is not None:
            if state.to_move == "buyer":
                state, _ = apply(state, "buyer", Sauda(seed).act(observe_buyer(state)))
            else:
                state, _ = apply(state, "seller", seller(state, dice))
        assert state.ended is not None
        assert state.ended.outcome == "deal"
        found.append(state.ended.buyer_share)
    return found


def test_sauda_deals_with_a_soft_seller_and_takes_most() -> None:
    assert sum(shares(steady)) / 120 > 0.7


def test_sauda_deals_with_a_careful_seller_who_keeps_a_fair_part() -> None:
    assert 0.2 < sum(shares(careful)) / 120 < 0.8


def test_sauda_takes_a_price_it_likes() -> None:
    position = a_position((1800, 1150), (1080,), budget=1700)
    assert all(isinstance(Sauda(seed).act(position), Accept) for seed in range(20))


def test_sauda_leaves_only_at_the_end_and_only_a_hopeless_seller() -> None:
    for seed in range(60):
        moves = play(a_sale(1000, seed=seed), stubborn)
        assert isinstance(moves[-1], Walk)
        assert len(moves) >= 9
        assert not any(isinstance(move, Walk) for move in moves[:-1])
        assert not any(isinstance(move, Walk) for move in play(a_sale(1500, seed=seed), stubborn))


def test_the_last_round_pays_nearly_all_only_to_a_seller_who_conceded() -> None:
    fair = a_position((1800, 1400), (1200,), budget=1560, at=10)
    assert isinstance(Sauda(1).act(fair), Accept)
    never_moved = a_position((1800, 1800), (1200,), budget=1870, at=10)
    assert isinstance(Sauda(1).act(never_moved), Offer)
    assert PLAN.fair_concession > 0


def test_the_buyers_own_deadline_makes_it_close_earlier() -> None:
    free = a_position((1800, 1250), (1000, 1100), budget=1700, at=5)
    bound = a_position((1800, 1250), (1000, 1100), budget=1700, at=5, deadline=5)
    taken = [isinstance(Sauda(seed).act(bound), Accept) for seed in range(40)]
    waited = [isinstance(Sauda(seed).act(free), Accept) for seed in range(40)]
    assert sum(taken) > sum(waited)


def test_no_zone_of_agreement_never_ends_in_a_deal() -> None:
    for seed in range(40):
        scenario = a_sale(1100, seed=seed)
        for seller in (steady, firm):
            assert not any(isinstance(m, Accept) for m in play(scenario, seller))


def test_odd_budgets_do_not_show_in_the_bids() -> None:
    for seed in range(200):
        scenario = a_scenario(Random(seed))
        budget = scenario.sealed.budget
        assert budget not in prices(play(scenario, firm))
        assert people_price(budget, scenario.anchor) <= budget
