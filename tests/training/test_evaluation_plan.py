"""What may be asked of an evaluation; everything else is refused before any work."""

import pytest

from bazaarbatna.bargain.suites import SUITES
from tests.support.evaluating import a_plan
from training.evaluation import BadPlan
from training.evaluation.plan import make_plan, suite_fact


def test_careers_play_whole_games_until_they_reach_the_bargains() -> None:
    plan = a_plan(suites=["single_deal", "read_the_tells", "career_10"], episodes=12)
    assert [(one.games, one.bargains) for one in plan.suites] == [(12, 12), (3, 15), (2, 20)]
    assert plan.bargains == 2 * (12 + 15 + 20)
    assert len(plan.units()) == 2 * (12 + 3 + 2)


def test_the_shortcuts_name_every_rule_buyer_and_every_suite_once() -> None:
    plan = make_plan(["rules", "sauda", "rules:smart"], ["all"])
    names = [one.name for one in plan.policies]
    assert len(names) == len(set(names))
    assert {"sauda", "rules:smart", "rules:sauda-without-tells"} <= set(names)
    # The same rules before another backend would be the same buyer again.
    assert not any(name.startswith("sauda:") for name in names)
    assert [one.id for one in plan.suites] == [f"{row.name}@sampled-1" for row in SUITES]


def test_the_variant_is_part_of_the_suites_id() -> None:
    plan = make_plan(["sauda"], ["single_deal", "career_10@sampled-1"], variant="fixed")
    assert [one.id for one in plan.suites] == ["single_deal@fixed-1", "career_10@sampled-1"]


@pytest.mark.parametrize(
    ("wrong", "because"),
    [
        ({"policy_names": ["rules:smrt"]}, "no policy 'rules:smrt'"),
        ({"policy_names": ["seller:firm"]}, "sells"),
        ({"policy_names": ["sauda:hf"]}, "only in live games; here sauda would play for it"),
        ({"policy_names": []}, "at least one policy"),
        ({"suite_names": ["single_dael"]}, "no suite 'single_dael'"),
        ({"suite_names": ["single_deal@sampled-2"]}, "no suite"),
        ({"suite_names": []}, "at least one suite"),
        ({"variant": "medium"}, "sampled"),
        ({"episodes": 0}, "--episodes is a whole number from 1"),
        ({"episodes": 10**9}, "--episodes"),
        ({"episodes": float("nan")}, "--episodes"),
        (
            {"policy_names": ["rules"], "suite_names": ["all"], "episodes": 100_000},
            "13,600,000 games; one run has at most 5,000,000",
        ),
        ({"episodes": True}, "--episodes"),
        ({"seed": -1}, "--seed"),
        ({"seed": 2**63}, "--seed"),
    ],
)
def test_what_cannot_be_played_is_refused_with_what_would_be_right(
    wrong: dict[str, object], because: str
) -> None:
    right: dict[str, object] = {"policy_names": ["sauda"], "suite_names": ["single_deal"]}
    with pytest.raises(BadPlan, match=because):
        make_plan(**(right | wrong))  # type: ignore[arg-type]


def test_a_fingerprint_tells_suites_apart_and_stays() -> None:
    prints = {suite_fact(f"{row.name}@sampled-1", 1).fingerprint for row in SUITES}
    assert len(prints) == len(SUITES)
    assert suite_fact("single_deal@sampled-1", 1) == suite_fact("single_deal@sampled-1", 1)
