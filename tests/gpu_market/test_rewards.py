"""Both reward mixes: the default cannot be gamed, the published one keeps its known holes."""

import statistics

import msgspec
import pytest

from bazaarbatna.market import (
    COLUMNS,
    TASK_NAMES,
    WAIT,
    Malformed,
    MarketAction,
    Reward,
    Scored,
    State,
    apply,
    make_market,
    play_scored,
    reward,
    value_of_all_jobs,
)
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, make_policy
from bazaarbatna.market.quantities import Cents
from bazaarbatna.market.rewards import keyword_bonus
from bazaarbatna.market.scenario import MarketScenario, RewardMix, Shock
from tests.support.gpu_market import a_block, a_job, a_world, an_offer, begun, do
from tests.support.market_returns import SEEDS_ELSEWHERE, unjudged
from training.pages.market import ELSEWHERE

SEEDS = range(50_000, 50_150)
RUN = MarketAction("allocate_to_job", job_id="job_0_0", block_ids=("block_0",))


def mean_return(name: str, task: str, mix: RewardMix = "default") -> float:
    return statistics.fmean(
        play_scored(make_market(task, seed, reward=mix), make_policy(name, seed)).total
        for seed in SEEDS
    )


def scored_as_published(task: str, seed: int, name: str) -> Scored:
    return play_scored(make_market(task, seed, reward="published"), make_policy(name, seed))


def paid(scenario: MarketScenario, *actions: MarketAction | Malformed) -> Reward:
    """The reward of the last action of lab 0; lab 1 waits."""
    state = begun(scenario)
    earned = Reward()
    for action in actions:
        before: State = state
        state, _ = apply(state, 0, action)
        state = do(state, WAIT)
        earned = reward(before, state, 0, best=6000)
    return earned


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_ladder_reads_expert_allocator_random_and_no_exploit_above(task: str) -> None:
    """Accepting everything, doing nothing, spamming coalitions, pitching keywords: all lose."""
    honest = mean_return("no_negotiation_allocator", task)
    expert = mean_return("rule_expert", task)
    assert expert > honest > mean_return("random_valid", task) > 0
    for name in ("always_accept", "naive_instruct", *EXPLOITS):
        assert mean_return(name, task) < honest / 2, name


def test_the_published_mix_still_has_its_holes() -> None:
    for task in TASK_NAMES:
        assert mean_return("keyword_pitcher", task, "published") > 0.3
        for seed in SEEDS[:10]:
            idle = scored_as_published(task, seed, "never_act").rewards
            # Spare budget, and no coalition to break: all for having done nothing.
            assert idle[-1].normalized_reward > 0
            assert idle[-1].budget_efficiency > 0.05
    hard = "coalition_market"
    honest = mean_return("no_negotiation_allocator", hard, "published")
    assert mean_return("coalition_spammer", hard, "published") > honest


@pytest.mark.parametrize("task", TASK_NAMES)
def test_budget_and_the_lack_of_coalitions_are_settled_once_at_the_end(task: str) -> None:
    for seed in SEEDS[:10]:
        played = scored_as_published(task, seed, "no_negotiation_allocator")
        *steps, last = played.rewards
        assert {one.budget_efficiency for one in steps} == {0}
        assert {one.coalition_reliability for one in steps} == {0}
        left = played.state.budgets[0] / 12_000
        assert last.budget_efficiency == pytest.approx(0.1 * min(left, 1.0))
        score = 0.2 if task == "coalition_market" else 0.4
        assert last.coalition_reliability == pytest.approx(0.15 * score)


def test_the_settlement_is_paid_after_an_invalid_action_too() -> None:
    bad = MarketAction("accept_offer", offer_id="offer_1_0_7")
    last = paid(a_world(reward="published", rounds=1), bad)
    assert last.invalid_action_penalty == -0.10
    assert last.normalized_reward == pytest.approx(-0.10 + 0.1 * 10_000 / 12_000 + 0.03 + 0.008)


