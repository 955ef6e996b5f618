"""Positions of which anybody can say what the best move was."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest

from bazaarbatna.bargain.events import Ended
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side
from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.recorded import Record
from negotiation.games.fork import difference
from replays.grade.ahead import own_moves
from replays.grade.jobs import NUMBER, PARAMETERS, label, method
from replays.grade.moves import (
    HALVING_LOSS,
    WORDS,
    GradedMove,
    LineMove,
    grade,
    grade_move,
    loss_allowed,
    measured_by,
    settled,
    word_for,
)
from replays.grade.result import LEAST_STAKE, result_of
from replays.grade.search import EFFORT, Effort, find_better, significant
from tests.support.graded import a_game_of, a_purchase, a_sale_between, a_setting, a_simulated_game


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
    told = [(move.actor, move.kind, move.price) for move in worst.line]
    assert any(told == played_on(at, worst.best.price, luck) for luck in range(110))


def played_on(at: Crossroads, price: Paise, luck: int) -> list[tuple[str, str, Paise | None]]:
    turns = at.rollout(Offer(price), luck).turns[len(at.state.turns) :]
    return [(turn.actor, turn.kind, turn.price) for turn in turns]


SWIFT = Effort(first=1, kept=3, second=3, measured=12, tried=2, glance=4)
BUYERS = ("sauda", "sauda-network", "rules:linear")
SELLERS = ("seller:default", "seller:people-gentle", "seller:deceptive", "seller:flexible")


def haggles() -> Iterator[Record]:
    """Sales and purchases by persons who bargain in silence, some well and some badly."""
    for number in range(150):
        yield a_sale_between(SELLERS[number % 4], BUYERS[number % 3], number)
        dice = Random(number)
        bids = sorted(dice.randrange(800, 1_700, 10) for _ in range(dice.randrange(1, 7)))
        yield a_purchase(*bids, seller=SELLERS[number % 4])


def test_no_better_way_is_told_that_ends_no_better_than_the_game_did() -> None:
    """In 300 games: what is told of a move is what its line gains, and more than chance."""
    told = {"buyer": 0, "seller": 0}
    for number, record in enumerate(haggles()):
        side: Side = "seller" if number % 2 == 0 else "buyer"
        ended, setting = record.events[-1], record.setting
        assert isinstance(ended, Ended)
        limit = setting.sealed.reservation if side == "seller" else setting.sealed.budget
        got = 0.0 if ended.price is None else abs(ended.price - limit) / setting.zopa
        for seq in own_moves(record, side):
            move = settled(grade_move(Crossroads(record, seq), SWIFT), record)
            if not move.loss:
                assert (move.best, move.line) == (None, ()), number
                continue
            assert WORDS[0].most < move.loss <= move.over <= 1 - got + 1e-9, number
            assert move.over > move.error, (number, "it may be chance")
            assert move.line[0] == move.best, number
            closes = move.line[-1]
            is_end = closes.kind == "accept" and closes.price is not None
            if len(move.line) == 1 and not is_end:
                continue  # no line comes near what is told, so none is shown
            assert is_end, number
            gain = abs((closes.price or 0) - limit) / setting.zopa - got
            assert gain > 0, number
            assert abs(gain - move.over) <= max(0.02, move.over / 4) + 1e-9, number
            told[side] += 1
    assert min(told.values()) >= 100, told


def test_who_got_as_much_as_the_better_move_brings_made_no_mistake() -> None:
    move = GradedMove(3, "buyer", 0.5, 0.3, 0.9, LineMove("buyer", "offer", Paise(1)), error=0.05)
    assert measured_by(move, 0.76).loss == 0.0, "0.04 more is within the noise"
    assert measured_by(move, 0.9).best is None
    assert measured_by(move, 0.7).loss == pytest.approx(0.1)
    assert measured_by(move, 0.2).loss == 0.3
    assert measured_by(move, 0.2).over == pytest.approx(0.6)


def test_what_the_fork_of_the_better_move_gains_is_what_was_lost() -> None:
    record = a_simulated_game("single_deal@sampled-1", 0)
    measured = (grade_move(Crossroads(record, move.seq)) for move in grade(record))
    told = [(move, move.best.price) for move in measured if move.best and move.best.price]
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


def words_table() -> str:
    """Return the table of the words for the docs, in Markdown."""
    rows = ["| word | loss, of the zone | meaning |", "|---|---|---|"]
    rows += [f"| {w.icon} {w.name} | {loss_allowed(w)} | {w.meaning} |" for w in WORDS]
    return "\n".join(rows)


def effort_in_words(effort: Effort = EFFORT) -> str:
    """Return how much is tried, in words for the docs."""
    return (
        f"{effort.first} continuations for each candidate, {effort.second} more for the best "
        f"{effort.kept}, {effort.measured} others for the winner"
    )


def test_the_docs_hold_the_table_and_the_numbers_of_the_code() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "replays.md").read_text()
    for word in WORDS:
        assert f"| {word.icon} {word.name} | {loss_allowed(word)} | {word.meaning} |" in page
    assert f"{EFFORT.first} continuations for each candidate, {EFFORT.second} more for" in page
    assert f"the best {EFFORT.kept}, {EFFORT.measured} others for the winner" in page
    assert f"2 * sd(d) / sqrt({EFFORT.measured})" in page
    assert f"0.5 ** (loss / {HALVING_LOSS:.2f})" in page
    assert f"at least {LEAST_STAKE} of the zone" in page
