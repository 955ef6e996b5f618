"""What finished stages left, beside everybody else: buyers in the bazaar, labs in the market."""

from collections.abc import Sequence
from pathlib import Path
from typing import IO

from django.conf import settings
from rich.console import Console

from arena.gpu_market.trained.cards import read_lab
from negotiation.code_version import code_version
from training.data.teaching import Teachers
from training.evaluation.domain import domain_of_words
from training.evaluation.markets.players import ALL_RULES
from training.evaluation.running import evaluate, open_evaluation
from training.evaluation.workers import usual_workers
from training.jobs.chains import beside_of, ensure_selectable
from training.models import Run
from training.stages.config import MARKET_STAGES, LeagueConfig

WIDTH = 150


def climb(stages: Sequence[Run], name: str, episodes: int, out: IO[str], spread: int = 0) -> Run:
    """Evaluate the models of finished stages in all suites of theirs and print the tables."""
    if stages[-1].kind in MARKET_STAGES:
        suites, players = "market", [*map(_offered, stages), ALL_RULES]
    else:
        # The network that a league leaves is the shipped one's kind, and no model of words.
        taught = [run for run in stages if run.kind != LeagueConfig.stage]
        models = [ensure_selectable(run, f"{name}-{run.kind}") for run in taught]
        suites, players = "all", [*models, Teachers.name, "rules"]
    [domain] = domain_of_words([suites])
    plan = domain.make_plan(
        players, [suites], episodes=episodes, seed=0, variant=None,
        commit=code_version(domain.rooms),
    )  # fmt: skip
    run = open_evaluation(plan, f"{name}-ladder"[:40])
    summary = evaluate(run, workers=usual_workers(), out=out, spread=spread)
    Console(file=out, highlight=False, width=WIDTH).print(*domain.tables(summary))
    return run


def _offered(run: Run) -> str:
    """Put a lab among those of this site; evaluations find it by the label of its version."""
    target = Path(settings.LABS_DIR, run.pk)
    if not target.exists():
        beside_of(run, target).rename(target)
    return read_lab(target).version
