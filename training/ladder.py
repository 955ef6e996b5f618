"""The ladder: the models of a chain's stages, their teachers and all rule buyers, side by side."""

from collections.abc import Sequence
from typing import IO

from rich.console import Console

from agents.known_checkpoints import find_checkpoint
from training.code_version import code_version
from training.data.teachers import Teachers
from training.evaluation.domain import domain_of_plan
from training.evaluation.plan import make_plan
from training.evaluation.running import evaluate, open_evaluation
from training.evaluation.workers import usual_workers
from training.models import Run
from training.selecting import make_selectable, selectable_as
from training.stages.config import LeagueConfig

WIDTH = 150
MOST_NAMESAKES = 1000


def climb(stages: Sequence[Run], name: str, episodes: int, out: IO[str]) -> Run:
    """Evaluate the models of finished stages in all suites and print the tables.

    Args:
        stages: runs that have left a model.
        name: begins the names under which the models can be chosen from then on.
        episodes: bargains per policy and suite, 1 or more.
        out: where tables and progress go.

    Returns:
        The evaluation.
    """
    # The network that a league leaves is the shipped one's kind, and no model of words.
    models = [_selectable(run, name) for run in stages if run.kind != LeagueConfig.stage]
    plan = make_plan(
        [*models, Teachers.name, "rules"], ["all"], episodes=episodes, seed=0, commit=code_version()
    )
    run = open_evaluation(plan, f"{name}-ladder"[:40])
    summary = evaluate(run, workers=usual_workers(), out=out)
    Console(file=out, highlight=False, width=WIDTH).print(*domain_of_plan(plan).tables(summary))
    return run


def _selectable(run: Run, name: str) -> str:
    known = selectable_as(run)
    if known:
        return known[0]
    stem = f"{name}-{run.kind}"
    free = (f"{stem}-{number}" if number > 1 else stem for number in range(1, MOST_NAMESAKES))
    return make_selectable(run, next(one for one in free if find_checkpoint(one) is None)).name
