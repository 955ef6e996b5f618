"""The market through ``manage.py evaluate``: fair, repeatable, and never mixed with anything."""

import io
from itertools import groupby
from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from bazaarbatna.market import COLUMNS, play_scored
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES, make_policy
from bazaarbatna.market.scenario import MOST_STRICT
from tests.support.evaluating import a_run, bytes_of, cut_in_half, go_on, say_older
from tests.support.marketing import SUITES, a_market_plan, a_market_run, market_rows
from training.evaluation import BadPlan, BrokenRun, MixedVersions
from training.evaluation.domain import read_row
from training.evaluation.folder import Folder
from training.evaluation.markets import players
from training.evaluation.markets.market import Market
from training.evaluation.markets.summary import SUMMING, MarketRow, MarketSummary
from training.evaluation.rows import to_line
from training.evaluation.running import borrow, joined, open_evaluation
from training.models import Run
from training.runs import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]

SINGLE = "market:single_trade@default-1"


def test_all_policies_meet_the_same_worlds() -> None:
    rows = market_rows(a_market_plan())
    rows.sort(key=lambda row: (row.suite, row.seed))
    for _, met in groupby(rows, key=lambda row: (row.suite, row.seed)):
        assert len({row.dealt for row in met}) == 1
    assert len({row.world for row in rows}) == 12


def test_the_strictness_of_the_others_varies_by_seed_within_bounds() -> None:
    seeds = range(players.HELD_OUT, players.HELD_OUT + 20)
    drawn = [players.deal(SINGLE, seed)[0].sealed.strictness for seed in seeds]
    assert len(set(drawn)) == 20
    assert all(abs(one) <= players.VARIED < MOST_STRICT for labs in drawn for one in labs)


def test_both_mixes_are_of_the_same_worlds() -> None:
    default, _ = players.deal(SINGLE, 50_003)
    published, _ = players.deal("market:single_trade@published-1", 50_003)
    assert msgspec.structs.replace(published, reward="default") == default


def test_a_row_tells_what_happened_in_its_market() -> None:
    for row in market_rows(a_market_plan(["naive_instruct"])):
        world, best = players.deal(row.suite, row.seed)
        again = play_scored(
            world, make_policy(row.policy, row.seed), normaliser=lambda *_, best=best: best
        )
        tally = again.state.tallies[0]
        assert (row.best, row.utility, row.finished) == (best, tally.utility, tally.finished)
        assert sum(row.refused.values()) == tally.refused
        for name in COLUMNS:
            told = sum(getattr(step, name) for step in again.rewards)
            assert getattr(row.columns, name) == pytest.approx(told, abs=1e-6)
        assert row.contradiction() is None


def test_refusals_are_told_by_code() -> None:
    rows = market_rows(a_market_plan(["naive_instruct"]))
    codes = {code for row in rows for code in row.refused}
    assert codes
    assert codes <= set(Market().summarise(a_market_plan(["naive_instruct"]), rows)
                        .policies[0].mean.refused)  # fmt: skip


@pytest.mark.parametrize("reward", ["default", "published"])
def test_no_row_of_any_policy_contradicts_itself(reward: str) -> None:
    plan = a_market_plan([*POLICIES, *EXPLOITS], reward=reward, episodes=8)
    assert [row for row in market_rows(plan) if row.contradiction()] == []


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"utility": 90_000}, "utility"),
        ({"value": 90_000}, "utility"),
        ({"over_best": 0.99}, "over_best"),
        ({"finished": 9}, "finished"),
        ({"turns": 40}, "turns"),
    ],
)
def test_a_forged_number_is_named(change: dict[str, float], named: str) -> None:
    row = market_rows(a_market_plan(["rule_expert"], episodes=1))[0]
    assert msgspec.structs.replace(row, **change).contradiction() == named


def test_a_forged_return_is_named() -> None:
    for reward in ("default", "published"):
        row = market_rows(a_market_plan(["rule_expert"], episodes=1, reward=reward))[0]
        better = msgspec.structs.replace(row.columns, normalized_reward=0.987)
        assert msgspec.structs.replace(row, columns=better).contradiction() == "return"


def test_a_row_is_read_as_it_was_written() -> None:
    row = market_rows(a_market_plan(["rule_expert"], episodes=1))[0]
    again = read_row(to_line(row))
    assert isinstance(again, MarketRow)
    assert again == row
    assert to_line(again) == to_line(row)


def test_a_run_cut_in_half_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    run = a_market_run(tmp_path / "a")
    before = bytes_of(run)
    cut_in_half(run)
    go_on(run)
    assert bytes_of(run) == before
    assert (run.kind, run.what.unit) == ("market", "markets")


@pytest.mark.parametrize(
    ("place", "field", "words"),
    [
        ("suites", "seller", r"seller of market:single_trade@default-1: older, now archetypes#"),
        ("suites", "fingerprint", r"games of market:single_trade@default-1: older, now"),
        ("policies", "version", r"policy rule_expert: older, now rule_expert#"),
    ],
)
def test_other_versions_than_at_the_start_are_refused_and_named(
    tmp_path: Path, place: str, field: str, words: str
) -> None:
    run = a_market_run(tmp_path / "a")
    cut_in_half(run)
    say_older(run, a_market_plan(), place, field)
    with pytest.raises(MixedVersions, match=words):
        go_on(run)


