"""``manage.py ceilings``: how good a buyer could be, and how good the simplest lines are."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from bazaarbatna.bargain.people.suites import people_suite
from bazaarbatna.intervals import Interval
from bazaarbatna.players.simple import CONCEDERS
from negotiation.code_version import code_version
from training.disk import write_json
from training.evaluation import BadPlan
from training.evaluation.ceilings import players
from training.evaluation.ceilings.players import BEST_LINE, BOUNDS, is_known_in
from training.evaluation.command import PlayingCommand, names, number
from training.evaluation.folder import SUMMARY
from training.evaluation.measures import NOT_KNOWN, Measure, measures
from training.evaluation.plan import make_plan, suites_of
from training.evaluation.published import CEILINGS, PEOPLE
from training.evaluation.summary import Summary
from training.models import Run
from training.runs.lifecycle import folder_of

LINES = (
    "rules:waiter",
    BEST_LINE,
    "rules:climber",
    "rules:halver",
    "rules:conceder",
    *CONCEDERS,
    "rules:tit-for-tat",
    "rules:zeuthen",
    "rules:boulware",
    "sauda",
)
"""Who is played beside the bounds."""

WIDTH = 150


class Command(PlayingCommand):
    """Plays bounds and lines on the games of an evaluation; ``evaluate --resume`` goes on."""

    help = "Measure how good a buyer could be in each suite (docs/evaluation.md)."
    has_suites, samples = True, "model"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--policies", default="", help="buyers to play beside them")
        parser.add_argument("--table", type=Path, help="also write the table's rows as JSON here")

    def open(self, options: dict[str, Any]) -> Run:
        """Open the run; a bound that is not known in one of the suites is left out of all."""
        variant = options["variant"] or "sampled"
        suites = suites_of(names(options["suites"] or "all"), variant)
        bounds = [name for name in BOUNDS if all(is_known_in(name, suite) for suite in suites)]
        plan = make_plan(
            [*bounds, *LINES, *(one for one in names(options["policies"]) if one not in LINES)],
            suites,
            episodes=number(options, "episodes", 200),
            seed=number(options, "seed", 0),
            variant=variant,
            commit=code_version(),
        )
        if plan.seed + max(one.games for one in plan.suites) > players.FIRST_SEED:
            raise BadPlan(f"--seed is so that all games are before {players.FIRST_SEED}: lines are "
                          "chosen on the games from there on.")  # fmt: skip
        is_of_people = all(people_suite(suite) is not None for suite in suites)
        kind = PEOPLE if is_of_people else CEILINGS
        return self.opened(plan, options, kind, kind)

    def finish(self, run: Run, options: dict[str, Any]) -> None:
        """Print what the bounds say of the rest."""
        summary = msgspec.json.decode((folder_of(run) / SUMMARY).read_bytes(), type=Summary)
        suites = [one.id for one in summary.config.suites]
        found = list(measures(summary.policies, suites))
        console = Console(file=self.stdout, highlight=False, width=WIDTH)  # type: ignore[arg-type]
        for suite in suites:
            console.print(_table(suite, [one for one in found if one.suite == suite]))
        super().finish(run, options)
        if options["table"]:
            write_json(options["table"], found)


def _table(suite: str, rows: list[Measure]) -> Table:
    first, last = players.chosen(suite)
    mark = "; a test of patience" if rows[0].patience else ""
    table = Table(title=f"{suite}{mark}; best line from {first:g} to {last:g} of the opening ask")
    for heading in ("player", "share of winnable", "of best response", "deals", "grade", "solved"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for one in rows:
        best = NOT_KNOWN if one.of_best is None else f"{one.of_best:.3f}"
        spread = one.share and f"{one.share.mean:.3f} [{one.share.low:.3f}, {one.share.high:.3f}]"
        rest = map(_mean, (one.deal_rate, one.grade, one.solved_rate))
        table.add_row(one.title, spread or NOT_KNOWN, best, *rest)
    return table


def _mean(interval: Interval | None) -> str:
    return NOT_KNOWN if interval is None else f"{interval.mean:.3f}"
