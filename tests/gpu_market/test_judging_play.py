"""Judge mode in an episode: the bonus is small, paid once, and the same from the log alone."""

import statistics
from collections.abc import Callable
from functools import cache

import pytest

from bazaarbatna.market import (
    TASK_NAMES,
    WAIT,
    BrokenLog,
    MarketAction,
    Observation,
    make_market,
    play_market,
)
from bazaarbatna.market.judging import (
    Bench,
    Judged,
    as_recorded,
    judged_rounds,
    pitch_every_round,
    pitch_when_idle,
    play_judged,
    transcript,
)
from bazaarbatna.market.judging.cards import LEAST, MOST, MOST_OF_EPISODE
from bazaarbatna.market.planner import measure, play_scored
from bazaarbatna.market.policies.plain import keyword_pitcher, no_negotiation_allocator
from bazaarbatna.market.policies.registry import make_policy
from bazaarbatna.market.rewards import LEAST_BEST
from tests.support.gpu_market import a_world, begun, do

SEEDS = range(50_000, 50_020)


def pitch_with_offers(seen: Observation) -> MarketAction:
    """Offer a credit in even rounds, so as to have something new to say in odd ones."""
    if seen.round % 2:
        return pitch_every_round(seen)
    return MarketAction("send_offer", target_lab_id="lab_1", payment=100)  # type: ignore[arg-type]


def one_true_line(seen: Observation) -> MarketAction:
    """Say the one true thing, in every turn."""
    job = seen.jobs[0]
    return MarketAction("make_pitch", message=f"Turn {seen.round}: we need {job.hours} GPU-hours.")


PITCHERS: dict[str, Callable[[Observation], MarketAction]] = {
    "keyword_pitcher": keyword_pitcher,
    "pitch_every_round": pitch_every_round,
    "pitch_when_idle": pitch_when_idle,
    "pitch_with_offers": pitch_with_offers,
    "one_true_line": one_true_line,
}


@cache
def played(name: str, task: str, seed: int) -> Judged:
    scenario = make_market(task, seed)
    return play_judged(scenario, PITCHERS[name], judge_mode="rule", judge_pays=True)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_no_pitcher_comes_near_the_honest_allocator(task: str) -> None:
    honest = statistics.fmean(
        play_scored(make_market(task, seed), no_negotiation_allocator).total for seed in SEEDS
    )
    for name in PITCHERS:
        mean = statistics.fmean(played(name, task, seed).scored.total for seed in SEEDS)
        assert mean < honest / 2, name
    keywords = [played("keyword_pitcher", task, seed).scored.total for seed in SEEDS]
    assert max(keywords) <= 0


@pytest.mark.parametrize("name", PITCHERS)
def test_bonuses_of_an_episode_stay_under_the_cap(name: str) -> None:
    for number in range(24):
        judged = played(name, TASK_NAMES[number % 3], number)
        paid = [step.judge_argument for step in judged.scored.rewards]
        assert sum(paid) <= MOST_OF_EPISODE + 1e-6
        assert all(LEAST <= one <= MOST for one in paid)
        assert [one for one in paid if one] == [
            one.bonuses[0] for one in judged.rounds if one.bonuses[0]
        ]
        rounds = [one.hearing.round for one in judged.rounds]
        assert len(set(rounds)) == len(rounds)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_everything_but_the_bonus_is_as_without_a_judge(task: str) -> None:
    for seed in range(6):
        scenario = make_market(task, seed)
        plain = play_scored(scenario, pitch_when_idle)
        judged = play_judged(scenario, pitch_when_idle, judge_mode="rule", judge_pays=True).scored
        off = play_judged(scenario, pitch_when_idle).scored
        assert off == plain
        assert (judged.state, judged.events) == (plain.state, plain.events)
        bonuses = sum(step.judge_argument for step in judged.rewards)
        assert judged.total == pytest.approx(plain.total + bonuses)
        best = max(measure(scenario, 0), LEAST_BEST)
        utility = min(max(judged.state.tallies[0].utility / best, -1.0), 1.0)
        penalties = sum(
            step.invalid_action_penalty + step.spam_penalty + step.breach_penalty
            for step in judged.rewards
        )
        assert judged.total == pytest.approx(utility + bonuses + penalties)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_bonus_that_is_only_reported_leaves_the_return_as_it_was(task: str) -> None:
    """To the last bit: the default mix stays the change of true utility, plus penalties."""
    seen = 0.0
    for seed in range(6):
        scenario = make_market(task, seed)
        plain = play_scored(scenario, pitch_when_idle)
        told = play_judged(scenario, pitch_when_idle, judge_mode="rule").scored
        paid = play_judged(scenario, pitch_when_idle, judge_mode="rule", judge_pays=True).scored
        for one, other, bare in zip(told.rewards, paid.rewards, plain.rewards, strict=True):
            assert one.judge_argument == other.judge_argument
            assert one.normalized_reward == bare.normalized_reward
            seen += abs(one.judge_argument)
    assert seen > 0


