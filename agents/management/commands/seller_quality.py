"""``manage.py seller_quality``: the six criteria of a good seller, measured over played games."""

import asyncio
import json
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from agents import asking
from agents.sellers.persona import PERSONAS
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
        """Take what is played and where the numbers go."""
        parser.add_argument("--episodes", type=int, default=50, help="games of each persona")
        parser.add_argument(
            "--persona", action="append", choices=tuple(PERSONAS), help="all of them by default"
        )
        parser.add_argument("--backend", choices=("rules", "router"), default="rules")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--low-buyers", action="store_true", help="buyers open low and climb slowly"
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, print, and write."""
        if options["episodes"] < FEWEST:
            raise CommandError(f"Give at least {FEWEST} episodes: one game is left out at a time.")
        if options["backend"] == "router" and not asking.awake():
            raise CommandError(
                "No model is configured: set SAUDA_HF_URL, SAUDA_OLLAMA_MODEL or SAUDA_LOCAL_MODEL."
            )
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
            text = json.dumps(as_numbers(report), indent=2)
            options["json"].write_text(f"{text}\n", encoding="utf-8")
