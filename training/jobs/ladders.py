"""What finished stages left, beside everybody else: buyers in the bazaar, labs in the market."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec
from rich.console import Console
from rich.table import Table

from arena.gpu_market.trained.cards import read_lab
from bazaarbatna.intervals import mean_interval
from bazaarbatna.market import TASK_NAMES, make_market, play_scored
from bazaarbatna.market.planner import normaliser_of
from bazaarbatna.market.policies.registry import make_policy
from negotiation.code_version import code_version
from training.data.seeds import MARKET_HELD_OUT_FROM
from training.data.teaching import Teachers
from training.disk import write_json
from training.evaluation.domain import domain_of_plan
from training.evaluation.plan import make_plan
from training.evaluation.running import evaluate, open_evaluation
from training.evaluation.workers import usual_workers
from training.jobs.chains import ensure_selectable
from training.models import Run
from training.runs import lifecycle
from training.runs.files import MODEL
from training.stages.config import LeagueConfig

SCRIPTS = (
    "always_accept",
    "accepts_first",
    "naive_instruct",
    "never_act",
    "greedy_hoarder",
    "random_valid",
    "no_negotiation_allocator",
    "rule_expert",
    "optimal_planner",
)
LADDER = "ladder.json"
WIDTH = 150
LAB = 0  # Which lab is played
Returns = dict[str, list[float]]  # Of each task, one return a seed: the same seeds for everybody


class Rung(msgspec.Struct, frozen=True):
    """One player; ``invalid`` of ``answers`` were no action (None: it has no words of its own)."""

    returns: Returns
    answers: int | None = None
    invalid: int | None = None

    @property
    def all(self) -> list[float]:
        """All returns, task after task."""
        return [one for task in TASK_NAMES for one in self.returns[task]]


def climb(stages: Sequence[Run], name: str, episodes: int, out: IO[str], spread: int = 0) -> Run:
    """Evaluate the models of finished stages in all suites and print the tables."""
    # The network that a league leaves is the shipped one's kind, and no model of words.
    taught = [run for run in stages if run.kind != LeagueConfig.stage]
    models = [ensure_selectable(run, f"{name}-{run.kind}") for run in taught]
    plan = make_plan(
        [*models, Teachers.name, "rules"], ["all"], episodes=episodes, seed=0, commit=code_version()
    )
    run = open_evaluation(plan, f"{name}-ladder"[:40])
    summary = evaluate(run, workers=usual_workers(), out=out, spread=spread)
    Console(file=out, highlight=False, width=WIDTH).print(*domain_of_plan(plan).tables(summary))
    return run


def climb_market(stages: Sequence[Run], episodes: int, out: IO[str]) -> dict[str, Any]:
    """Let the labs of finished stages play beside the scripts, print a table and keep it."""
    folders = {run.kind: lifecycle.folder_of(run) / MODEL for run in stages}
    found = ladder({read_lab(folder).card.name: folder for folder in folders.values()}, episodes)
    target = lifecycle.folder_of(stages[-1]) / LADDER
    write_json(target, found, 2)
    Console(file=out, highlight=False, width=WIDTH).print(*tables_of(found))
    return found


def ladder(labs: Mapping[str, Path], episodes: int) -> dict[str, Any]:
    """Play everybody on the same seeds."""
    rungs = {name: _play_script(name, episodes) for name in SCRIPTS}
    rungs |= {name: _play_lab(folder, episodes) for name, folder in labs.items()}
    return {
        "first_seed": MARKET_HELD_OUT_FROM,
        "episodes": episodes,
        "players": {name: _summed(one) for name, one in rungs.items()},
        "differences": {
            name: {other: _mean_with_interval(_paired(rungs[name], rungs[other]))
                   for other in rungs if other != name}
            for name in labs
        },
    }  # fmt: skip


def _play_script(name: str, episodes: int) -> Rung:
    return Rung(
        {task: [_return(name, task, seed) for seed in _seeds(episodes)] for task in TASK_NAMES}
    )


def _return(name: str, task: str, seed: int) -> float:
    best = _ceiling(task, seed)
    world, player = make_market(task, seed), make_policy(name, seed)
    return play_scored(world, player, lab=LAB, normaliser=lambda _, __: best).total


def _play_lab(folder: Path, episodes: int) -> Rung:
    from agents.backends.local.loading import load
    from agents.backends.local.source import Source
    from arena.gpu_market.trained.seat import seat_of
    from training.stages.market.episodes import World, play_episodes

    loaded = load(Source(str(folder)))
    seat = seat_of(loaded.model, loaded.tokenizer, read_lab(folder).card)
    worlds = [World(task, seed, LAB) for task in TASK_NAMES for seed in _seeds(episodes)]
    played = play_episodes(seat, worlds)
    returns: Returns = {
        task: [one.total for one in played if one.world.task == task] for task in TASK_NAMES
    }
    answers = sum(len(one.turns) for one in played)
    return Rung(returns, answers, sum(one.invalid for one in played))


def tables_of(found: Mapping[str, Any]) -> list[Table]:
    """Draw returns with intervals, and what tells trained labs from the others."""
    table = Table(title=f"Returns, {found['episodes']} seeds a task from {found['first_seed']}")
    for head in ("player", *TASK_NAMES, "all", "no action"):
        table.add_column(head)
    for name, one in found["players"].items():
        figures = [_text(one["tasks"][task]) for task in TASK_NAMES]
        faults = "" if one["invalid"] is None else f"{one['invalid']} of {one['answers']}"
        table.add_row(name, *figures, _text(one["all"]), faults)
    apart = Table(title="Paired differences, all tasks")
    for head in ("lab", "less", "difference"):
        apart.add_column(head)
    for name, others in found["differences"].items():
        for other, difference in others.items():
            apart.add_row(name, other, _text(difference))
    return [table, apart]


def _mean_with_interval(values: Sequence[float]) -> dict[str, float]:
    return msgspec.structs.asdict(mean_interval(values))


@functools.lru_cache(maxsize=8192)
def _ceiling(task: str, seed: int) -> float:
    world = make_market(task, seed)
    return normaliser_of(world)(world, LAB)


def _seeds(episodes: int) -> range:
    return range(MARKET_HELD_OUT_FROM, MARKET_HELD_OUT_FROM + episodes)


def _summed(one: Rung) -> dict[str, Any]:
    return {
        "tasks": {task: _mean_with_interval(one.returns[task]) for task in TASK_NAMES},
        "all": _mean_with_interval(one.all),
        "answers": one.answers,
        "invalid": one.invalid,
    }


def _paired(one: Rung, other: Rung) -> list[float]:
    return [mine - theirs for mine, theirs in zip(one.all, other.all, strict=True)]


def _text(found: Mapping[str, float]) -> str:
    return f"{found['mean']:.3f} ({found['low']:.3f} to {found['high']:.3f})"
