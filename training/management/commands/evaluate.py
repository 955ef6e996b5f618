"""``manage.py evaluate``: buyers against pinned sellers on the same games, summed up."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from training import runs
from training.code_version import code_version
from training.evaluation.errors import BadPlan, EvaluationError
from training.evaluation.folder import Folder
from training.evaluation.joining import borrow, joined
from training.evaluation.plan import Plan, make_plan
from training.evaluation.publishing import publish
from training.evaluation.rebuilding import find_run, known_run
from training.evaluation.running import evaluate, open_evaluation
from training.evaluation.table import tables_of
from training.models import Run

ANEW = ("policies", "suites", "episodes", "seed", "variant", "name", "out", "join")
"""Arguments that decide what is played; a run that goes on has them already."""

MOST_WORKERS = 64
NICENESS = 10
"""A run in the background leaves the processor to visitors."""

INTERRUPTED = 130
"""Exit status, as shells give it for Ctrl-C."""


class Command(BaseCommand):
    """Evaluate policies; killed at any point, it goes on with ``--resume``."""

    help = (
        "Let policies play the same games against pinned sellers and sum up (docs/evaluation.md)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read what is to be played, or which run goes on."""
        parser.add_argument("--policies", help="names with commas; or: rules, all")
        parser.add_argument("--suites", help="names or ids with commas; all without it")
        parser.add_argument("--episodes", help="bargains per policy and suite (200)")
        parser.add_argument("--seed", help="seed of the first game (0)")
        parser.add_argument("--variant", help="sampled or fixed (sampled)")
        parser.add_argument("--name", help="a-z, 0-9 and hyphens (evaluation)")
        parser.add_argument("--out", type=Path, help="folder of the run, instead of a new one")
        parser.add_argument("--workers", help="processes that play (all cores, at most 8)")
        parser.add_argument("--join", metavar="RUN", help="a finished run whose buyers join")
        parser.add_argument("--resume", metavar="RUN", help="a run's id or folder")
        parser.add_argument("--background", action="store_true", help="for the worker: gently")
        parser.add_argument("--publish", action="store_true", help="show the result on the site")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, print the tables, publish if asked."""
        run: Run | None = None
        try:
            workers = _number(options, "workers", min(os.cpu_count() or 1, 8), 1, MOST_WORKERS)
            run = _resumed(options) if options["resume"] else _opened(options)
            if options["background"]:
                os.nice(NICENESS)
            # Line by line, also into a pipe.
            out = cast("IO[str]", self.stdout)
            summary = evaluate(run, workers=workers, out=out)
            Console(file=out, highlight=False, width=_width(out)).print(*tables_of(summary))
            if options["publish"]:
                publish(run)
        except EvaluationError as wrong:
            raise CommandError(str(wrong)) from wrong
        except OSError as wrong:
            how = f" What was played is kept; manage.py evaluate --resume {run.pk}" if run else ""
            raise CommandError(f"{wrong}.{how}") from wrong
        except KeyboardInterrupt:
            how = f" Go on with: manage.py evaluate --resume {run.pk}" if run else ""
            self.stderr.write(f"Interrupted.{how}")
            raise SystemExit(INTERRUPTED) from None
        self.stdout.write(f"Files: {runs.folder_of(run)}")


def _opened(options: dict[str, Any]) -> Run:
    if not options["policies"]:
        raise BadPlan("Name the policies, for example --policies sauda,rules:smart; or rules.")
    plan = _plan(options)
    earlier = known_run(options["join"]) if options["join"] else None
    whole = joined(plan, earlier) if earlier else plan
    folder = Folder(options["out"].resolve()) if options["out"] else None
    run = open_evaluation(whole, options["name"] or "evaluation", folder)
    if earlier:
        anew = [one.name for one in plan.policies]
        borrow(whole, anew, earlier, Folder(runs.folder_of(run)))
    return run


def _plan(options: dict[str, Any]) -> Plan:
    return make_plan(
        _names(options["policies"]),
        _names("all" if options["suites"] is None else options["suites"]),
        episodes=_number(options, "episodes", 200),
        seed=_number(options, "seed", 0),
        variant=options["variant"] or "sampled",
        commit=code_version(),
    )


def _resumed(options: dict[str, Any]) -> Run:
    also = [f"--{name}" for name in ANEW if options[name] is not None]
    if also:
        raise BadPlan(f"A run that goes on has its plan already; leave out {', '.join(also)}.")
    return find_run(options["resume"])


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _number(
    options: dict[str, Any], name: str, default: int, least: int = 0, most: int | None = None
) -> int:
    text = options[name]
    if text is None:
        return default
    try:
        number = int(str(text)[:20])
    except ValueError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        upto = f"from {least} to {most}" if most is not None else f"of at least {least}"
        raise BadPlan(f"--{name} is a whole number {upto}, not {str(text)[:40]!r}.")
    return number


def _width(out: IO[str]) -> int | None:
    return None if out.isatty() else 150
