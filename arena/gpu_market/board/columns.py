"""Reward columns as they accrue: the steps of a lab, counted from the full log (``twins.scores``).

This reads hidden values: what it gives about a lab goes to that lab, or to everybody after the end.
"""

from collections.abc import Sequence

import msgspec
from django.utils.safestring import SafeString

from arena.gpu_market.engine.rewards import COLUMNS
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.twins import Step
from negotiation.charts.svg import element, labelled

COLUMN_WORDS: dict[str, str] = {
    "job_utility": "value of jobs less energy",
    "deal_quality": "money received less money paid",
    "coalition_reliability": "promises kept in coalitions (published mix only)",
    "judge_argument": "a judge’s bonus for a true pitch",
    "budget_efficiency": "money left over at the end (published mix only)",
    "negotiation_efficiency": "any valid action but waiting (published mix only)",
    "market_adaptation": "working or trading after a shock (published mix only)",
    "invalid_action_penalty": "for actions that the rules refuse",
    "spam_penalty": "for the same action a third time",
    "breach_penalty": "for broken promises",
    "normalized_reward": "their sum, within −1 and 1: what a learner is paid",
}
"""What each column pays for, in the order of the engine's table."""


def value_of_first_jobs(scenario: MarketScenario, lab: int) -> float:
    """Bound a lab's plans by the jobs it began with: what it may know while the market is live.

    The usual measure counts the job that a demand surge will bring. A lab that divided its own
    columns by what it earned would learn of the surge before it strikes.
    """
    return float(sum(job.value for job in scenario.sealed.jobs[lab]))


class Accrued(msgspec.Struct, frozen=True):
    """A lab's columns after some of its turns; ``path`` is the running return, from 0."""

    lab: str
    sums: tuple[tuple[str, float], ...]
    path: tuple[float, ...]

    @property
    def total(self) -> float:
        """The return so far."""
        return self.path[-1]


def accrued(lab: str, steps: Sequence[Step]) -> Accrued:
    """Add a lab's steps up."""
    rows = [msgspec.structs.astuple(step.reward) for step in steps]
    sums = [sum(column) for column in zip(*rows, strict=True)] or [0.0] * len(COLUMNS)
    path = [0.0]
    for step in steps:
        path.append(path[-1] + step.reward.normalized_reward)
    return Accrued(lab, tuple(zip(COLUMNS, sums, strict=True)), tuple(path))


def reward_path(rows: Sequence[Accrued], names: dict[str, str], turns: int) -> SafeString:
    """Draw the running returns of some labs over the ``turns`` of an episode."""
    reach = max([0.1, *(abs(value) for row in rows for value in row.path)])
    said = "; ".join(f"{names[row.lab]} {row.total:+.3f}" for row in rows)
    lines = [
        element(
            "path",
            {"class": f"reward-line of-{row.lab}", "d": _steps(row.path, turns, reach)},
            element("title", {}, f"{names[row.lab]}: {row.total:+.3f}"),
        )
        for row in rows
    ]
    return labelled(
        {
            "class": "reward-path",
            "viewBox": "0 0 100 100",
            "preserveAspectRatio": "none",
            "width": "100%",
            "height": 130,
        },
        "reward-path",
        "Return so far, turn by turn",
        said or "No turn is over yet.",
        element("path", {"class": "reward-zero", "d": "M0 50H100"}),
        *lines,
    )


def _steps(path: Sequence[float], turns: int, reach: float) -> str:
    wide = 100 / max(turns, 1)
    d = f"M0 {_height(path[0], reach)}"
    for number, value in enumerate(path[1:], start=1):
        d += f"H{number * wide:.1f}V{_height(value, reach)}"
    return d


def _height(value: float, reach: float) -> str:
    return f"{50 - 46 * value / reach:.1f}"
