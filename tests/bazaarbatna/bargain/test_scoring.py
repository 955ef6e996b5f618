from random import Random

import pytest

from bazaarbatna.bargain.episode import apply, start
from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.graders import RULES, grade, is_solved
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.match import play_suite_game
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.bargain.scoring import Score, report_card, score
from bazaarbatna.bargain.suites import SUITES
from bazaarbatna.bargain.tasks import suite_ids
from bazaarbatna.intervals import bootstrap
from bazaarbatna.players.simple import Boulware, Linear


def a_log(
    *moves: Move,
    suite: str = "single_deal@fixed-1",
    budget: int = 100_00,
    deadline: int | None = None,
) -> Log:
    sealed = SealedValues(Paise(20_00), Paise(20_00), Paise(budget), seed=1, deadline=deadline)
    scenario = Scenario(suite, Item("Scarf"), 8, Paise(90_00), sealed, "salt")
    state, events = start(scenario)
    for move in moves:
        assert state.to_move is not None
        state, happened = apply(state, state.to_move, move)
        events += happened
    return Log(scenario, events)


def sold_at(rupees: int, round_: int = 1, **more: object) -> Log:
    waiting = [Offer(Paise(100)), Offer(Paise(90_00))] * (round_ - 1)
    closing: list[Move] = [Offer(Paise(rupees * 100)), Accept()]
    return a_log(*waiting, *closing, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("log", "label"),
    [
        (sold_at(40), "buyer win"),
        (sold_at(52), "tie"),
        (sold_at(68), "tie"),
        (sold_at(80), "seller win"),
        (a_log(Walk()), "mutual loss"),
        (a_log(Walk(), budget=19_00), "rational walk"),
    ],
)
def test_every_ending_has_its_name(log: Log, label: str) -> None:
    assert score(log).label == label


def test_shares_of_a_deal_add_to_one() -> None:
    one = score(sold_at(44))
    assert one.buyer_share == pytest.approx(0.7)
    assert one.buyer_share + one.seller_share == 1


def test_an_unfinished_game_has_no_score() -> None:
    with pytest.raises(ValueError, match="finished"):
        score(a_log())


def test_a_report_card_keeps_both_denominators() -> None:
    games = [sold_at(40), sold_at(80), a_log(Walk()), a_log(Walk()), a_log(Walk(), budget=19_00)]
    card = report_card([score(game) for game in games])
    assert (card.n, card.winnable) == (5, 4)
    assert card.share_of_winnable is not None
    assert card.share_of_winnable.mean == pytest.approx((0.75 + 0.25) / 4)
    assert card.share_of_deals is not None
    assert card.share_of_deals.mean == pytest.approx(0.5)
    assert (card.deal_rate, card.win_rate, card.mutual_loss_rate) == (0.5, 0.25, 0.5)
    assert (card.rational_walk_rate, card.rounds) == (1.0, 1.0)


def test_what_never_happened_has_no_rate() -> None:
    card = report_card([score(a_log(Walk(), budget=19_00))])
    assert card.share_of_winnable is card.share_of_deals is card.deal_rate is None


def test_a_report_card_needs_a_game() -> None:
    with pytest.raises(ValueError, match="at least one"):
        report_card([])


def test_the_bootstrap_is_the_same_for_the_same_seed() -> None:
    scores = [Score("tie", share / 50, 1 - share / 50, 3, winnable=True) for share in range(50)]
    assert report_card(scores, seed=3) == report_card(scores, seed=3)


def test_the_bootstrap_covers_the_true_mean_about_as_often_as_it_says() -> None:
    rng = Random(5)
    hits = 0
    for _ in range(100):
        interval = bootstrap([rng.random() for _ in range(60)], rng)
        assert interval is not None
        hits += interval.low <= 0.5 <= interval.high
    assert 85 <= hits <= 100


def test_every_suite_has_a_grader() -> None:
    assert set(RULES) == {"people", "paths", *(row.name for row in SUITES)}


def test_plain_suites_grade_the_surplus() -> None:
    assert grade("single_deal@fixed-1", [sold_at(40)]) == pytest.approx(60 / 80)
    assert grade("single_deal@fixed-1", [a_log(Walk())]) == 0


def test_a_deal_past_the_deadline_counts_half() -> None:
    suite = "asymmetric_pressure@fixed-1"
    assert grade(suite, [sold_at(40, 5, deadline=5)]) == pytest.approx(60 / 80)
    assert grade(suite, [sold_at(40, 6, deadline=5)]) == pytest.approx(30 / 80)


def test_a_career_averages_and_charges_for_rounds() -> None:
    games = [sold_at(40, 1), sold_at(40, 8), a_log(Walk())]
    expected = (0.75 * (1 - 0.3 / 8) + 0.75 * (1 - 0.3) + 0) / 3
    assert grade("career_10@fixed-1", games) == pytest.approx(expected)


def test_reading_the_tells_pays_for_closing_below_the_midpoint() -> None:
    suite = "read_the_tells@fixed-1"
    assert grade(suite, [sold_at(60)]) == pytest.approx(0.5)
    assert grade(suite, [sold_at(40)]) == pytest.approx(0.75 + 0.15 * 0.5)
    assert grade(suite, [sold_at(20)]) == 1.0


def test_grades_of_real_games_lie_between_0_and_1() -> None:
    for suite_id in suite_ids():
        for seed in range(10):
            assert 0 <= grade(suite_id, play_suite_game(suite_id, seed, Boulware)) <= 1


def test_success_is_the_threshold_of_the_table() -> None:
    assert is_solved("single_deal@fixed-1", 0.3)
    assert not is_solved("career_10@sampled-1", 0.49)
    with pytest.raises(UnknownSuite, match="single_deal@fixed-1"):
        is_solved("no_such_suite", 1.0)


def test_grading_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        grade("single_deal@fixed-1", [])
    assert len(play_suite_game("read_the_tells@sampled-1", 1, Linear)) == 5
