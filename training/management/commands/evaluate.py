"""``manage.py evaluate``: buyers against pinned sellers on the same games, summed up."""

from argparse import ArgumentParser
from typing import Any

from training import runs
from training.code_version import code_version
from training.evaluation.command import PlayingCommand, names, number
from training.evaluation.errors import BadPlan
from training.evaluation.folder import Folder
from training.evaluation.joining import borrow, joined
from training.evaluation.plan import Plan, make_plan
from training.evaluation.rebuilding import find_run, known_run
from training.evaluation.running import open_evaluation
from training.models import Run

ANEW = ("policies", "suites", "episodes", "seed", "variant", "name", "out", "join")
"""Arguments that decide what is played; a run that goes on has them already."""


class Command(PlayingCommand):
    """Evaluate policies; killed at any point, it goes on with ``--resume``."""

    help = (
        "Let policies play the same games against pinned sellers and sum up (docs/evaluation.md)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read what is to be played, or which run goes on."""
        super().add_arguments(parser)
        parser.add_argument("--policies", help="names with commas; or: rules, all")
        parser.add_argument("--suites", help="names or ids with commas; all without it")
        parser.add_argument("--variant", help="sampled or fixed (sampled)")
        parser.add_argument("--join", metavar="RUN", help="a finished run whose buyers join")
        parser.add_argument("--resume", metavar="RUN", help="a run's id or folder")

    def open(self, options: dict[str, Any]) -> Run:
        """Find the run that goes on, or open one."""
        return _resumed(options) if options["resume"] else _opened(options)


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
        names(options["policies"]),
        names("all" if options["suites"] is None else options["suites"]),
        episodes=number(options, "episodes", 200),
        seed=number(options, "seed", 0),
        variant=options["variant"] or "sampled",
        commit=code_version(),
    )


def _resumed(options: dict[str, Any]) -> Run:
    also = [f"--{name}" for name in ANEW if options[name] is not None]
    if also:
        raise BadPlan(f"A run that goes on has its plan already; leave out {', '.join(also)}.")
    return find_run(options["resume"])
