"""What the commands that evaluate share: workers, publishing, and how they end."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from training.evaluation import BadPlan, EvaluationError
from training.evaluation.domain import domain_of_plan
from training.evaluation.published import publish
from training.evaluation.running import evaluate
from training.evaluation.workers import usual_workers
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import end_with_parent

MOST_WORKERS = 64
MOST_SPREAD = 1024
NICENESS = 10  # A run in the background leaves the processor to visitors
INTERRUPTED = 130  # Exit status, as shells give it for Ctrl-C


class PlayingCommand(BaseCommand):
    """Opens a run, plays it and prints its tables; killed at any point, the run can go on."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read what every such command takes."""
        parser.add_argument("--episodes", help="bargains or markets per policy and suite (200)")
        parser.add_argument("--seed", help="seed of the first game (0)")
        parser.add_argument("--name", help="a-z, 0-9 and hyphens")
        parser.add_argument("--out", type=Path, help="folder of the run, instead of a new one")
        parser.add_argument("--workers", help="processes that play (all cores, at most 8)")
        parser.add_argument(
            "--spread", metavar="N", help="let N background workers play, of any machine (0)"
        )
        parser.add_argument("--background", action="store_true", help="for the worker: gently")
        parser.add_argument("--publish", action="store_true", help="show the result on the site")

    def open(self, options: dict[str, Any]) -> Run:
        """Open the run that is played, or find the one that goes on; EvaluationError."""
        raise NotImplementedError

    def finish(self, run: Run, options: dict[str, Any]) -> None:
        """Do what comes after the last bargain; nothing, unless a command says otherwise."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, print the tables, publish if asked."""
        run: Run | None = None
        try:
            workers = number(options, "workers", usual_workers(), 1, MOST_WORKERS)
            run = self.open(options)
            if options["background"]:
                os.nice(NICENESS)
                end_with_parent()
            # Line by line, also into a pipe.
            out = cast("IO[str]", self.stdout)
            spread = number(options, "spread", 0, 0, MOST_SPREAD)
            summary = evaluate(run, workers=workers, out=out, spread=spread)
            tables = domain_of_plan(summary.config).tables(summary)
            Console(file=out, highlight=False, width=_width(out)).print(*tables)
            self.finish(run, options)
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
        self.stdout.write(f"Files: {lifecycle.folder_of(run)}")


def names(text: str) -> list[str]:
    """Split names with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def number(
    options: dict[str, Any], name: str, default: int, least: int = 0, most: int | None = None
) -> int:
    """Read a whole number of the arguments; BadPlan when it is none or out of range."""
    text = options[name]
    if text is None:
        return default
    try:
        found = int(str(text)[:20])
    except ValueError:
        found = None
    if found is None or found < least or (most is not None and found > most):
        upto = f"from {least} to {most}" if most is not None else f"of at least {least}"
        raise BadPlan(f"--{name} is a whole number {upto}, not {str(text)[:40]!r}.")
    return found


def _width(out: IO[str]) -> int | None:
    return None if out.isatty() else 150
