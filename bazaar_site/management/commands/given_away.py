"""``manage.py given_away``: how well hidden numbers are guessed from prices."""

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from bazaar_site.learn.given_away import RECORD, buyers, measure
from bazaarbatna.bargain.scenario import SALE
from negotiation.code_version import code_version
from negotiation.policies import Entry, UnknownPolicy, policy
from training.exploits.bounds import CONTROLS, broken_by_path
from training.exploits.reading import given_away
from training.exploits.regressors import LEAST_GAMES
from training.receipts.tables import GivenAwayTable, Told

FIRST_PRICE_GAMES = 400
GAMES = 2_000


class Command(BaseCommand):
    """Prints tables; the page "What is sealed" shows those that are kept."""

    help = "Measure what an opponent can tell from the opening ask and a buyer's bids."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--policies", help="whose first three bids, with commas; all without it, and then also "
            "what first prices tell everywhere"
        )  # fmt: skip
        parser.add_argument("--games", type=int, default=GAMES, help="of each buyer's bids")
        parser.add_argument("--write", action="store_true", help="keep it for the page")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["games"] < LEAST_GAMES:
            raise CommandError(f"--games is at least {LEAST_GAMES}.")
        names = options["policies"]
        try:
            entries = [policy(name) for name in names.split(",")] if names else buyers()
        except UnknownPolicy as wrong:
            raise CommandError(str(wrong)) from wrong
        if not names:
            self._first_prices(keep=options["write"])
        told = [self._path(entry, options["games"]) for entry in (*CONTROLS, *entries)]
        if options["write"]:
            GivenAwayTable(
                suite=SALE, seed=0, commit=code_version(), games=options["games"],
                rows=tuple(told),
            ).write(GivenAwayTable.path())  # fmt: skip

    def _first_prices(self, *, keep: bool) -> None:
        rows = measure(FIRST_PRICE_GAMES)
        self.stdout.write("| where | who | hidden | from the ask | and the first bid | R² | |")
        self.stdout.write("|---|---|---|---|---|---|---|")
        for row in rows:
            after = "" if row.after is None else f"{row.after:.1%}"
            r2 = "" if row.r2 is None else f"{row.r2:.2f}"
            self.stdout.write(
                f"| {row.place} | {row.who} | {row.hidden} | {row.before:.1%} | {after} | {r2} | "
                f"{row.verdict} |"
            )
        if keep:
            RECORD.write_bytes(msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n")

    def _path(self, entry: Entry, games: int) -> Told:
        row = Told(
            policy=entry.name,
            version=entry.version,
            title=entry.title,
            read=tuple(given_away(entry, games)),
        )
        for one in row.read:
            self.stdout.write(
                f"{row.policy:28s} R² after {one.after}: {one.r2.mean:.3f} "
                f"[{one.r2.low:.3f}, {one.r2.high:.3f}]  ({one.games} games, best read by "
                f"{one.regressor or 'nobody'}, of a seller who {one.conduct})"
            )
        for bound in broken_by_path(row):
            self.stdout.write(f"  beyond its bound: {bound}")
        return row
