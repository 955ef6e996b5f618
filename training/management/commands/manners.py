"""``manage.py manners``: how each buyer goes about its games, beside what it keeps."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from bazaarbatna.bargain.people.suites import people_suite, people_suite_ids
from negotiation.code_version import code_version
from negotiation.policies import UnknownPolicy, policy
from training.evaluation.manners import measure, shipped_of
from training.receipts.tables import MannersTable

POLICIES = (
    "sauda-network,sauda,rules:conceder,rules:halver,rules:tit-for-tat,rules:climber,"
    "rules:boulware,rules:linear,rules:waiter,rules:three,rules:conceder-30"
)
LEAST_GAMES = 50


class Command(BaseCommand):
    """Plays the same games with the same luck for every buyer."""

    help = "Count how buyers go about their games: leaps, repeats, insults (docs/evaluation.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read whom, where, and how much."""
        parser.add_argument("--policies", default=POLICIES)
        parser.add_argument("--suite", default="people-held-out@1")
        parser.add_argument("--games", type=int, default=500, help="of each buyer")
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
        try:
            buyers = [policy(name) for name in dict.fromkeys(options["policies"].split(","))]
        except UnknownPolicy as wrong:
            raise CommandError(str(wrong)) from wrong
        self.stdout.write(f"{'':24s} share  seller  smooth  jump  equal  rounds  insults")
        rows = []
        for buyer in buyers:
            row = measure(buyer, suite.id, range(seed, seed + games))
            rows.append(row)
            self.stdout.write(
                f"{row.policy:24s} {row.share.mean:.3f}   {row.seller_share.mean:.3f}   "
                f"{row.smooth.mean:.3f}  {row.jump:.2f}   {row.equal:.2f}    {row.rounds:.2f}"
                f"     {row.insults:.2f}"
            )
        self.stdout.write(
            f"Of equal shares (to 0.01) the liked one ships: {shipped_of(rows).policy}"
        )
        if options["table"]:
            MannersTable(
                suite=suite.id, seed=seed, commit=code_version(), games=games, rows=tuple(rows)
            ).write(options["table"])
