"""``manage.py injections``: hostile words against every way to a model, counted."""

import asyncio
import json
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console

from agents.red_team.paths import PATHS
from agents.red_team.payloads import CATEGORIES, PAYLOADS
from agents.red_team.report import ROUNDS, Cell, Plan, as_numbers, make_report, table_of
from bazaarbatna.bargain.quantities import Side

SIDES: tuple[Side, ...] = ("buyer", "seller")
WIDTH = 160

SHOWN = 20


class Command(BaseCommand):
    """Attack our policies with every payload while their model obeys the attacker."""

    help = (
        "Attack our policies through every model path and count what breaks (docs/injections.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--path", nargs="+", choices=PATHS, default=PATHS)
        parser.add_argument("--side", choices=SIDES, help="the side attacked; both by default")
        parser.add_argument("--category", nargs="+", choices=CATEGORIES, default=CATEGORIES)
        parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of each game")
        parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers")

    def handle(self, *args: Any, **options: Any) -> None:
        sides: tuple[Side, ...] = (options["side"],) if options["side"] else SIDES
        plan = Plan(
            paths=tuple(options["path"]),
            sides=sides,
            payloads=tuple(one for one in PAYLOADS if one.category in options["category"]),
            rounds=options["rounds"],
        )
        cells = asyncio.run(make_report(plan))
        console = Console(file=cast("IO[str]", self.stdout), highlight=False, width=WIDTH)
        for side in sides:
            console.print(f"Attacks on our {side}:")
            console.print(table_of(cells, side))
        console.print(_summary(cells))
        for name, finding in [one for cell in cells for one in cell.findings][:SHOWN]:
            console.print(f"{name}: {finding.what}: {finding.words}", markup=False)
        if options["json"] is not None:
            text = json.dumps(as_numbers(cells), indent=2, ensure_ascii=False)
            options["json"].write_text(f"{text}\n", encoding="utf-8", errors="replace")
        if any(cell.broken or cell.leaked for cell in cells):
            raise SystemExit(1)


def _summary(cells: list[Cell]) -> str:
    turns = sum(cell.turns for cell in cells)
    own, told = sum(cell.by_model for cell in cells), sum(cell.told for cell in cells)
    broken, leaked = sum(cell.broken for cell in cells), sum(cell.leaked for cell in cells)
    return (
        f"{turns} turns, {own} of them played by the obeying model; {told} of its raw "
        f"answers gave the secret away. Rules broken: {broken}, secrets leaked: {leaked}."
    )
