"""``manage.py manners``: how each buyer goes about its games, beside what it keeps."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from bazaarbatna.bargain.people.suites import PeopleSuite
from negotiation.code_version import code_version
from negotiation.policies import UnknownPolicy, policy
from training.evaluation.command import MeasuringCommand
from training.evaluation.samples import measure, shipped_of
from training.receipts.tables import MannersTable

POLICIES = (
    "sauda-network,sauda,rules:conceder,rules:halver,rules:tit-for-tat,rules:climber,"
    "rules:boulware,rules:linear,rules:waiter,rules:three,rules:conceder-30"
)


class Command(MeasuringCommand):
    """Counts how each buyer goes about the same games."""

    help = "Count how buyers go about their games: leaps, repeats, insults (docs/evaluation.md)."
    least_games, games = 50, 500

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--policies", default=POLICIES)
        super().add_arguments(parser)

    def measure(self, suite: PeopleSuite, options: dict[str, Any]) -> MannersTable:
        games, seed = options["games"], options["seed"]
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
        return MannersTable(
            suite=suite.id, seed=seed, commit=code_version(), games=games, rows=tuple(rows)
        )