def test_the_published_mix_always_counts_the_judge_and_no_keywords_then() -> None:
    words = MarketAction("make_pitch", message="URGENT critical deadline, customer evidence!")
    scenario = make_market("market_round", 1, reward="published")
    keywords = play_scored(scenario, lambda seen: words).rewards[0]
    judged = play_judged(scenario, lambda seen: words, judge_mode="rule").scored.rewards[0]
    assert keywords.judge_argument == 0.18
    assert judged.judge_argument < 0
    lost = keywords.judge_argument - judged.judge_argument
    assert keywords.normalized_reward - judged.normalized_reward == pytest.approx(lost)
    silent = play_judged(scenario, lambda seen: WAIT, judge_mode="rule").scored
    assert {step.judge_argument for step in silent.rewards} == {0}


@pytest.mark.parametrize("lab", range(4))
def test_the_log_alone_gives_the_same_rounds_and_totals(lab: int) -> None:
    for seed in range(3):
        scenario = make_market("coalition_market", seed)
        judged = play_judged(scenario, pitch_every_round, judge_mode="rule", lab=lab)
        again = judged_rounds(scenario, judged.scored.events)
        assert again == judged.rounds
        assert len(again) == 9
        paid = sum(step.judge_argument for step in judged.scored.rewards)
        assert again[-1].bonuses_so_far[lab] == pytest.approx(paid)
        scores = sum(one.hearing.labs[lab].card.score for one in again)
        assert again[-1].scores_so_far[lab] == pytest.approx(scores)
        assert transcript(again, checks=True) == transcript(judged.rounds, checks=True)


def test_several_labs_from_outside_speak_for_themselves() -> None:
    scenario = make_market("market_round", 5)
    players = {0: pitch_every_round, 1: lambda seen: WAIT, 2: pitch_every_round}
    _, events = play_market(scenario, players)
    rounds = judged_rounds(scenario, events)
    assert len(rounds) == 5
    for one in rounds:
        assert [heard.own for heard in one.hearing.labs] == [True, False, True]
        assert one.hearing.labs[1].text == ""
        assert one.bonuses[1] == 0
    assert any(one.bonuses[2] for one in rounds)


def test_a_later_speaker_is_held_against_its_own_moment() -> None:
    """Lab 1 pitches after lab 0 in the same round, and answers with a counter pitch."""
    scenario = a_world()
    state = begun(scenario)
    pitch = MarketAction("make_pitch", message="We need 4 GPU-hours, due in round 4.")
    answer = MarketAction(
        "counter_pitch", target_lab_id="lab_0", message="We need 4 GPU-hours and made 1 offer."
    )
    players = {
        0: lambda seen: pitch if seen.round == 0 else WAIT,
        1: lambda seen: answer if seen.round == 0 else WAIT,
    }
    _, events = play_market(scenario, players)
    (judged,) = judged_rounds(scenario, events)
    assert [heard.own for heard in judged.hearing.labs] == [True, True]
    assert judged.hearing.winner == "lab_0"
    assert judged.bonuses[1] < 0 < judged.bonuses[0]
    assert do(state, pitch).said


def test_a_round_that_goes_on_is_not_judged_yet() -> None:
    scenario = make_market("market_round", 5)
    judged = play_judged(scenario, pitch_every_round, judge_mode="rule")
    events = judged.scored.events
    turns = [place for place, event in enumerate(events) if type(event).__name__ == "TurnTaken"]
    assert judged_rounds(scenario, events[: turns[2]]) == ()
    assert judged_rounds(scenario, events[: turns[3]]) == judged.rounds[:1]


def test_a_log_of_something_else_is_refused() -> None:
    events = play_scored(make_market("market_round", 5), pitch_every_round).events
    with pytest.raises(BrokenLog):
        judged_rounds(make_market("market_round", 6), events)
    with pytest.raises(BrokenLog):
        judged_rounds(make_market("market_round", 5), (*events[:4], *events[6:]))


def test_recorded_hearings_are_repeated_and_others_refused() -> None:
    scenario = make_market("market_round", 5)
    judged = play_judged(scenario, pitch_every_round, judge_mode="rule")
    recorded = as_recorded([one.hearing for one in judged.rounds])
    assert judged_rounds(scenario, judged.scored.events, recorded) == judged.rounds
    other = play_scored(scenario, keyword_pitcher).events
    with pytest.raises(BrokenLog, match="round 0"):
        judged_rounds(scenario, other, recorded)


def test_a_refused_pitch_is_not_heard() -> None:
    short = MarketAction("make_pitch", message="6 GPUh")
    judged = play_judged(make_market("single_trade", 1), lambda seen: short, judge_mode="rule")
    assert judged.rounds == ()
    assert all(step.judge_argument == 0 for step in judged.scored.rewards)


def test_judge_mode_is_off_by_default() -> None:
    scenario = make_market("single_trade", 1)
    assert play_judged(scenario, pitch_every_round).rounds == ()
    with pytest.raises(ValueError, match="off, rule"):
        Bench(scenario, mode="harsh")  # type: ignore[arg-type]


def test_honest_work_with_pitches_between_is_worth_more_than_either() -> None:
    def both(seen: Observation) -> MarketAction:
        work = no_negotiation_allocator(seen)
        return work if work.action != "wait" else pitch_when_idle(seen)

    total = statistics.fmean(
        play_judged(
            make_market("single_trade", seed), both, judge_mode="rule", judge_pays=True
        ).scored.total
        for seed in SEEDS
    )
    silent = statistics.fmean(
        play_scored(
            make_market("single_trade", seed), make_policy("no_negotiation_allocator", 0)
        ).total
        for seed in SEEDS
    )
    assert total > silent - 0.02
