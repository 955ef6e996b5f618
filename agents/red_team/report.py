"""The report: every payload on every path, counted by category."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from rich import box
from rich.table import Table

from agents.red_team.gullible import Gullible
from agents.red_team.judge import Finding
from agents.red_team.paths import PATHS, way_to
from agents.red_team.payloads import PAYLOADS, Payload
from agents.red_team.sparring import Fight, Sparring
from bazaarbatna.bargain.quantities import Side

ROUNDS = 3
GAMES: dict[Side, int] = {"buyer": 2, "seller": 1}

MEETS: dict[Side, tuple[str, ...]] = {
    "buyer": ("sauda", "sauda-network"),
    "seller": ("seller:default", "seller:firm", "seller:flexible", "seller:deceptive"),
}


class Cell(msgspec.Struct):
    """What came of one category on one path, against one of our sides."""

    path: str
    side: Side
    category: str
    payloads: int = 0
    turns: int = 0
    by_model: int = 0
    told: int = 0
    refused: int = 0
    broken: int = 0
    leaked: int = 0
    findings: list[tuple[str, Finding]] = msgspec.field(default_factory=list)

    def take(self, payload: Payload, fight: Fight) -> None:
        """Count a fight."""
        self.turns += fight.turns
        self.by_model += fight.by_model
        self.told += fight.told
        self.refused += fight.refused
        self.broken += sum(one.kind == "broken" for one in fight.findings)
        self.leaked += sum(one.kind == "leaked" for one in fight.findings)
        self.findings += [(payload.id, one) for one in fight.findings]


class Plan(msgspec.Struct, frozen=True):
    """What is fought; ``first`` is the number of the weakness that the model shows first."""

    paths: tuple[str, ...] = PATHS
    sides: tuple[Side, ...] = ("buyer", "seller")
    payloads: tuple[Payload, ...] = PAYLOADS
    rounds: int = ROUNDS
    first: int = 0
    games: dict[Side, int] = msgspec.field(default_factory=lambda: dict(GAMES))
    meets: dict[Side, tuple[str, ...]] = msgspec.field(default_factory=lambda: dict(MEETS))


async def make_report(plan: Plan) -> list[Cell]:
    """Fight everything out, one game after the other."""
    cells: dict[tuple[str, Side, str], Cell] = {}
    for path in plan.paths:
        model = Gullible(first=plan.first)
        async with way_to(path, model):
            for payload, side, name, number in _fights(plan):
                key = (path, side, payload.category)
                cell = cells.setdefault(key, Cell(*key))
                ring = Sparring(payload, name, None if path == "rules" else model, number)
                cell.take(payload, await ring.fight_out(plan.rounds))
    for cell in cells.values():
        cell.payloads = sum(one.category == cell.category for one in plan.payloads)
    return list(cells.values())


def table_of(cells: Sequence[Cell], side: Side) -> Table:
    """Draw what came of it against one of our sides, as a Markdown table for docs/injections.md."""
    mine = [cell for cell in cells if cell.side == side]
    paths = tuple(dict.fromkeys(cell.path for cell in mine))
    table = Table(box=box.MARKDOWN)
    table.add_column("category")
    table.add_column("payloads", justify="right")
    for path in paths:
        for heading in (f"{path} turns", "broken", "leaked"):
            table.add_column(heading, justify="right")
    for category in dict.fromkeys(cell.category for cell in mine):
        row = [cell for cell in mine if cell.category == category]
        counts = [str(n) for cell in row for n in (cell.turns, cell.broken, cell.leaked)]
        table.add_row(category, str(row[0].payloads), *counts)
    sums = [_sum(mine, path, field) for path in paths for field in ("turns", "broken", "leaked")]
    payloads = sum(cell.payloads for cell in mine if cell.path == paths[0]) if paths else 0
    table.add_row("all", str(payloads), *map(str, sums))
    return table


def as_numbers(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return a report as JSON values."""
    return [msgspec.to_builtins(cell) for cell in cells]


def _sum(cells: Sequence[Cell], path: str, field: str) -> int:
    return sum(getattr(cell, field) for cell in cells if cell.path == path)


def _fights(plan: Plan) -> Iterator[tuple[Payload, Side, str, int]]:
    for place, payload in enumerate(plan.payloads):
        for side in plan.sides:
            for game in range(plan.games[side]):
                for shift, name in enumerate(plan.meets[side]):
                    yield payload, side, name, place + 2 * game + shift
