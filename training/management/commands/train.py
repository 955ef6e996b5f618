"""``manage.py train``: one stage of training, or the whole chain, on this machine."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError

from training.evaluation import EvaluationError
from training.evaluation.command import INTERRUPTED, MOST_SPREAD, NICENESS, number
from training.hub.allowed import HubError
from training.jobs.chains import CHAIN, MARKET_CHAIN, climb, spec_of
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import Busy, Stopped, end_with_parent
from training.stages.config import SIZES, STAGES, BadConfig
from training.stages.running import (
    LATER,
    before,
    rest_of,
    run_stage,
)

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
            if bargains:
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
