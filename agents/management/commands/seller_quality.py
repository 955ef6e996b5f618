"""``manage.py seller_quality``: the six criteria of a good seller, or what scripted buyers take."""

import asyncio
import json
from pathlib import Path
from typing import IO, Any, cast

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from agents import asking
from agents.sellers.persona import PERSONAS
from agents.sellers.quality import scripted
from agents.sellers.quality.report import (
    Plan,
    as_numbers,
    criteria_table,
    guesses_table,
    make_report,
    verdict_line,
)

FEWEST = 2


class Command(BaseCommand):
    """Plays sellers against a mix of rule buyers over listings of the catalogue."""

    help = "Play the sellers and print the six criteria of their quality (docs/seller.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--episodes", type=int, default=50, help="games of each persona")
        parser.add_argument(
            "--persona", action="append", choices=tuple(PERSONAS), help="all of them by default"
        )
        parser.add_argument("--backend", choices=("rules", "router"), default="rules")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--low-buyers", action="store_true", help="buyers open low and climb slowly"
        )
        parser.add_argument(
            "--scripts",
            action="store_true",
            help="scripted buyers instead: the share of the zone that each takes from every seller",
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["episodes"] < FEWEST:
            raise CommandError(f"Give at least {FEWEST} episodes: one game is left out at a time.")
        if options["backend"] == "router" and not asking.awake():
            raise CommandError(
                "No model is configured: set SAUDA_HF_URL, SAUDA_OLLAMA_MODEL or SAUDA_LOCAL_MODEL."
            )
        if options["scripts"]:
            self._scripts(options)
            return
        plan = Plan(
            episodes=options["episodes"],
            personas=tuple(options["persona"] or PERSONAS),
            backend=options["backend"],
            seed=options["seed"],
            cautious=options["low_buyers"],
        )
        report = asyncio.run(make_report(plan))
        console = Console(file=cast("IO[str]", self.stdout), highlight=False)
        console.print(criteria_table(report))
        console.print(guesses_table(report))
        console.print(verdict_line(report.verdict))
        if report.readable is not None:
            console.print(f"Turns that a model answered readably: {report.readable:.3f}.")
        if options["json"] is not None:
            _write(options["json"], as_numbers(report))

    def _scripts(self, options: dict[str, Any]) -> None:
        chosen = [f"seller:{name}" for name in options["persona"] or ()]
        taken = scripted.measure(
            chosen or scripted.sellers_on_site(), options["episodes"], options["seed"]
        )
        console = Console(file=cast("IO[str]", self.stdout), highlight=False, width=200)
        for table in scripted.scripts_tables(taken, options["episodes"], options["seed"]):
            console.print(table)
        if options["json"] is not None:
            _write(options["json"], msgspec.to_builtins(taken))


def _write(path: Path, numbers: object) -> None:
    path.write_text(f"{json.dumps(numbers, indent=2)}\n", encoding="utf-8")
