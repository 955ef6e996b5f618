"""Positions of which anybody can say what the best move was."""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest

from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side
from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.recorded import Record
from negotiation.games.fork import difference
from replays.grade.jobs import NUMBER, PARAMETERS, label, method
from replays.grade.moves import (
    HALVING_LOSS,
    WORDS,
    GradedMove,
    grade,
    grade_move,
    word_for,
    words_table,
)
from replays.grade.result import LEAST_STAKE, result_of
from replays.grade.search import EFFORT, effort_in_words, find_better, significant
from tests.support.graded import a_game_of, a_purchase, a_setting, a_simulated_game


def by(side: Side, graded: Iterable[GradedMove]) -> list[GradedMove]:
    return [move for move in graded if move.actor == side]


def rupees(*prices: int) -> list[Offer]:
    return [Offer(Paise(100 * price)) for price in prices]


def test_taking_the_anchor_at_once_is_a_blunder() -> None:
    (accepted,) = grade(a_game_of(Accept()))
    assert word_for(accepted.loss).name == "blunder"
    assert accepted.best is not None
    assert (accepted.best.actor, accepted.best.kind) == ("buyer", "offer")


def test_walking_away_late_from_a_price_one_could_pay_is_a_blunder() -> None:
    setting = a_setting(reservation=80, budget=125, anchor=120)
    record = a_game_of(*rupees(72, 73, 74, 75, 76, 77), Walk(), setting=setting)
    walked = by("buyer", grade(record))[-1]
    assert word_for(walked.loss).name == "blunder"
    assert walked.played == 0.0
    assert walked.loss > 0.4


def test_walking_away_where_no_price_suits_both_is_best() -> None:
    record = a_game_of(*rupees(40), Walk(), setting=a_setting(reservation=70, budget=60))
    graded = tuple(grade(record))
    assert {move.loss for move in graded} == {0.0}
    result = result_of({"seller": 0, "buyer": 0}, graded)
    assert [one.accuracy for one in result.standings] == [None, None]


def test_the_last_seller_who_lets_a_good_bid_go_blunders() -> None:
    bids = rupees(60, 61, 62, 63, 64, 65, 66, 67)
    record = a_game_of(*bids, setting=a_setting(anchor=120, concession=0.02))
    *_, last = grade(record)
    assert (last.actor, record.events[-1].outcome) == ("seller", "expired")  # type: ignore[union-attr]
    assert word_for(last.loss).name == "blunder"
    assert last.best is not None
    assert last.best.kind == "accept"
    assert len(last.line) == 1


def test_a_person_who_bids_far_more_than_the_seller_wants_blunders() -> None:
    bid, taken = grade(a_purchase(1650))
    assert (bid.actor, taken.actor) == ("buyer", "seller")
    assert word_for(bid.loss).name == "blunder"
    assert bid.best is not None
    assert bid.best.price is not None
    assert bid.best.price < 165_000


def test_a_person_who_leaves_a_seller_that_would_come_down_blunders() -> None:
    *_, walked = grade(a_purchase(1000, 1050))
    assert word_for(walked.loss).name == "blunder"
    assert walked.loss > 0.5


@pytest.mark.parametrize("seed", range(3))
def test_whoever_plays_the_better_move_instead_has_played_well(seed: int) -> None:
    record = a_simulated_game("single_deal@sampled-1", seed)
    worst = max(grade(record), key=lambda move: move.loss)
    assert worst.best is not None
    at = Crossroads(record, worst.seq)
    better = {"offer": Offer(worst.best.price or Paise(1)), "accept": Accept(), "walk": Walk()}
    line = at.play(better[worst.best.kind])
    mended = grade_move(Crossroads(Record(record.setting, line.events, "sauda", "rule"), at.seq))
    assert word_for(mended.loss).name in ("best", "fine")
    assert mended.loss < worst.loss


def test_the_line_is_what_happens_when_the_better_move_is_made() -> None:
    record = a_simulated_game("single_deal@sampled-1", 0)
    worst = max(grade(record), key=lambda move: move.loss)
    assert worst.best is not None
    assert worst.best.price is not None
    at = Crossroads(record, worst.seq)
    turns = at.play(Offer(worst.best.price)).events[at.seq - 1 :]
    told = [(move.actor, move.kind, move.price) for move in worst.line]
    happened = [
        (event.actor, event.__struct_config__.tag, event.price)  # type: ignore[union-attr]
        for event in turns
        if event.__struct_config__.tag in ("offer", "accept")
    ]
    assert told == happened