def test_rows_of_two_versions_never_stand_in_one_table() -> None:
    plan = a_market_plan(["rule_expert"], episodes=2)
    first, *rest = market_rows(plan)
    for field, words in (("policy_version", "the policy rule_expert"), ("others", "the opponent")):
        older = msgspec.structs.replace(first, **{field: "older"})
        with pytest.raises(MixedVersions, match=f"two versions of {words}"):
            SUMMING.summarise(plan, [older, *rest])
    with pytest.raises(BrokenRun, match="1 rows of 2"):
        SUMMING.summarise(plan, rest)


def test_a_policy_that_met_another_world_is_refused() -> None:
    plan = a_market_plan(["rule_expert", "always_accept"], episodes=2)
    rows = market_rows(plan)
    rows[-1] = msgspec.structs.replace(rows[-1], world="0123456789ab")
    with pytest.raises(MixedVersions, match="met another game than the others"):
        SUMMING.summarise(plan, rows)


def test_code_that_plays_another_way_under_the_same_version_is_caught(tmp_path: Path) -> None:
    run = a_market_run(tmp_path / "a")
    path = lifecycle.folder_of(run) / "episodes.jsonl"
    first, rest = path.read_bytes().split(b"\n", 1)
    row = read_row(first)
    path.write_bytes(to_line(msgspec.structs.replace(row, digest="f" * 64)) + rest)
    with pytest.raises(MixedVersions, match="goes another way now"):
        go_on(run)


def test_a_run_that_is_joined_gives_the_bytes_of_one_run_of_all(tmp_path: Path) -> None:
    earlier = a_market_run(tmp_path / "a", a_market_plan(["always_accept"]))
    plan = a_market_plan(["rule_expert"])
    run = open_evaluation(joined(plan, earlier), "joined", Folder(tmp_path / "b"))
    borrow(joined(plan, earlier), ["rule_expert"], earlier, Folder(tmp_path / "b"))
    go_on(run)
    whole = a_market_run(tmp_path / "c", a_market_plan(["rule_expert", "always_accept"]))
    assert bytes_of(run) == bytes_of(whole)


def test_bargains_and_markets_are_not_joined(tmp_path: Path) -> None:
    with pytest.raises(MixedVersions, match="not played there"):
        joined(a_market_plan(), a_run(tmp_path / "a"))


def test_a_difference_is_paired_and_has_its_sign() -> None:
    plan = a_market_plan(["rule_expert", "always_accept"], episodes=12)
    rows = market_rows(plan)
    summary = SUMMING.summarise(plan, rows)
    mean = next(one for one in summary.differences if one.suite == SINGLE)
    totals = {
        name: sum(row.columns.normalized_reward for row in rows
                  if row.policy == name and row.suite == SINGLE)
        for name in ("rule_expert", "always_accept")
    }  # fmt: skip
    assert mean.reward is not None
    assert mean.reward.mean == pytest.approx(
        (totals["rule_expert"] - totals["always_accept"]) / 12, abs=2e-6
    )
    assert mean.reward.low <= mean.reward.mean <= mean.reward.high


def command(**options: object) -> str:
    out = io.StringIO()
    call_command("evaluate", stdout=out, workers="1", **options)
    return out.getvalue()


def test_the_command_plays_held_out_seeds_and_prints_the_tables() -> None:
    told = command(
        policies="rule_expert,never_act", suites=",".join(SUITES), episodes="3", seed="2"
    )
    assert "12 of 12 markets" in told
    assert "Each minus the next, in the same worlds (return)" in told
    run = Run.objects.get()
    seeds = {row.seed for row in Folder(lifecycle.folder_of(run)).rows()}
    assert seeds == {50_002, 50_003, 50_004}
    summary = msgspec.convert(run.summary, MarketSummary)
    assert {one.policy for one in summary.policies} == {"rule_expert", "never_act"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"suites": "market,single_deal"}, "One table never mixes markets and bargains"),
        ({"suites": "market:nothing"}, "There is no suite 'market:nothing' of the market"),
        ({"suites": "market", "reward": "both"}, "--reward is one of default, published"),
        ({"suites": "market", "variant": "fixed"}, "--variant says nothing of markets"),
        ({"suites": "single_deal", "reward": "default"}, "--reward says nothing of bargains"),
        ({"suites": "market", "policies": "sauda"}, "market-rules stands for all"),
        ({"suites": "market", "episodes": "0"}, "--episodes is a whole number from 1"),
    ],
)
def test_what_cannot_be_played_is_refused_with_what_would_be_right(
    options: dict[str, str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        command(**({"policies": "rule_expert"} | options))
    assert not Run.objects.exists()


def test_the_word_for_all_rules_names_every_scripted_policy() -> None:
    plan = a_market_plan(["market-rules"], ["market:single_trade"])
    assert [one.name for one in plan.policies] == [*POLICIES, *EXPLOITS]
    with pytest.raises(BadPlan, match="Name at least one policy"):
        Market().make_plan([], SUITES, episodes=1, seed=0, variant=None, commit="")


def test_the_command_that_is_told_plays_the_same_plan() -> None:
    plan = a_market_plan(seed=7, reward="published")
    assert Market().command(plan) == (
        "python manage.py evaluate --policies rule_expert,naive_instruct,always_accept --suites "
        "market:single_trade@published-1,market:market_round@published-1 --episodes 6 --seed 7"
    )
    ids = [suite.id for suite in plan.suites]
    assert a_market_plan(suites=ids, seed=7) == plan
