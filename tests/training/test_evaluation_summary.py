"""What is said about an evaluation, against numbers worked out by hand."""

import random

import msgspec
import numpy as np
import pytest

from bazaarbatna.bargain import grade, is_solved, play_suite_game, suite_ids
from bazaarbatna.intervals import Interval, interval, ratio, resampled_sums
from negotiation.policies import policy
from tests.support.evaluating import a_plan, all_rows
from training.evaluation import BrokenRun, MixedVersions
from training.evaluation.plan import Plan
from training.evaluation.playing import play
from training.evaluation.rows import EpisodeRow
from training.evaluation.summary import COUNTS, SUMMING, Summary, grade_of
from training.evaluation.summing import MILLION, to_bytes
from training.sellers.seller_evaluation import plan_for as strangers_plan

SINGLE = "single_deal@sampled-1"
DEEDS = ["rules:boulware", "rules:waiter", "rules:random"]


@pytest.fixture(scope="module")
def plan() -> Plan:
    return a_plan(suites=["single_deal"], episodes=5)


@pytest.fixture(scope="module")
def rows(plan: Plan) -> list[EpisodeRow]:
    return all_rows(plan)


def a_row(plan: Plan, policy: int, seed: int, share: float | None, winnable: bool) -> EpisodeRow:
    """A bargain from 100 to 200 rupees that somebody made up."""
    buyer = plan.policies[policy]
    won = "buyer win" if share and share > 0.6 else "tie"
    return EpisodeRow(
        suite=SINGLE,
        seed=plan.seed + seed,
        game=0,
        policy=buyer.name,
        policy_version=buyer.version,
        seller=plan.suites[0].seller,
        outcome="walk" if share is None else "deal",
        by="buyer",
        rounds=2 + seed,
        price=None if share is None else round(20_000 - 10_000 * share),
        anchor=30_000,
        budget=20_000 if winnable else 9_000,
        reservation=10_000,
        winnable=winnable,
        buyer_share=share,
        surplus=(share or 0.0) if winnable else None,
        label=won if share is not None else "mutual loss" if winnable else "rational walk",
        reward=0.1 * seed,
        digest="0" * 64,
    )


def by_hand(plan: Plan) -> Summary:
    """Shares of 0.8, 0.5, none and 0.2 in four winnable games, and a walk that is right."""
    shares: list[tuple[float | None, bool]] = [
        (0.8, True), (0.5, True), (None, True), (0.2, True), (None, False)
    ]  # fmt: skip
    first = [a_row(plan, 0, seed, *one) for seed, one in enumerate(shares)]
    # The other one always gets a tenth less where there is a deal.
    less = [(None if s is None else round(s - 0.1, 6), w) for s, w in shares]
    second = [a_row(plan, 1, seed, *one) for seed, one in enumerate(less)]
    return SUMMING.summarise(plan, [*second, *first])


def mean_of(found: Interval | None) -> float:
    assert found is not None
    assert found.low <= found.mean <= found.high
    return found.mean


def test_a_card_says_what_one_counts_by_hand(plan: Plan) -> None:
    card = by_hand(plan).policies[0].suites[SINGLE]
    assert (card.n, card.games, card.winnable, card.deals) == (5, 5, 4, 3)
    assert mean_of(card.share_of_winnable) == pytest.approx(1.5 / 4)
    assert mean_of(card.share_of_deals) == pytest.approx(1.5 / 3)
    assert mean_of(card.deal_rate) == pytest.approx(3 / 4)
    assert mean_of(card.win_rate) == pytest.approx(1 / 4)
    assert mean_of(card.mutual_loss_rate) == pytest.approx(1 / 4)
    assert mean_of(card.rational_walk_rate) == 1.0
    assert mean_of(card.rounds) == pytest.approx((2 + 3 + 4 + 5 + 6) / 5)
    assert mean_of(card.reward) == pytest.approx(0.2)


def test_with_one_suite_the_mean_over_suites_is_the_suite(plan: Plan) -> None:
    for result in by_hand(plan).policies:
        assert result.mean == result.suites[SINGLE]


def test_differences_are_paired(plan: Plan) -> None:
    # Where both close the same games, a tenth less in each deal is three tenths per four games
    # on average; unpaired, shares of 0.2 to 0.8 would leave a far wider interval.
    differences = by_hand(plan).differences
    assert [one.suite for one in differences] == [SINGLE, "mean"]
    found = differences[0].share_of_winnable
    assert found is not None
    assert found.mean == pytest.approx(0.075)
    assert found.low >= 0.0
    assert found.high <= 0.1
    assert differences[0].deal_rate == Interval(0.0, 0.0, 0.0)
    assert (differences[0].n, differences[0].games) == (5, 5)


def test_the_order_of_the_rows_changes_no_byte(plan: Plan, rows: list[EpisodeRow]) -> None:
    shuffled = rows.copy()
    random.Random(5).shuffle(shuffled)
    assert to_bytes(SUMMING.summarise(plan, shuffled)) == to_bytes(SUMMING.summarise(plan, rows))


