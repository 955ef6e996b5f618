"""Make the puzzles that are shipped: from games between the house's players, checked twice."""

import os
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, TextIO

import msgspec
from django.core.management.base import BaseCommand

from bazaarbatna.bargain.quantities import Side
from replays.puzzles.choosing import PARTS, balanced, blind_table, chosen
from replays.puzzles.making import Fate, is_still_best, look
from replays.puzzles.puzzle import CLEAR, FILE, RETIRED, Puzzle, Theme, read, stored_in

SAY_EVERY = 50  # looks
TO_CHOOSE_FROM = 6
"""So many puzzles are looked for in place of each that is wanted: corners have to be filled."""


class Looked(msgspec.Struct, frozen=True):
    """One line of the work: what became of a position, and the puzzle where it was kept."""

    fate: Fate
    puzzle: Puzzle | None = None


class Command(BaseCommand):
    """Write a file of puzzles; the same arguments write the same file."""

    help = "Look for positions with one clearly best move and keep them as puzzles."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=int, default=320, help="how many puzzles")
        parser.add_argument("--seed", type=int, default=1, help="seed of everything random")
        parser.add_argument("--looks", type=int, default=20_000, help="most positions looked at")
        parser.add_argument("--out", default=str(FILE), help="where the puzzles are written")
        parser.add_argument("--check", action="store_true", help="measure what is shipped anew")
        parser.add_argument("--drop", action="store_true", help="with --check: drop what falls")
        parser.add_argument(
            "--keep", action="store_true", help="those shipped go last; they retire"
        )
        parser.add_argument(
            "--clear", action="store_true", help="retire those whose best moves lie too close"
        )
        parser.add_argument("--work", help="a file that keeps every look: work that goes on later")

    fates: Counter[str]
    pool: list[Puzzle]
    found: Counter[tuple[str, Side]]
    wanted: dict[Theme, int]

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            self._check(options["seed"], Path(options["out"]), drop=options["drop"])
            return
        if options["clear"]:
            self._clear(Path(options["out"]), Random(options["seed"]))
            return
        self.fates = Counter()
        self.pool = []
        self.found = Counter()
        most = TO_CHOOSE_FROM * options["count"] / 2
        self.wanted = {theme: round(part * most) for theme, part in PARTS.items()}
        work = Path(options["work"] or os.devnull)
        if work.is_file():
            for line in work.read_bytes().splitlines()[: options["looks"]]:
                self._count(msgspec.json.decode(line, type=Looked))
        with work.open("a", encoding="utf-8") as log:
            self._look(options["seed"], options["looks"], log)
        path = Path(options["out"])
        known = stored_in(path) if options["keep"] else ()
        found = chosen(self.pool, options["count"], Random(options["seed"]), known)
        _retire(known, found)
        _write(found, path)
        self._report(found)

    def _clear(self, path: Path, rng: Random) -> None:
        """Retire puzzles with a second move too close to tell, then walks too many; count them."""
        before = stored_in(path)
        clear = [one for one in before if one.is_clear]
        after = balanced(clear, rng)
        _retire(before, after)
        _write(after, path)
        self.stdout.write(
            f"{len(before)} before, {len(before) - len(clear)} with a move closer to the best than "
            f"{CLEAR} of the spread of their continuations, {len(clear) - len(after)} walks too "
            f"many, {len(after)} after."
        )
        self.stdout.write(blind_table(after))

    def _check(self, seed: int, path: Path, *, drop: bool) -> None:
        """Measure every puzzle of a file on luck of its own; name those whose answer falls."""
        some = read(path.read_text(encoding="utf-8").splitlines())
        fallen = [one.id for one in some if not is_still_best(one, f"check:{seed}:{one.id}")]
        for name in fallen:
            self.stdout.write(f"fell: {name}")
        self.stdout.write(f"{len(some) - len(fallen)} of {len(some)} answers stand.")
        kept = [one for one in some if one.id not in fallen]
        if drop:
            _write(kept, path)
        self.stdout.write(blind_table(kept if drop else some))

    def _look(self, seed: int, most: int, log: TextIO) -> None:
        while self.fates.total() < most and not self._is_full():
            fate, one = look(f"{seed}:{self.fates.total()}", self._has_enough)
            done = Looked(fate, one)
            self._count(done)
            log.write(msgspec.json.encode(done).decode() + "\n")
            log.flush()
            if self.fates.total() % SAY_EVERY == 0:
                self.stderr.write(f"{self.fates.total()} looks: {len(self.pool)} puzzles")

    def _count(self, done: Looked) -> None:
        self.fates[done.fate] += 1
        if done.puzzle is not None:
            self.pool.append(done.puzzle)
            self.found[done.puzzle.theme, done.puzzle.seat] += 1

    def _has_enough(self, theme: Theme, seat: Side) -> bool:
        return self.found[theme, seat] >= self.wanted[theme]

    def _is_full(self) -> bool:
        seats: tuple[Side, ...] = ("seller", "buyer")
        return all(self._has_enough(theme, seat) for theme in PARTS for seat in seats)

    def _report(self, some: list[Puzzle]) -> None:
        self.stdout.write(f"{self.fates.total()} positions looked at.")
        for fate, count in self.fates.most_common():
            self.stdout.write(f"  {fate}: {count}")
        self.stdout.write(f"{len(some)} puzzles of {len(self.pool)} kept.")
        self.stdout.write(blind_table(some))


def _retire(known: Sequence[Puzzle], here: Sequence[Puzzle]) -> None:
    ids = {one.id for one in here}
    if gone := [one for one in known if one.id not in ids]:
        _write([*stored_in(RETIRED), *gone], RETIRED)


def _write(some: Sequence[Puzzle], path: Path) -> None:
    lines = [msgspec.json.encode(one).decode() + "\n" for one in some]
    path.write_text("".join(lines), encoding="utf-8")
