"""``manage.py network_uses``: what the network makes of horizon, deadline and tells."""

from typing import Any

from agents.buyers.network_buyer import network_in, shipped_network
from bazaarbatna.bargain.people.suites import PeopleSuite
from bazaarbatna.intervals import Interval
from negotiation.code_version import code_version
from training.evaluation.command import MeasuringCommand
from training.receipts.tables import Horizon, UsesTable
from training.stages.league.uses import horizons


class Command(MeasuringCommand):
    """Plays with and without what the buyer may know."""

    help = "Measure by horizon what the shipped network keeps, and what it uses (docs/league.md)."
    least_games, games, of_what = 100, 8_000, "of each horizon"

    def measure(self, suite: PeopleSuite, options: dict[str, Any]) -> UsesTable:
        games, seed = options["games"], options["seed"]
        network, card = network_in(shipped_network())
        self.stdout.write(
            "rounds  network  halver  line   over line  tells: on - off  deadline: told - untold"
        )
        rows = []
        for row in horizons(network, suite.families, games, seed):
            rows.append(row)
            self.stdout.write(_line(row))
        return UsesTable(
            suite=suite.id, seed=seed, commit=code_version(), games=games,
            network=card.digest, rows=tuple(rows),
        )  # fmt: skip


def _line(row: Horizon) -> str:
    def gap(one: Interval | None) -> str:
        return "" if one is None else f"{one.mean:+.3f} [{one.low:+.3f}, {one.high:+.3f}]"

    shares = "  ".join(f"{one.mean:.3f}" for one in (row.network, row.halver, row.line))
    return f"{row.rounds:>6}  {shares}  " + "  ".join(
        map(gap, (row.over_line, row.tells, row.deadline))
    )
