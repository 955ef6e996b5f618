"""The quality report: played, counted, and written for people and for programs."""

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.table import Table

from agents.sellers.persona import PERSONAS
from agents.sellers.prompt import SELLER_PROMPT_VERSION
from agents.sellers.quality.criteria import Criterion, measure
from agents.sellers.quality.games import BUYERS, Episode, play, scenarios
from agents.sellers.quality.houses import ModelHouse, house
from agents.sellers.quality.judge import Verdict, recognised_by_a_model
from agents.sellers.quality.manner import confusion
from agents.sellers.rule_seller import version


class Plan(msgspec.Struct, frozen=True):
    """What is played: ``episodes`` for each of the ``personas``; ``cautious`` buyers open low."""

    episodes: int
    personas: tuple[str, ...]
    backend: str = "rules"
    seed: int = 0
    cautious: bool = False


class Report(msgspec.Struct, frozen=True):
    """What came out; ``readable`` is the share of turns a model answered readably (None: rules)."""

    plan: Plan
    criteria: tuple[Criterion, ...]
    guesses: dict[str, dict[str, int]]
    verdict: Verdict
    versions: dict[str, str]
    readable: float | None = None

    @property
    def met(self) -> bool:
        """Tell whether every bar is reached."""
        return all(criterion.met for criterion in self.criteria)


async def make_report(plan: Plan) -> Report:
    """Play all games one after the other, and measure them."""
    seller = house(plan.backend)
    episodes: list[Episode] = []
    for persona in plan.personas:
        for number, scenario in enumerate(scenarios(persona, plan.episodes, plan.seed)):
            buyer = BUYERS[number % len(BUYERS)]
            episodes.append(await play(scenario, buyer, seller, cautious=plan.cautious))
    readable = None
    if isinstance(seller, ModelHouse):
        readable = seller.read / max(seller.asked, 1)
    return Report(
        plan=plan,
        criteria=measure(episodes),
        guesses=confusion(episodes),
        verdict=await recognised_by_a_model(episodes),
        versions={name: version(PERSONAS[name]) for name in plan.personas},
        readable=readable,
    )


def as_numbers(report: Report) -> dict[str, Any]:
    """Give a report as JSON values."""
    return {
        "plan": msgspec.to_builtins(report.plan),
        "prompt_version": SELLER_PROMPT_VERSION,
        "versions": report.versions,
        "readable": report.readable,
        "criteria": [
            {**msgspec.to_builtins(one), "value": round(one.value, 4), "met": one.met}
            for one in report.criteria
        ],
        "guesses": report.guesses,
        "judge": msgspec.to_builtins(report.verdict),
        "met": report.met,
    }


def criteria_table(report: Report) -> Table:
    """Draw the criteria with their bars."""
    plan = report.plan
    games = plan.episodes * len(plan.personas)
    title = f"Sellers, {plan.backend}: {games} games, seed {plan.seed}"
    table = Table(title=title, title_justify="left")
    table.add_column("criterion")
    for name in ("bar", "value", "met"):
        table.add_column(name, justify="right")
    for one in report.criteria:
        sign = ">=" if one.at_least else "<="
        table.add_row(one.name, f"{sign} {one.bar:g}", f"{one.value:.3f}", _yes(one.met))
    return table


def guesses_table(report: Report) -> Table:
    """Draw what the classifier took each persona for."""
    table = Table(title="Who was taken for whom", title_justify="left")
    names: Sequence[str] = sorted(report.guesses)
    for name in ("persona", *names):
        table.add_column(name, justify="left" if name == "persona" else "right")
    for true in names:
        table.add_row(true, *(str(report.guesses[true][guess]) for guess in names))
    return table


def verdict_line(verdict: Verdict) -> str:
    """Say what the judging model found."""
    if verdict.share is None:
        return "Judge: no judge configured, or none that answered."
    return f"Judge: named {verdict.share:.2f} of {verdict.answered} sellers rightly."


def _yes(met: bool) -> str:
    return "yes" if met else "NO"
