"""``manage.py network_uses``: what the network makes of horizon, deadline and tells."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.buyers.network_buyer import network_in, shipped_network
from bazaarbatna.bargain.people.suites import people_suite, people_suite_ids
from bazaarbatna.intervals import Interval
from negotiation.code_version import code_version
from training.receipts.tables import Horizon, UsesTable
from training.stages.league.uses import horizons

LEAST_GAMES = 100


class Command(BaseCommand):
    """Plays the same games with the same luck, with and without what the buyer may know."""

    help = "Measure by horizon what the shipped network keeps, and what it uses (docs/league.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where, and how much."""
        parser.add_argument("--suite", default="people-held-out@1")
        parser.add_argument("--games", type=int, default=8_000, help="of each horizon")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--table", type=Path, help="also write the rows as JSON here")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play and print."""
        suite, games, seed = people_suite(options["suite"]), options["games"], options["seed"]
        if suite is None:
            known = ", ".join(people_suite_ids())
            raise CommandError(f"There is no suite {options['suite'][:60]!r}. Known: {known}.")
        if games < LEAST_GAMES:
            raise CommandError(f"--games is at least {LEAST_GAMES}.")
        if seed < 0:
            raise CommandError("--seed is 0 or more.")
        network, card = network_in(shipped_network())
        self.stdout.write(
            "rounds  network  halver  line   over line  tells: on - off  deadline: told - untold"
        )
        rows = []
        for row in horizons(network, suite.families, games, seed):
            rows.append(row)
            self.stdout.write(_line(row))
        if options["table"]:
            UsesTable(
                suite=suite.id, seed=seed, commit=code_version(), games=games,
                network=card.digest, rows=tuple(rows),
            ).write(options["table"])  # fmt: skip


def _line(row: Horizon) -> str:
    def gap(one: Interval | None) -> str:
        return "" if one is None else f"{one.mean:+.3f} [{one.low:+.3f}, {one.high:+.3f}]"

    shares = "  ".join(f"{one.mean:.3f}" for one in (row.network, row.halver, row.line))
    return f"{row.rounds:>6}  {shares}  " + "  ".join(
        map(gap, (row.over_line, row.tells, row.deadline))
    )
