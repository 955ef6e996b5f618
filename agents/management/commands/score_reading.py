"""``manage.py score_reading``: how well free text is read, on lines labelled by hand."""

import asyncio
import json
from collections.abc import Mapping
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from agents import asking
from agents.buyers.model_tells import TELLS_PROMPT_VERSION
from agents.scoring.labelled import (
    HALVES,
    ActsLine,
    BookingLine,
    Half,
    TellsLine,
    acts_lines,
    agreement_booking_lines,
    booking_lines,
    fresh_lines,
    natural_booking_lines,
    next_booking_lines,
    only,
    price_lines,
    tells_lines,
    unseen_booking_lines,
)
from agents.scoring.report import (
    acts_table,
    as_numbers,
    booking_numbers,
    booking_table,
    price_table,
    print_failures,
    tells_numbers,
    tells_table,
)
from agents.scoring.scores import (
    BLIND,
    Comparison,
    compare,
    read_booking,
    score_acts,
    score_bookings,
    score_prices,
    score_tells,
)


class Command(BaseCommand):
    """Scores the readers of prices and tells against labels."""

    help = "Score the readers of prices and tells on hand-labelled lines (docs/reading.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
        parser.add_argument(
            "--fresh",
            action="store_true",
            help="score the lines written later, which nobody has looked at",
        )
        parser.add_argument(
            "--show-failures", action="store_true", help="list misread lines (open half only)"
        )
        parser.add_argument("--json", action="store_true", help="numbers instead of tables")
        parser.add_argument(
            "--model",
            action="store_true",
            help="compare tables, model and both on the tells (asks the configured models)",
        )
        parser.add_argument(
            "--lines", type=int, help="with --model: only so many lines of each half"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        halves: tuple[Half, ...] = HALVES if options["half"] == "both" else (options["half"],)
        if options["show_failures"] and halves != ("open",):
            raise CommandError(
                "Failures of the held-out half stay unseen, else it no longer measures anything: "
                "use --half open."
            )
        if options["lines"] is not None and options["lines"] < 1:
            raise CommandError("--lines takes a number above zero.")
        console = Console(file=cast("IO[str]", self.stdout), highlight=False)
        if options["fresh"]:
            console.print(booking_table([("fresh", score_bookings(fresh_lines(BookingLine)))]))
            console.print(tells_table("Tells, fresh lines", score_tells(fresh_lines(TellsLine))))
            console.print(acts_table("Acts, fresh lines", score_acts(fresh_lines(ActsLine))))
        elif options["model"]:
            self._with_model(console, halves, options["lines"], as_json=options["json"])
        else:
            self._alone(console, halves, options)

    def _alone(
        self, console: Console, halves: tuple[Half, ...], options: Mapping[str, Any]
    ) -> None:
        prices = {half: score_prices(only(price_lines(), half)) for half in halves}
        tells = {half: score_tells(only(tells_lines(), half)) for half in halves}
        acts = {half: score_acts(only(acts_lines(), half)) for half in halves}
        bookings = {half: score_bookings(only(booking_lines(), half)) for half in halves}
        following = {half: score_bookings(only(next_booking_lines(), half)) for half in halves}
        whole = {
            "unseen": unseen_booking_lines(),
            "natural": natural_booking_lines(),
            "agreement": agreement_booking_lines(),
        }
        held_out = {
            name: score_bookings(lines) for name, lines in whole.items() if "held-out" in halves
        }
        parts = (booking_lines(), next_booking_lines())
        asked = [line for part in parts for line in only(part, "held-out")]
        asked += (line for lines in whole.values() for line in lines)
        readers = {"all": read_booking, **BLIND} if held_out else {}
        beside = {name: score_bookings(asked, reader) for name, reader in readers.items()}
        if options["json"]:
            numbers = {
                half: as_numbers(prices[half], tells[half], acts[half])
                | {"bookings": booking_numbers(bookings[half])}
                | {"next_bookings": booking_numbers(following[half])}
                | {
                    f"{name}_bookings": booking_numbers(score)
                    for name, score in {**held_out, **beside}.items()
                    if half == "held-out"
                }
                for half in halves
            }
            self.stdout.write(json.dumps(numbers, indent=2))
            return
        console.print(price_table(prices))
        rows = [*bookings.items(), *((f"next, {half}", score) for half, score in following.items())]
        rows += ((f"{name}, held-out", score) for name, score in held_out.items())
        rows += ((f"{name}, held-out", score) for name, score in beside.items())
        console.print(booking_table(rows))
        for half in halves:
            console.print(tells_table(f"Tells, {half} half", tells[half]))
            console.print(acts_table(f"Acts, {half} half", acts[half]))
        if options["show_failures"]:
            print_failures(console, prices["open"], bookings["open"], tells["open"], acts["open"])

    def _with_model(
        self, console: Console, halves: tuple[Half, ...], most: int | None, *, as_json: bool
    ) -> None:
        if not asking.awake():
            raise CommandError(
                "No model is configured: set SAUDA_HF_URL, SAUDA_OLLAMA_MODEL or SAUDA_LOCAL_MODEL."
            )
        found = asyncio.run(_compare(halves, most))
        if as_json:
            self.stdout.write(json.dumps({h: _numbers(c) for h, c in found.items()}, indent=2))
            return
        for half, one in found.items():
            for name, score in _readers(one):
                console.print(tells_table(f"{half} half, {name}", score))
            console.print(
                f"{one.unanswered} of {one.patterns.lines} lines got no answer "
                f"(prompt {TELLS_PROMPT_VERSION})."
            )


async def _compare(halves: tuple[Half, ...], most: int | None) -> dict[Half, Comparison]:
    try:
        return {
            half: await compare(only(tells_lines(), half)[:most], asking.ask_text)
            for half in halves
        }
    finally:
        await asking.router().close()


def _readers(one: Comparison) -> tuple[tuple[str, Any], ...]:
    return (("tables", one.patterns), ("model", one.model), ("both", one.merged))


def _numbers(one: Comparison) -> dict[str, Any]:
    numbers = {name: tells_numbers(score) for name, score in _readers(one)}
    return {**numbers, "unanswered": one.unanswered, "prompt": TELLS_PROMPT_VERSION}