def test_what_the_fork_of_the_better_move_gains_is_what_was_lost() -> None:
    record = a_simulated_game("single_deal@sampled-1", 0)
    told = [(move, move.best.price) for move in grade(record) if move.best and move.best.price]
    assert told
    for move, price in told:
        gained = difference(Crossroads(record, move.seq), Offer(price))
        assert gained.low - 0.02 <= move.loss <= gained.high + 0.02


def test_every_move_of_both_sides_is_graded_and_nothing_else() -> None:
    record = a_simulated_game("deceptive_seller@sampled-1", 3)
    graded = tuple(grade(record))
    kinds = ("offer", "accept", "walk")
    moves = [n for n, e in enumerate(record.events, 1) if e.__struct_config__.tag in kinds]
    assert [move.seq for move in graded] == moves
    assert {move.actor for move in graded} == {"buyer", "seller"}
    assert all(0.0 <= move.loss <= 1.0 and 0.0 <= move.played <= 1.0 for move in graded)


def test_the_same_game_gets_the_same_grades() -> None:
    first = a_simulated_game("impatient_seller@sampled-1", 0)
    again = a_simulated_game("impatient_seller@sampled-1", 0)
    assert tuple(grade(first)) == tuple(grade(again))


def test_alternatives_meet_the_same_luck() -> None:
    at = Crossroads(a_simulated_game("deceptive_seller@sampled-1", 0), 5)
    one, two = Offer(Paise(4800)), Offer(Paise(5000))

    def shares(move: Offer, first: int) -> list[float]:
        ends = [at.rollout(move, luck).ended for luck in range(first, first + 80)]
        return [end.buyer_share for end in ends if end]

    assert shares(one, 1) == shares(one, 1)
    paired = [b - a for a, b in zip(shares(one, 1), shares(two, 1), strict=True)]
    apart = [b - a for a, b in zip(shares(one, 1), shares(two, 500), strict=True)]
    assert stdev(paired) < 0.8 * stdev(apart)


def test_the_best_of_many_equal_moves_does_not_look_better_than_it_is() -> None:
    """Moves that differ by luck alone: the naive best of them would lose by 0.1 each time."""

    def losses(position: int) -> float:
        def share(move: int, luck: int) -> float:
            return Random(f"{position} {move} {luck}").random()

        return find_better(range(14), share, lambda leader, field: ()).loss

    found = [losses(position) for position in range(100)]
    assert sum(loss > 0 for loss in found) <= 8
    assert fmean(found) < 0.01


def test_a_real_difference_is_found_through_the_noise() -> None:
    def share(move: int, luck: int) -> float:
        noise = Random(f"{move} {luck}").uniform(-0.2, 0.2)
        return 0.5 + (0.2 if move == 9 else 0.0) + noise

    found = find_better(range(14), share, lambda leader, field: ())
    assert found.best == 9
    assert found.loss == pytest.approx(0.2, abs=0.06)


def test_what_is_within_the_noise_is_no_loss() -> None:
    assert significant([0.3, -0.2, 0.0, 0.1], 2.0) == 0.0
    assert significant([-0.2, -0.2, -0.2], 2.0) == 0.0
    assert significant([0.2, 0.21, 0.19], 2.0) == pytest.approx(0.2)


def test_words_follow_the_loss_without_gap() -> None:
    assert [word.name for word in WORDS] == ["best", "fine", "slip", "blunder"]
    assert [word.most for word in WORDS] == sorted(word.most for word in WORDS)
    assert WORDS[-1].most == 1.0
    assert [word_for(word.most) for word in WORDS] == list(WORDS)


def test_the_label_of_the_method_moves_with_its_numbers() -> None:
    assert method() == label(NUMBER, PARAMETERS)
    assert method() != label(NUMBER, (*PARAMETERS[:-1], "another table"))
    assert method() != label(NUMBER + 1, PARAMETERS)


def test_the_docs_hold_the_table_and_the_numbers_of_the_code() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "replays.md").read_text()
    assert words_table() in page
    assert effort_in_words() in page
    assert f"2 * sd(d) / sqrt({EFFORT.measured})" in page
    assert f"0.5 ** (loss / {HALVING_LOSS:.2f})" in page
    assert f"at least {LEAST_STAKE} of the zone" in page
