"""``manage.py people_fit``: the families of sellers, and the population beside people."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from negotiation.engine.people.families import FAMILIES, Family
from negotiation.engine.people.fit import compare, table
from negotiation.engine.people.held_out import HELD_OUT
from negotiation.engine.people.joining import Counted, join, report


class Command(BaseCommand):
    """Prints the two tables of docs/people.md; takes some seconds."""

    help = "Print the families of sellers and what they have in common with people."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read whom to join to the people of the fit."""
        parser.add_argument(
            "--join",
            type=Path,
            metavar="FILE",
            help="dialogues.jsonl of export_training: print the figures before and after instead",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Play and print."""
        if options["join"]:
            lines = options["join"].read_bytes().splitlines()
            games = [msgspec.json.decode(line, type=Counted) for line in lines]
            self.stdout.write(report(join(games, compare())))
            return
        self.stdout.write(families_table())
        self.stdout.write("")
        self.stdout.write(table(compare()))


def families_table() -> str:
    """Write every family as a row of a table in Markdown."""
    shown = ("floor", "gap", "mirror", "moves", "greed", "patience", "leave", "insult")
    head = "| family | what it does | met in | weight | " + " | ".join(shown) + " | fitted to |"
    lines = [head, "|---|---|---|---:|" + "---|" * (len(shown) + 1)]
    for family, where in (
        *((family, "training") for family in FAMILIES),
        *((family, "**held out**") for family in HELD_OUT),
    ):
        ranges = (_range(family, name) for name in shown)
        lines.append(
            f"| `{family.name}` | {family.title} | {where} | {family.weight:g} | "
            f"{' | '.join(ranges)} | {family.figure} |"
        )
    return "\n".join(lines)


def _range(family: Family, name: str) -> str:
    if not family.ranges:
        return "of others"
    if name not in family.ranges:
        return "as usual"
    low, high = family.ranges[name]
    return f"{low:g} to {high:g}"
