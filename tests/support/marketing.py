"""Small evaluations of the market for tests."""

from pathlib import Path

from tests.support.evaluating import a_run
from training.evaluation.markets.market import Market
from training.evaluation.markets.summary import MarketRow
from training.evaluation.plan import Plan
from training.models import Run

PLAYERS = ["rule_expert", "naive_instruct", "always_accept"]
SUITES = ["market:single_trade", "market:market_round"]


def a_market_plan(
    players: list[str] | None = None,
    suites: list[str] | None = None,
    *,
    episodes: int = 6,
    seed: int = 0,
    reward: str | None = None,
) -> Plan:
    """Three policies in two tasks, six worlds each."""
    return Market().make_plan(
        players or PLAYERS,
        suites or SUITES,
        episodes=episodes,
        seed=seed,
        variant=reward,
        commit="0123456789ab",
    )


def market_rows(plan: Plan) -> list[MarketRow]:
    """Every market of a plan, played here."""
    return [
        row
        for suite in plan.suites
        for one in plan.policies
        for played in Market().play(one.name, suite.id, range(plan.seed, plan.seed + suite.games))
        for row in played.rows
    ]


def a_market_run(folder: Path, plan: Plan | None = None, name: str = "small") -> Run:
    """A finished evaluation in a folder, played in this process."""
    return a_run(folder, plan or a_market_plan(), name)