@pytest.mark.parametrize(
    ("one", "theirs", "within"),
    [
        ("rule_expert", 0.451, 0.10),
        ("accepts_first", 0.266, 0.15),
        ("greedy_hoarder", 0.144, 0.16),
        ("no_negotiation_allocator", 0.144, 0.16),
        ("naive_instruct", -0.008, 0.10),
        ("random_valid", 0.126, 0.25),
    ],
)
def test_returns_under_the_published_mix_have_the_published_scale(
    one: str, theirs: float, within: float
) -> None:
    """Seeds 50,000 to 50,007, as there; without a judge, and so without words, as there.

    Other worlds and other play, so no equal numbers: docs/gpu_market.md names the reasons. Ours
    draws among all it may do, and their random policy only rejects and waits.
    """
    row = next(row for row in ELSEWHERE if row.policy == one)
    assert row.overall == theirs
    here = statistics.fmean(unjudged(one, task, SEEDS_ELSEWHERE) for task in TASK_NAMES)
    assert abs(here - theirs) < within


def test_the_published_mix_keeps_the_published_order_at_both_ends() -> None:
    """Expert, always accept (with jobs in between), and the base-like one below all the rest.

    Without what words earn: theirs were measured without a judge, and naive_instruct is wordy.
    """
    names = [one.policy for one in ELSEWHERE if one.policy]
    means = {
        name: statistics.fmean(unjudged(name, task, SEEDS_ELSEWHERE) for task in TASK_NAMES)
        for name in (*names, "always_accept")
    }
    ranked = sorted(names, key=lambda name: -means[name])
    assert ranked[:2] == names[:2] == ["rule_expert", "accepts_first"]
    assert ranked[-1] == names[-1] == "naive_instruct"
    assert means["always_accept"] > means["naive_instruct"]


def test_taking_every_offer_spoils_an_honest_plan() -> None:
    """Only where a single trade is all there is does it do no harm."""
    for task in TASK_NAMES[1:]:
        honest = mean_return("no_negotiation_allocator", task)
        assert mean_return("accepts_first", task) < honest / 2, task


def test_every_policy_has_a_name() -> None:
    assert len(POLICIES) == 8
    with pytest.raises(ValueError, match="rule_expert"):
        make_policy("genius", 0)


def test_scripted_policies_that_claim_it_make_only_valid_actions() -> None:
    for name in ("random_valid", "no_negotiation_allocator", "greedy_hoarder"):
        for number in range(150):
            scenario = make_market(TASK_NAMES[number % 3], number)
            played = play_scored(scenario, make_policy(name, number))
            assert played.state.tallies[0].refused == 0, (name, number)


def test_there_are_eleven_columns() -> None:
    assert len(COLUMNS) == 11
    assert COLUMNS[-1] == "normalized_reward"


def test_a_job_pays_what_it_is_worth() -> None:
    earned = paid(a_world(), RUN)
    assert earned.job_utility == pytest.approx((6000 - 800) / 6000)
    assert earned.normalized_reward == earned.job_utility


def test_a_trade_pays_money_and_nothing_else() -> None:
    world = a_world(offers=[an_offer(requested=("block_0", "block_1"))])
    earned = paid(world, MarketAction("accept_offer", offer_id="offer_1_0_0"))
    assert earned.normalized_reward == pytest.approx(500 / 6000)
    open_mix = paid(
        a_world(offers=world.offers, reward="published"),
        MarketAction("accept_offer", offer_id="offer_1_0_0"),
    )
    # Both blocks are gone, the job cannot be run any more, and yet it pays.
    assert open_mix.deal_quality == pytest.approx(0.2 * (0.5 - 0.15))
    assert open_mix.normalized_reward == pytest.approx(0.07 + 0.008)


@pytest.mark.parametrize("mix", ["default", "published"])
def test_nonsense_costs_and_unreadable_nonsense_costs_more(mix: str) -> None:
    world = a_world(reward=mix)  # type: ignore[arg-type]
    bad = MarketAction("accept_offer", offer_id="offer_1_0_7")
    assert paid(world, bad).normalized_reward == pytest.approx(-0.10)
    assert paid(world, Malformed("?")).normalized_reward == pytest.approx(-0.15)


def test_the_same_for_the_third_time_is_spam() -> None:
    words = MarketAction("send_message", message="Hello?")
    assert paid(a_world(), words, words).spam_penalty == 0
    assert paid(a_world(), words, words, words).spam_penalty == -0.05
    assert paid(a_world(), words, words, words, words).spam_penalty == -0.05
    assert paid(a_world(), WAIT, WAIT, WAIT).spam_penalty == 0
    assert paid(a_world(reward="published"), WAIT, WAIT, WAIT).spam_penalty == -0.05