def test_who_else_is_in_the_table_changes_no_interval() -> None:
    alone, both = a_plan(["rules:split"]), a_plan()
    lonely = SUMMING.summarise(alone, all_rows(alone)).policies[0]
    assert lonely in SUMMING.summarise(both, all_rows(both)).policies


def test_bargains_of_one_career_are_drawn_together() -> None:
    counts = np.zeros((8, 1, len(COUNTS)))
    shares = [0.1, 0.9, 0.3, 0.5, 0.7, 0.2, 0.8, 0.6]
    counts[:, 0, COUNTS.index("winnable")] = 1
    counts[:, 0, COUNTS.index("share")] = [round(one * MILLION) for one in shares]
    share, winnable = COUNTS.index("share"), COUNTS.index("winnable")

    def found(times: int) -> Interval | None:
        sums = resampled_sums("career", counts * times)[:, 0]
        return interval(ratio(sums[:, share], MILLION * sums[:, winnable]))

    # Ten equal bargains in each game are no more evidence than one.
    assert found(10) == found(1)


def test_the_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.RandomState(1)
    covered = 0
    for trial in range(200):
        counts = np.zeros((60, 1, 2))
        counts[:, 0, 0] = np.round(MILLION * rng.beta(2, 3, 60))
        counts[:, 0, 1] = 1
        sums = resampled_sums(f"trial {trial}", counts)[:, 0]
        found = interval(ratio(sums[:, 0], MILLION * sums[:, 1]))
        assert found is not None
        covered += found.low <= 0.4 <= found.high
    # 200 trials of 95 % have a standard deviation of 1.5 %.
    assert 0.90 <= covered / 200 <= 0.99


def test_a_table_never_mixes_versions(plan: Plan, rows: list[EpisodeRow]) -> None:
    older = msgspec.structs.replace(rows[0], seller="rule:default@0#000000000000")
    with pytest.raises(MixedVersions, match=r"two versions of the opponent: .*default@0"):
        SUMMING.summarise(plan, [older, *rows[1:]])
    other = msgspec.structs.replace(rows[0], policy_version="rules:linear@0#000000000000")
    with pytest.raises(MixedVersions, match=r"two versions of the policy .*linear@0"):
        SUMMING.summarise(plan, [other, *rows[1:]])


def test_policies_that_met_different_games_are_not_compared(
    plan: Plan, rows: list[EpisodeRow]
) -> None:
    richer = msgspec.structs.replace(rows[0], budget=rows[0].budget + 1)
    with pytest.raises(MixedVersions, match="met another game than the others"):
        SUMMING.summarise(plan, [richer, *rows[1:]])


def test_missing_doubled_and_foreign_bargains_are_noticed(
    plan: Plan, rows: list[EpisodeRow]
) -> None:
    foreign = msgspec.structs.replace(rows[0], seed=plan.seed + 99)
    for wrong in (rows[1:], [*rows, rows[0]], [foreign, *rows[1:]]):
        with pytest.raises(BrokenRun):
            SUMMING.summarise(plan, wrong)


def test_all_buyers_meet_the_same_games() -> None:
    plan = a_plan(["sauda", "rules:agreeable", "rules:random"], ["career_10", "amazon_realistic"])
    dealt: dict[tuple[str, int, int], set[tuple[int, int, int]]] = {}
    for row in all_rows(plan):
        key = (row.suite, row.seed, row.game)
        dealt.setdefault(key, set()).add((row.anchor, row.budget, row.reservation))
    assert len(dealt) == 12 + 20
    assert {len(games) for games in dealt.values()} == {1}


@pytest.mark.parametrize("variant", ["sampled", "fixed"])
def test_a_row_is_graded_as_the_engine_grades_the_whole_game(variant: str) -> None:
    for suite_id in (one for one in suite_ids() if variant in one):
        for buyer in DEEDS:
            for seed in range(3):
                [played] = play(policy(buyer), suite_id, [seed])
                logs = play_suite_game(suite_id, seed, policy(buyer).make)
                graded = sum(map(grade_of, played.rows)) / len(played.rows)
                assert graded == pytest.approx(grade(suite_id, logs), abs=1e-12)


def test_cards_carry_the_grade_and_how_many_games_it_solves() -> None:
    plan = a_plan(["rules:boulware"], ["career_10"], episodes=40, seed=8)
    card = SUMMING.summarise(plan, all_rows(plan)).policies[0].suites["career_10@sampled-1"]
    make = policy("rules:boulware").make
    scores = [
        grade("career_10@sampled-1", play_suite_game("career_10@sampled-1", seed, make))
        for seed in range(8, 12)
    ]
    assert mean_of(card.grade) == pytest.approx(sum(scores) / 4, abs=1e-6)
    solved = sum(is_solved("career_10@sampled-1", score) for score in scores)
    assert mean_of(card.solved_rate) == solved / 4


def test_a_suite_without_a_grade_has_cards_without_one() -> None:
    plan = strangers_plan(["rules:boulware"], ["firm"], episodes=2, seed=0, commit="")
    card = SUMMING.summarise(plan, all_rows(plan)).policies[0].mean
    assert (card.grade, card.solved_rate) == (None, None)
    assert b'"grade"' not in msgspec.json.encode(card)
