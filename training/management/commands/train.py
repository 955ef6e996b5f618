"""``manage.py train``: one stage of training, or the whole chain, on this machine."""

import functools
import os
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from pathlib import Path
from typing import IO, Any, cast

import msgspec
from django.core.management.base import BaseCommand, CommandError
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
from training.evaluation import EvaluationError
from training.evaluation.command import INTERRUPTED, MOST_SPREAD, NICENESS, number
from training.evaluation.domain import domain_of_plan
from training.evaluation.plan import make_plan
from training.evaluation.running import evaluate, open_evaluation
from training.evaluation.workers import usual_workers
from training.hub.client import HubError
from training.jobs.chains import CHAIN, MARKET_CHAIN, ensure_selectable, spec_of
from training.models import Run
from training.runs import lifecycle
from training.runs.files import MODEL
from training.runs.lifecycle import Busy, Stopped, end_with_parent
from training.stages.config import MARKET_STAGES, SIZES, STAGES, BadConfig, LeagueConfig
from training.stages.running import (
    LATER,
    before,
    rest_of,
    run_stage,
)

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


LEAGUE = "league"
MOST_BARGAINS = 100_000


class Command(BaseCommand):
    """Train; killed at any point, it goes on with ``--resume``."""

    help = "Train a buyer (docs/training.md) or a lab (docs/market_training.md): a stage, or all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "stage", nargs="?", help=f"{', '.join((*STAGES, CHAIN))} or {MARKET_CHAIN}"
        )
        parser.add_argument("--size", help=f"{', '.join(SIZES)} (mini)")
        parser.add_argument("--name", help="a-z, 0-9 and hyphens (the stage)")
        parser.add_argument("--from", dest="source", help="run, folder or hub name of a model")
        parser.add_argument("--seed", help="0..999 (0)")
        parser.add_argument("--set", action="append", metavar="KEY=VALUE", help="any other setting")
        parser.add_argument("--resume", metavar="RUN", help="a run's id")
        parser.add_argument("--background", action="store_true", help="for the worker: gently")
        parser.add_argument(
            "--spread", metavar="N", help="let N background workers, of any machine, help a league"
        )
        parser.add_argument("--evaluate", metavar="N", help="then the ladder, N games each")
        parser.add_argument("--hub-repo", default="", help="owner/name: push what is made as it is")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["background"]:
            os.nice(NICENESS)
            end_with_parent()
        out = cast("IO[str]", self.stdout)
        run: Run | None = None
        try:
            bargains = _bargains(options["evaluate"])
            resumed = _resumed(options["resume"]) if options["resume"] else None
            spread = _spread(options, resumed.kind if resumed else options["stage"])
            done = before(resumed) if resumed else []
            for run in chain([resumed], rest_of(resumed)) if resumed else _opened(options):
                if run.status != Run.Status.DONE:
                    with _kept_on_hub(run, options["hub_repo"]):
                        run_stage(run, out, spread)
                    self.stdout.write(f"Files: {lifecycle.folder_of(run)}")
                done.append(run)
            if bargains and done[-1].kind in MARKET_STAGES:
                climb_market(done, bargains, out)
            elif bargains:
                climb(done, options["name"] or "chain", bargains, out, spread)
        except (BadConfig, Busy, EvaluationError, HubError, Stopped) as wrong:
            raise CommandError(str(wrong)) from wrong
        except KeyboardInterrupt:
            ladder = f" --evaluate {options['evaluate']}" if options["evaluate"] else ""
            how = f" Go on with: manage.py train --resume {run.pk}{ladder}" if run else ""
            self.stderr.write(f"Interrupted.{how}")
            raise SystemExit(INTERRUPTED) from None


def _spread(options: dict[str, Any], stage: str) -> int:
    found = number(options, "spread", 0, 0, MOST_SPREAD)
    if not found:
        return 0
    if stage not in (LEAGUE, CHAIN):
        raise BadConfig("--spread is for a league, or a chain: its league and its ladder.")
    return found


def _bargains(told: str | None) -> int:
    # 0 for no ladder.
    if told is None:
        return 0
    if not told.isascii() or not told.isdigit() or not 0 < int(told) <= MOST_BARGAINS:
        raise BadConfig(f"--evaluate takes 1..{MOST_BARGAINS} bargains, not {told[:40]!r}.")
    return int(told)


def _kept_on_hub(run: Run, repo: str) -> AbstractContextManager[None]:
    if not repo:
        return nullcontext()
    from training.hub.transfer import uploading

    return uploading(run, repo)


def _opened(options: dict[str, Any]) -> Iterator[Run]:
    # All stages are checked first; each is opened when the one before it is done.
    run = spec_of(options).open_first()
    yield run
    yield from rest_of(run)


def _resumed(name: str) -> Run:
    run = Run.objects.filter(pk=name).first()
    if run is None:
        raise BadConfig(f"There is no run {name[:80]!r}.")
    if run.status == Run.Status.DONE and not run.config.get(LATER):
        raise BadConfig(f"{run.pk} is done; start a new run to do it again.")
    return run