def test_a_breach_costs() -> None:
    form = MarketAction("form_coalition", target_lab_id="lab_1")
    commit = MarketAction("commit_to_coalition", coalition_id="coalition_0", block_ids=("block_0",))
    back = MarketAction("release_capacity", block_ids=("block_0",))
    blocks = [a_block(number, number // 2, start=3) for number in range(4)]
    for mix in ("default", "published"):
        world = a_world(blocks, reward=mix)  # type: ignore[arg-type]
        assert paid(world, form, commit, back).breach_penalty == -0.2
    assert paid(a_world(blocks), form).normalized_reward == 0
    assert paid(a_world(blocks, reward="published"), form).coalition_reliability == pytest.approx(
        0.12
    )


def test_a_published_job_scores_at_most_a_half() -> None:
    world = a_world(jobs=[[a_job(base_value=Cents(50_000))], []], reward="published")
    assert paid(world, RUN).job_utility == pytest.approx(0.35 * 0.5)


def test_the_published_settlement_pays_for_what_is_left_and_not_for_finished_jobs() -> None:
    run_last = paid(a_world(reward="published", rounds=1), RUN)
    assert run_last.job_utility == pytest.approx(0.35 * 5200 / 15_000)
    assert run_last.budget_efficiency == pytest.approx(0.1 * 10_000 / 12_000)
    assert run_last.coalition_reliability == pytest.approx(0.15 * 0.2)
    assert run_last.negotiation_efficiency == pytest.approx(0.008 + 0.008)


def test_any_valid_action_but_waiting_pays_a_little_under_the_published_mix() -> None:
    words = MarketAction("send_message", message="Hello?")
    assert paid(a_world(reward="published"), words).normalized_reward == pytest.approx(0.008)
    assert paid(a_world(reward="published"), WAIT).normalized_reward == 0
    assert paid(a_world(), words).normalized_reward == 0


def test_work_after_a_shock_pays_a_little_under_the_published_mix() -> None:
    spike = [Shock(1, "energy_spike", 0.0)]
    world = a_world([a_block(0, start=3), a_block(1, 1)], reward="published", shocks=spike)
    assert paid(world, RUN).market_adaptation == 0
    words = MarketAction("send_message", message="Hello?")
    assert paid(world, WAIT, words).market_adaptation == 0
    assert paid(world, WAIT, WAIT, RUN).market_adaptation == pytest.approx(0.008)


@pytest.mark.parametrize(("breach", "score"), [("none", 0.8), ("excused", 0.5), ("breached", 0.0)])
def test_the_published_settlement_asks_what_became_of_coalitions(breach: str, score: float) -> None:
    form = MarketAction("form_coalition", target_lab_id="lab_1")
    before = do(begun(a_world(reward="published", rounds=2)), form, WAIT)
    (one,) = before.coalitions
    pool = msgspec.structs.replace(one, breach=breach)
    after = do(msgspec.structs.replace(before, coalitions=(pool,)), WAIT, WAIT)
    settled = reward(before, after, 0, 6000)
    assert settled.coalition_reliability == pytest.approx(0.15 * score)


def test_a_judge_may_add_to_both_mixes() -> None:
    state = begun(a_world())
    after = do(state, WAIT, WAIT)
    paid = reward(state, after, 0, 6000, judged=0.1, judge_pays=True)
    assert paid.normalized_reward == pytest.approx(0.1)
    told = reward(state, after, 0, 6000, judged=0.1)
    assert (told.judge_argument, told.normalized_reward) == (0.1, 0.0)
    assert keyword_bonus("nothing to say") == 0


def test_the_normaliser_comes_from_outside() -> None:
    scenario = make_market("market_round", 11)
    policy = make_policy("no_negotiation_allocator", 0)
    usual = play_scored(scenario, policy)
    doubled = play_scored(scenario, policy, normaliser=lambda *where: 2 * value_of_all_jobs(*where))
    assert doubled.total == pytest.approx(usual.total / 2)
    assert value_of_all_jobs(scenario, 0) == pytest.approx(
        sum(job.value for job in scenario.sealed.jobs[0])
    )


def test_any_lab_can_be_scored() -> None:
    scenario = make_market("coalition_market", 6)
    for lab in range(len(scenario.labs)):
        played = play_scored(scenario, make_policy("rule_expert", 0), lab=lab)
        assert len(played.rewards) == 9
        assert all(-1 <= step.normalized_reward <= 1 for step in played.rewards)
        assert msgspec.json.encode(played.events)
