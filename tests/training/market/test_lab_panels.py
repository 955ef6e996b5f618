"""The curves of a lab's runs: what a summary does not say as it should is left out."""

from training.models import Run
from training.pages.lab import checked, trajectory


def test_a_check_of_another_shape_is_left_out() -> None:
    checks = {
        "10": {"return": {"mean": 0.3}},
        "0": {"return": {"mean": 0.1}},
        "20": {"return": 0.5},
        "30": {"return": None},
        "40": {"return": {"mean": "much"}},
        "50": None,
        "later": {"return": {"mean": 0.7}},
    }
    assert checked(Run(summary={"checks": checks})) == [(0.0, 0.1), (10.0, 0.3)]


def test_fewer_than_two_checks_make_no_curve() -> None:
    assert trajectory(None) is None
    assert trajectory(Run(summary=None)) is None
    assert trajectory(Run(summary={"checks": {"0": {"return": {"mean": 0.1}}}})) is None
