"""What the commands that evaluate share: workers, publishing, and how they end."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any, Protocol, cast

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from bazaarbatna.bargain.people.suites import PeopleSuite, people_suite, people_suite_ids
from training.evaluation import BadPlan, EvaluationError
from training.evaluation.domain import domain_of_plan
from training.evaluation.folder import SAMPLES, Folder
from training.evaluation.plan import Plan
from training.evaluation.published import publish
from training.evaluation.running import evaluate, open_evaluation
from training.evaluation.samples import samples_of, write_samples
from training.evaluation.workers import usual_workers
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import end_with_parent

MOST_WORKERS = 64
MOST_SPREAD = 1024
NICENESS = 10  # A run in the background leaves the processor to visitors
INTERRUPTED = 130  # Exit status, as shells give it for Ctrl-C


class PlayingCommand(BaseCommand):
    """Opens a run, plays it and prints its tables; killed at any point, the run can go on.

    With ``has_suites`` one may say which suites are played; with ``samples`` games are kept with
    their words, for people to read: all, or those of buyers of that kind.
    """

    has_suites = False
    samples: str | None = None

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read what every such command takes."""
        if self.has_suites:
            parser.add_argument("--suites", help="names or ids with commas; all without it")
            parser.add_argument("--variant", help="sampled or fixed (sampled)")
        if self.samples is not None:
            parser.add_argument("--samples", help="games of each to keep word by word (0)")
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

    def opened(
        self, plan: Plan, options: dict[str, Any], name: str, kind: str | None = None
    ) -> Run:
        """Open a run of a plan, called ``name`` where nothing else is said."""
        folder = Folder(options["out"].resolve()) if options["out"] else None
        return open_evaluation(plan, options["name"] or name, folder, kind=kind)

    def finish(self, run: Run, options: dict[str, Any]) -> None:
        """Do what comes after the last bargain: keep games with their words."""
        if self.samples is not None and (wanted := number(options, "samples", 0)):
            found = samples_of(run, wanted, self.samples)
            write_samples(lifecycle.folder_of(run) / SAMPLES, found)

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, print the tables, publish if asked."""
        run: Run | None = None
        try:
            workers = number(options, "workers", usual_workers(), 1, MOST_WORKERS)
            if self.samples is not None:
                number(options, "samples", 0)  # before hours of play, not after
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


class Written(Protocol):
    """A table that can be written down."""

    def write(self, path: Path) -> None: ...  # noqa: D102  see the class


class MeasuringCommand(BaseCommand):
    """Plays games of a suite of people, with the same luck for everybody, and prints a table."""

    least_games: int
    games: int
    of_what = "of each buyer"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where, and how much."""
        parser.add_argument("--suite", default="people-held-out@1")
        parser.add_argument("--games", type=int, default=self.games, help=self.of_what)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--table", type=Path, help="also write the rows as JSON here")

    def measure(self, suite: PeopleSuite, options: dict[str, Any]) -> Written:
        """Play, print and return the rows."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        """Check what was asked, measure it, and write it down."""
        suite = people_suite(options["suite"])
        if suite is None:
            known = ", ".join(people_suite_ids())
            raise CommandError(f"There is no suite {options['suite'][:60]!r}. Known: {known}.")
        if options["games"] < self.least_games:
            raise CommandError(f"--games is at least {self.least_games}.")
        if options["seed"] < 0:
            raise CommandError("--seed is 0 or more.")
        table = self.measure(suite, options)
        if options["table"]:
            table.write(options["table"])


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
