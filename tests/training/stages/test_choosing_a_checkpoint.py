"""Which checkpoint is kept: the one that plays best among those that kept format and deals."""

from typing import Any

from training.stages.grpo import best_step


def found(share: float, deals: float = 0.95, valid: float = 1.0) -> dict[str, Any]:
    return {"share": {"mean": share}, "deal_rate": {"mean": deals}, "valid_json": valid}


def test_the_highest_share_is_kept() -> None:
    assert best_step({0: found(0.6), 5: found(0.8), 10: found(0.7)}) == 5


def test_a_collapsed_format_is_never_kept() -> None:
    assert best_step({0: found(0.6), 5: found(0.9, valid=0.98), 10: found(0.7)}) == 10


def test_share_bought_with_lost_deals_is_never_kept() -> None:
    assert best_step({0: found(0.6), 5: found(0.9, deals=0.8), 10: found(0.7, deals=0.91)}) == 10


def test_the_first_stands_when_nothing_after_it_may_be_kept() -> None:
    assert best_step({0: found(0.6), 5: found(0.9, valid=0.5)}) == 0


def test_of_equals_the_earlier_one_is_kept() -> None:
    assert best_step({0: found(0.6), 5: found(0.8), 10: found(0.8)}) == 5


def test_a_first_model_that_writes_no_json_stands_only_for_itself() -> None:
    assert best_step({0: found(0.0, valid=0.0)}) == 0
