import math
from random import Random

import pytest

from bazaarbatna.bargain.career import Career
from bazaarbatna.bargain.episode import State, advance, apply, start
from bazaarbatna.bargain.match import play_episode, play_suite_game
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import observe_buyer, observe_seller
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.rewards import Reward, normalised_surplus, reward, time_discount
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.bargain.sellers import make_seller
from bazaarbatna.bargain.tasks import make_scenario, suite_ids
from bazaarbatna.players.simple import Linear


def a_game(*, budget: int = 100_00, suite: str = "single_deal@fixed-1") -> State:
    sealed = SealedValues(Paise(3150), Paise(3000), Paise(budget), seed=1)
    return start(Scenario(suite, Item("Scarf"), 8, Paise(60_00), sealed, "salt"))[0]


def after(state: State, *moves: Move) -> State:
    for move in moves:
        assert state.to_move is not None
        state, _ = apply(state, state.to_move, move)
    return state


def judged(state: State, proposal: object, answer: Move | None = None, **more: object) -> Reward:
    moved = after(state, repair(state, "buyer", proposal))
    if answer is not None:
        moved = after(moved, answer)
    return reward(state, proposal, moved, **more)  # type: ignore[arg-type]


def test_a_deal_pays_the_surplus_times_the_discount_of_its_round() -> None:
    terms = judged(a_game(), Accept())
    assert terms.surplus == pytest.approx((40 / 70) * math.exp(-0.3 * math.exp(2.5 / 8)))
    assert terms.closer == pytest.approx(0.05)
    assert terms.total == pytest.approx(terms.surplus + 0.05)


def test_a_later_deal_at_the_same_price_pays_less() -> None:
    values = [time_discount(round_, 8) for round_ in range(1, 9)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(math.exp(-0.3 * math.exp(2.5)))


def test_surplus_is_held_between_nothing_and_everything() -> None:
    assert normalised_surplus(10000, 3000, 2000) == 1.0
    assert normalised_surplus(10000, 3000, 20000) == 0.0
    assert normalised_surplus(3000, 3000, 3000) == 0.0


def test_closing_half_the_gap_pays_half_the_shaping() -> None:
    assert judged(a_game(), Offer(Paise(30_00))).terms()["closer"] == pytest.approx(0.025)


@pytest.mark.parametrize(
    ("proposal", "answer", "term", "worth"),
    [
        (Walk(), None, "walk", -0.3),
        (Offer(Paise(10_00)), Walk(), "seller_walked", -0.2),
        (Offer(Paise(100_01)), None, "bad_bid", -0.2),
        (Offer(Paise(-5)), None, "bad_bid", -0.2),
        (Offer(float("nan")), None, "bad_bid", -0.2),  # type: ignore[arg-type]
        (Offer("40"), None, "bad_bid", -0.2),  # type: ignore[arg-type]
        (Offer(True), None, "bad_bid", -0.2),  # type: ignore[arg-type]
    ],
)
def test_each_fault_has_its_term(
    proposal: object, answer: Move | None, term: str, worth: float
) -> None:
    assert judged(a_game(), proposal, answer).terms()[term] == worth


def test_running_out_of_rounds_costs() -> None:
    state = a_game()
    for price in range(10, 17):
        state = after(state, Offer(Paise(price * 100)), Offer(Paise(60_00)))
    assert judged(state, Offer(Paise(18_00)), Offer(Paise(60_00))).expired == -0.15


def test_the_third_same_bid_in_a_row_costs_and_the_second_does_not() -> None:
    once = after(a_game(), Offer(Paise(20_00)), Offer(Paise(60_00)))
    assert judged(once, Offer(Paise(20_50))).repeated_bid == 0
    twice = after(once, Offer(Paise(20_50)), Offer(Paise(60_00)))
    assert judged(twice, Offer(Paise(20_30))).repeated_bid == -0.1
    assert judged(twice, Offer(Paise(20_51))).repeated_bid == 0


def test_accepting_what_is_too_dear_is_accepting_nothing() -> None:
    assert judged(a_game(budget=50_00), Accept()).nothing_to_accept == -0.1


def test_a_rational_walk_is_free_only_in_the_sampled_variant() -> None:
    assert judged(a_game(budget=30_00, suite="single_deal@sampled-1"), Walk()).walk == 0
    assert judged(a_game(budget=30_00, suite="single_deal@fixed-1"), Walk()).walk == -0.3
    assert judged(a_game(suite="single_deal@sampled-1"), Walk()).walk == -0.3


def test_habitual_capitulation_costs_from_the_third_deal_on() -> None:
    habit = Career(games=3, deals=3, capitulations=2, buyer_shares=0.3)
    assert judged(a_game(), Accept(), career=habit).capitulation == pytest.approx(-0.1 * 2 / 3)
    young = Career(games=2, deals=2, capitulations=2, buyer_shares=0.3)
    assert judged(a_game(), Accept(), career=young).capitulation == 0
    assert judged(a_game(), Walk(), career=habit).capitulation == 0


def test_rewards_of_whole_games_stay_in_range() -> None:
    for suite_id in suite_ids():
        for seed in range(40):
            scenario = make_scenario(suite_id, seed)
            seller, rng, total = make_seller(scenario), Random(seed), 0.0
            state, _ = start(scenario)
            while state.ended is None:
                proposal = rng.choice(
                    [Offer(Paise(rng.randint(-100, 20000))), Accept(), Offer(Paise(4000))]
                )
                moved, _ = advance(state, repair(state, "buyer", proposal))
                if moved.ended is None:
                    seen = observe_seller(moved)
                    seller.tells(seen)
                    moved, _ = advance(moved, repair(moved, "seller", seller.act(seen)))
                one = reward(state, proposal, moved)
                assert -0.6 <= one.total <= 1.05
                total += one.closer
                state = moved
            assert observe_buyer(state).done
            assert total <= 0.05 + 1e-9


def test_the_linear_buyer_earns_more_than_one_who_walks_at_once() -> None:
    log = play_episode(make_scenario("single_deal@fixed-1", 3), Linear(3))
    assert log.ended is not None
    assert log.ended.price is not None
    assert len(play_suite_game("career_10@fixed-1", 3, Linear)) == 10
