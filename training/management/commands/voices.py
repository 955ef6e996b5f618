"""``manage.py voices``: what every voice says to the same held-out lines, and who judged it how."""

import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from bazaarbatna.bargain.scenario import SALE
from bazaarbatna.intervals import Interval
from negotiation.code_version import code_version
from training.receipts.tables import VerdictsTable, VoicesTable
from training.voices.judging import (
    BadVerdict,
    merged,
    read_sheet,
    sheet,
    sheets_in,
    tallies,
    texts_of,
)
from training.voices.positions import ROLES, UnreadableLines, choose, positions, read_lines, spoken

JUDGE = re.compile(r"[a-z0-9-]{1,20}")


class Command(BaseCommand):
    """Makes the texts, prints blind sheets, takes verdicts in, counts them."""

    help = "Compare Sauda's voices on held-out lines (docs/voices.md); alone it prints the tally."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--lines", type=Path, nargs="+", help="held-out lines: make the texts")
        parser.add_argument("--count", type=int, default=200, help="of the lines to be drawn")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--speak", metavar="VOICE", help="let a voice answer all positions")
        parser.add_argument("--sheet", type=int, metavar="N", help="print sheet N for a judge")
        parser.add_argument("--verdicts", type=Path, nargs="+", help="filled sheets, with --judge")
        parser.add_argument("--judge", default="", help="whose they are")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["lines"]:
            return self._make(options["lines"], options["count"], options["seed"])
        table = VoicesTable.shipped()
        if table is None:
            raise CommandError("There are no texts yet; make them with --lines.")
        if options["speak"]:
            return self._speak(table, options["speak"])
        if options["sheet"] is not None:
            return self._print(table, options["sheet"])
        if options["verdicts"]:
            return self._take(table, options["verdicts"], options["judge"])
        return self._count(table)

    def _make(self, paths: list[Path], count: int, seed: int) -> None:
        try:
            lines = choose(read_lines(paths), count, seed)
        except (UnreadableLines, OSError) as wrong:
            raise CommandError(str(wrong)) from wrong
        if not lines:
            raise CommandError("None of these lines leaves anything to answer.")
        rows = tuple(positions(lines, seed))
        self._write(VoicesTable(suite=SALE, seed=seed, commit=code_version(), rows=rows))

    def _speak(self, table: VoicesTable, name: str) -> None:
        if name not in ROLES:
            raise CommandError(f"There is no voice {name[:40]!r}. Known: {', '.join(ROLES)}.")
        rows = tuple(spoken(position, [ROLES[name]]) for position in table.rows)
        self._write(msgspec.structs.replace(table, commit=code_version(), rows=rows))

    def _write(self, table: VoicesTable) -> None:
        table.write(VoicesTable.path())
        different = sum(len(texts_of(position)) > 1 for position in table.rows)
        self.stdout.write(
            f"{len(table.rows)} positions, {different} with different texts, "
            f"{sheets_in(table)} sheets."
        )

    def _print(self, table: VoicesTable, number: int) -> None:
        if not 1 <= number <= sheets_in(table):
            raise CommandError(f"Sheets go from 1 to {sheets_in(table)}.")
        for line in sheet(table, number):
            self.stdout.write(line)

    def _take(self, table: VoicesTable, paths: list[Path], judge: str) -> None:
        if not JUDGE.fullmatch(judge):
            raise CommandError("--judge is a name of small letters, digits and hyphens.")
        before = VerdictsTable.shipped()
        rows = before.rows if before else ()
        for path in paths:
            try:
                rows = merged(rows, read_sheet(table, path.read_text(encoding="utf-8-sig"), judge))
            except (BadVerdict, OSError) as wrong:
                raise CommandError(f"{path.name}: {wrong}") from wrong
        taken = VerdictsTable(suite=table.suite, seed=table.seed, commit=code_version(), rows=rows)
        taken.write(VerdictsTable.path())
        self._count(table)

    def _count(self, table: VoicesTable) -> None:
        verdicts = VerdictsTable.shipped()
        found = tallies(table, verdicts.rows if verdicts else ())
        if not found:
            self.stdout.write("Nobody has judged these texts yet.")
        for one in found:
            for voice in one.voices:
                told = "  ".join(
                    f"{name} {mean.mean:.2f}" for name, mean in voice.questions.items()
                )
                self.stdout.write(
                    f"{one.language:9} {voice.voice:6} {_span(voice.points)}  {told}"
                    f"  ({voice.positions} positions)"
                )
            for pair in one.pairs:
                words = f"{pair.voice} better than {pair.than}: {_span(pair.better)}"
                self.stdout.write(f"{one.language:9} {words}  ({pair.positions} positions)")


def _span(one: Interval) -> str:
    return f"{one.mean:.3f} [{one.low:.3f}, {one.high:.3f}]"
