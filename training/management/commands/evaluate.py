"""``manage.py evaluate``: policies on the same games against pinned opponents, summed up."""

from argparse import ArgumentParser
from typing import Any

from negotiation.code_version import code_version
from training.evaluation import BadPlan
from training.evaluation.command import PlayingCommand, names, number
from training.evaluation.domain import Domain, domain_of_words
from training.evaluation.folder import Folder
from training.evaluation.plan import Plan
from training.evaluation.published import MARKET, find_run, known_run
from training.evaluation.running import borrow, joined
from training.models import Run
from training.runs import lifecycle

ANEW = ("policies", "suites", "episodes", "seed", "variant", "reward", "name", "out", "join")
"""Arguments that decide what is played; a run that goes on has them already."""


class Command(PlayingCommand):
    """Evaluate policies; killed at any point, it goes on with ``--resume``."""

    help = (
        "Let policies play the same games against pinned opponents and sum up (docs/evaluation.md)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--policies", help="names with commas; or: rules, all, market-rules")
        parser.add_argument(
            "--suites", help="names or ids with commas; all of the bazaar without it; market"
        )
        parser.add_argument("--variant", help="sampled or fixed (sampled)")
        parser.add_argument("--reward", help="of the market: default or published (default)")
        parser.add_argument("--join", metavar="RUN", help="a finished run whose buyers join")
        parser.add_argument("--resume", metavar="RUN", help="a run's id or folder")

    def open(self, options: dict[str, Any]) -> Run:
        return _resumed(options) if options["resume"] else self._open_new(options)

    def _open_new(self, options: dict[str, Any]) -> Run:
        if not options["policies"]:
            raise BadPlan("Name the policies, for example --policies sauda,rules:smart; or rules.")
        plan = _plan(options)
        if not options["join"]:
            return self.opened(plan, options, "evaluation")
        earlier = known_run(options["join"])
        whole = joined(plan, earlier)
        run = self.opened(whole, options, "evaluation")
        anew = [one.name for one in plan.policies]
        borrow(whole, anew, earlier, Folder(lifecycle.folder_of(run)))
        return run


def _plan(options: dict[str, Any]) -> Plan:
    suites = names("all" if options["suites"] is None else options["suites"])
    domains = domain_of_words(suites) or domain_of_words(["all"])
    if len(domains) > 1:
        played = " and ".join(domain.unit for domain in domains)
        raise BadPlan(f"One table never mixes {played}; evaluate them in two runs.")
    [domain] = domains
    return domain.make_plan(
        names(options["policies"]),
        suites,
        episodes=number(options, "episodes", 200),
        seed=number(options, "seed", 0),
        variant=_variant(options, domain),
        commit=code_version(domain.rooms),
    )


def _variant(options: dict[str, Any], domain: Domain) -> str | None:
    ours, others = ("reward", "variant") if domain.kind == MARKET else ("variant", "reward")
    if options[others] is not None:
        raise BadPlan(f"--{others} says nothing of {domain.unit}; leave it out, or say --{ours}.")
    chosen: str | None = options[ours]
    return chosen


def _resumed(options: dict[str, Any]) -> Run:
    also = [f"--{name}" for name in ANEW if options[name] is not None]
    if also:
        raise BadPlan(f"A run that goes on has its plan already; leave out {', '.join(also)}.")
    return find_run(options["resume"])
