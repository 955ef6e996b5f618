"""Sellers who answer, in evaluations; and those that no training may meet."""

import tomllib
from pathlib import Path

import grimp
import pytest

from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.bargain.people.held_out import ASSUMPTIONS, HELD_OUT
from bazaarbatna.bargain.people.suites import is_held_out
from bazaarbatna.players.simple import CONCEDERS
from negotiation.policies import policy
from tests.support.evaluating import a_plan
from training.evaluation import BadPlan
from training.evaluation.bazaar import Bazaar
from training.evaluation.plan import make_plan, suite_fact
from training.evaluation.playing import play
from training.stages.config import BadConfig
from training.stages.registry import checked, defaults

ROOT = Path(__file__).parents[2]
HIDDEN = "bazaarbatna.bargain.people.held_out"
LEARNING = (
    "training.stages", "training.data", "training.sellers", "training.judging", "training.league",
    "agents.buyers",
)  # fmt: skip


def test_a_word_stands_for_families_one_by_one() -> None:
    plan = a_plan(suites=["people", "people-held-out"], episodes=2)
    trained = [f"people-{family.name}@1" for family in FAMILIES]
    others = [f"people-{family.name}@1" for family in HELD_OUT]
    assert [one.id for one in plan.suites] == trained + others
    assert [one.seller for one in plan.suites] == [one.version for one in (*FAMILIES, *HELD_OUT)]
    assumed = a_plan(suites=["paths", "paths@1"], episodes=2)
    assert [one.id for one in assumed.suites] == [
        *(f"{family.name}@1" for family in ASSUMPTIONS), "paths@1",
    ]  # fmt: skip
    alone = a_plan(suites=["people"], episodes=2)
    assert "--suites people --" in Bazaar().command(alone)


def test_a_word_stands_for_conceders_from_every_opening() -> None:
    plan = make_plan(["rules:conceder", "conceders"], ["paths-97-1"], episodes=2)
    assert [one.name for one in plan.policies] == ["rules:conceder", *CONCEDERS]
    assert len({one.version for one in plan.policies}) == 1 + len(CONCEDERS)


def test_mixtures_families_and_horizons_are_named_by_id_or_short() -> None:
    names = ["people@1", "people-held-out@1", "people-firm", "people@1-rounds-4"]
    plan = a_plan(suites=names, episodes=2)
    assert [one.id for one in plan.suites] == [
        "people@1", "people-held-out@1", "people-firm@1", "people@1-rounds-4",
    ]  # fmt: skip
    assert len({one.fingerprint for one in plan.suites}) == 4
    for wrong in ("people-nobody", "people@2", "people@1-rounds-99"):
        with pytest.raises(BadPlan, match="people, people-held-out, paths, or all"):
            make_plan(["sauda"], [wrong])


def test_a_label_of_a_mixture_pins_every_family_of_it() -> None:
    assert suite_fact("people@1", 1).seller.startswith("people@1#")
    assert suite_fact("people@1-rounds-4", 1).seller == suite_fact("people@1", 1).seller
    assert suite_fact("people-held-out@1", 1).seller.startswith("people-held-out@1#")


@pytest.mark.django_db
def test_they_are_played_and_every_row_names_the_label_of_its_suite() -> None:
    """Seeds 0 to 5."""
    suites = ("people@1", "people-splitter@1", "people-held-out@1-rounds-5", "paths-88-1@1",
              "paths-fit@1-rounds-3")  # fmt: skip
    for suite in suites:
        played = list(play(policy("rules:smart"), suite, range(6)))
        again = list(play(policy("rules:smart"), suite, range(6)))
        assert [one.rows for one in played] == [one.rows for one in again]
        fact = suite_fact(suite, 6)
        assert {row.seller for one in played for row in one.rows} == {fact.seller}


def test_nothing_that_learns_can_reach_the_families_that_are_held_out() -> None:
    present = [one for one in LEARNING if (ROOT / one.replace(".", "/")).exists()]
    graph = grimp.build_graph(
        "training", "agents", "replays", "arena", "negotiation", "bazaarbatna"
    )
    assert HIDDEN in graph.modules
    for package in present:
        chain = graph.find_shortest_chain(package, HIDDEN, as_packages=True)
        assert chain is None, chain


def test_a_contract_of_the_import_linter_says_so_for_all_of_them() -> None:
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    [sources] = [
        one["source_modules"]
        for one in rules["contracts"]
        if HIDDEN in one.get("forbidden_modules", ())
    ]
    present = {one for one in LEARNING if (ROOT / one.replace(".", "/")).exists()}
    assert set(sources) == present, "name every package that learns in pyproject.toml"


@pytest.mark.parametrize(
    "suite",
    ["people-held-out@1", "people-splitter@1", "people-turncoat@1", "paths@1", "paths-97-1@1"],
)
def test_a_stage_that_names_a_held_out_suite_is_refused(suite: str) -> None:
    assert is_held_out(suite)
    with pytest.raises(BadConfig, match=f"{suite} is held out"):
        checked("grpo", {**defaults("grpo", "toy"), "suites": ("single_deal@sampled-1", suite)})


def test_what_training_may_meet_is_not_held_out() -> None:
    families = (f"people-{one.name}@1" for one in FAMILIES)
    for name in ("people@1", "people@1-rounds-4", "paths-fit@1", "paths-fit@1-rounds-4", *families):
        assert not is_held_out(name)
    assert not is_held_out("single_deal@sampled-1")


@pytest.mark.parametrize("name", ["rules:conceder", "rules:conceder-55", "rules:halver"])
def test_the_page_says_what_a_rule_keeps_on_paths(name: str) -> None:
    """200 games of each assumption: the row of docs/people.md, with its mean and its worst."""
    kept = []
    for family in ASSUMPTIONS:
        played = play(policy(name), f"{family.name}@1", range(200))
        shares = [row.surplus for one in played for row in one.rows if row.surplus is not None]
        kept.append(100 * sum(shares) / len(shares))
    page = (ROOT / "docs" / "people.md").read_text(encoding="utf-8")
    told = " | ".join(f"{share:.1f}" for share in (*kept, sum(kept) / len(kept), min(kept)))
    assert f"| `{name}` | {told} |" in page, "docs/people.md is behind: paste the evaluation"
