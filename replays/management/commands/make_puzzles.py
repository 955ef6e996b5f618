"""Make the puzzles that are shipped: from games between the house's players, checked twice."""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from negotiation.engine.quantities import Side
from replays.puzzles.blind import blind_table
from replays.puzzles.making import balanced, looks
from replays.puzzles.puzzle import FILE, THEMES, Puzzle


class Command(BaseCommand):
    """Write a file of puzzles; the same arguments, as far as the looks go, write the same file."""

    help = "Look for positions with one clearly best move and keep them as puzzles."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read how many are wanted, and how long to look."""
        parser.add_argument("--count", type=int, default=240, help="how many puzzles")
        parser.add_argument("--seed", type=int, default=1, help="seed of everything random")
        parser.add_argument("--looks", type=int, default=20_000, help="most positions looked at")
        parser.add_argument("--out", default=str(FILE), help="where the puzzles are written")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look until every theme has enough; Ctrl-C ends the looking, not the writing."""
        self.fates: Counter[str] = Counter()
        self.pool: list[Puzzle] = []
        rng, wanted = Random(options["seed"]), options["count"]
        try:
            self._look(rng, wanted, options["looks"])
        except KeyboardInterrupt:
            self.stderr.write("Stopped looking.")
        chosen = balanced(self.pool, wanted, Random(options["seed"]))
        lines = [msgspec.json.encode(one).decode() + "\n" for one in chosen]
        Path(options["out"]).write_text("".join(lines), encoding="utf-8")
        self._report(chosen)

    def _look(self, rng: Random, wanted: int, most: int) -> None:
        found: Counter[tuple[str, Side]] = Counter()
        per_theme = -(-wanted // len(THEMES))

        def enough(theme: str, seat: Side) -> bool:
            both = found[theme, "seller"] + found[theme, "buyer"]
            # A theme may lean on one seat, not stand on it alone, while the other can give more.
            return both >= 2 * per_theme or found[theme, seat] >= per_theme

        for fate, one in looks(rng, enough):
            self.fates[fate] += 1
            if one is not None:
                self.pool.append(one)
                found[one.theme, one.seat] += 1
                if self.verbosity_says(len(self.pool)):
                    self.stderr.write(f"{self.fates.total()} looks, {dict(found)}")
            full = all(found[name, "seller"] + found[name, "buyer"] >= per_theme for name in THEMES)
            if full or self.fates.total() >= most:
                return

    @staticmethod
    def verbosity_says(count: int) -> bool:
        """Whether to say how far the work is: now and then."""
        return count % 20 == 0

    def _report(self, chosen: list[Puzzle]) -> None:
        self.stdout.write(f"{self.fates.total()} positions looked at.")
        for fate, count in self.fates.most_common():
            self.stdout.write(f"  {fate}: {count}")
        self.stdout.write(f"{len(chosen)} puzzles of {len(self.pool)} kept.")
        self.stdout.write(blind_table(chosen))
