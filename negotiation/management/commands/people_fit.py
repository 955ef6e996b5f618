"""``manage.py people_fit``: the families of sellers, and the population beside people."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from bazaarbatna.bargain.people.dialogues import Dialogue, measure, play
from bazaarbatna.bargain.people.families import FAMILIES, Family, family_of
from bazaarbatna.bargain.people.fit import DIALOGUES, compare, table
from bazaarbatna.bargain.people.held_out import ASSUMPTIONS, HELD_OUT, PATHS, VALIDATION
from bazaarbatna.bargain.people.joining import Counted, join, report
from bazaarbatna.bargain.people.moments import ON_PATHS, POPULATION, moments_table, played_talk
from bazaarbatna.bargain.people.paths import (
    FIT,
    INSULT,
    BadPaths,
    PathFamily,
    Sifted,
    Talk,
    path_family,
    sift_paths,
)
from bazaarbatna.bargain.people.suites import FIT_PATHS

GAMES = 2 * DIALOGUES
MOST_BYTES = 64 * 2**20
MOST_SHOWN = 100
"""Refused rows that are told one by one."""


class Command(BaseCommand):
    """Prints the tables of docs/people.md; takes some seconds."""

    help = "Print the families of sellers and what they have in common with people."

    def add_arguments(self, parser: ArgumentParser) -> None:
        other = parser.add_mutually_exclusive_group()
        other.add_argument(
            "--join",
            type=Path,
            metavar="FILE",
            help="dialogues.jsonl of export_training: print the figures before and after instead",
        )
        other.add_argument(
            "--paths",
            type=Path,
            metavar="FILE",
            help="dialogues with their prices (docs/people.md): print how they and sellers who "
            "follow them go on instead",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["join"]:
            lines = options["join"].read_bytes().splitlines()
            games = [msgspec.json.decode(line, type=Counted) for line in lines]
            self.stdout.write(report(join(games, compare())))
            return
        if options["paths"]:
            self._play_paths(options["paths"])
            return
        self.stdout.write("\n\n".join(tables()))

    def _play_paths(self, file: Path) -> None:
        found = _read(file)
        for refused in found.refused[:MOST_SHOWN]:
            self.stderr.write(refused)
        if len(found.refused) > MOST_SHOWN:
            self.stderr.write(f"... and {len(found.refused) - MOST_SHOWN:,} rows more.")
        self.stderr.write(
            f"{len(found.paths):,} of {len(found.paths) + len(found.refused):,} rows are paths."
        )
        followers = _talks(list(play(GAMES, [path_family(found.paths)])))
        others = {"dialogues of the file": found.talks, "sellers who follow them": followers}
        self.stdout.write(moments_table(people(), others))


def _read(file: Path) -> Sifted:
    if not file.is_file():
        raise CommandError(f"There is no file {file}.")
    if file.stat().st_size > MOST_BYTES:
        raise CommandError(f"{file} is larger than {MOST_BYTES >> 20} MiB; split it.")
    try:
        with file.open("rb") as lines:
            return sift_paths(lines)
    except OSError as wrong:
        raise CommandError(f"{file} cannot be read: {wrong.strerror}.") from wrong
    except BadPaths as wrong:
        raise CommandError(
            f"{wrong} A row is one JSON object a line: "
            '{"prices": [["b", 0.7], ["s", 0.9]], "agreed": 0.8}, in shares of the list price.'
        ) from wrong


def people() -> tuple[Talk, ...]:
    """Read all dialogues of people that are in the repository."""
    return (*_read(FIT).talks, *_read(VALIDATION).talks)


def tables() -> tuple[str, str, str]:
    """Write the families, what they have in common with people, and how dialogues go on."""
    followers = list(play(GAMES, [family_of(FIT_PATHS)]))
    others = {POPULATION: _talks(list(play(GAMES))), ON_PATHS: _talks(followers)}
    fit = table(compare(), measure(followers))
    return families_table(), fit, moments_table(people(), others)


def _talks(dialogues: Sequence[Dialogue]) -> list[Talk]:
    return [played_talk(one) for one in dialogues]


def families_table() -> str:
    """Write every family as a row of a table in Markdown."""
    shown = ("floor", "gap", "mirror", "moves", "greed", "patience", "leave", "insult")
    head = "| family | what it does | met in | weight | " + " | ".join(shown) + " | fitted to |"
    lines = [head, "|---|---|---|---:|" + "---|" * (len(shown) + 1)]
    for family, where in (
        *((family, "training") for family in (*FAMILIES, family_of(FIT_PATHS))),
        *((family, "**held out**") for family in (*HELD_OUT, PATHS, *ASSUMPTIONS)),
    ):
        ranges = (_range(family, name) for name in shown)
        lines.append(
            f"| `{family.name}` | {family.title} | {where} | {family.weight:g} | "
            f"{' | '.join(ranges)} | {family.figure} |"
        )
    return "\n".join(lines)


def _range(family: Family, name: str) -> str:
    if isinstance(family, PathFamily):
        return _range_on_paths(family, name)
    if not family.ranges:
        return "of others"
    if name not in family.ranges:
        return "as usual"
    return _span(family.ranges[name])


def _range_on_paths(family: PathFamily, name: str) -> str:
    if name == "floor":
        return f"{_span(family.kept)} of the deal"
    if name == "patience":
        return _span(family.repeats)
    if name == "insult" and family.touchy:
        return f"{_span(INSULT)} in {100 * family.touchy:.0f} %"
    return {"leave": "always", "insult": "none", "greed": "none"}.get(name, "as named")


def _span(ends: tuple[float, float]) -> str:
    low, high = ends
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
