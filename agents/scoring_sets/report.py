"""Scores as tables for people and as numbers for programs."""

from typing import Any

from rich.console import Console
from rich.table import Table

from agents.scoring_sets.labelled import Half
from agents.scoring_sets.prices import PriceScore
from agents.scoring_sets.tells import TellsScore

PRICE_BAR = 0.95
"""Least share of held-out lines whose kind and price are read exactly."""

TELLS_BAR = 0.80
"""Least macro-F1 on held-out lines."""


def as_numbers(prices: PriceScore, tells: TellsScore) -> dict[str, Any]:
    """Give the scores of a half as JSON values."""
    return {
        "prices": {
            "lines": prices.lines,
            "exact": round(prices.accuracy, 4),
            "price": round(prices.price_accuracy, 4),
            "asked_back": prices.asked_back,
            "mistaken": prices.mistaken,
            "sold": prices.sold,
        },
        "tells": tells_numbers(tells),
    }


def tells_numbers(tells: TellsScore) -> dict[str, Any]:
    """Give the scores of a reader of tells as JSON values."""
    return {
        "lines": tells.lines,
        "macro_f1": round(tells.macro_f1, 4),
        "negations": tells.negations,
        "negations_fired": tells.negations_fired,
        "signals": {
            signal: {
                "precision": round(score.precision, 4),
                "recall": round(score.recall, 4),
                "f1": round(score.f1, 4),
            }
            for signal, score in tells.signals.items()
        },
    }


def price_table(scores: dict[Half, PriceScore]) -> Table:
    """Draw the price scores, a row for each half."""
    table = Table(title="Prices", title_justify="left")
    table.add_column("half")
    for name in ("lines", "kind and price", "price", "asked back", "mistaken", "sold by mistake"):
        table.add_column(name, justify="right")
    for half, score in scores.items():
        counts = (score.asked_back, score.mistaken, score.sold)
        shares = (f"{score.accuracy:.3f}", f"{score.price_accuracy:.3f}")
        table.add_row(half, str(score.lines), *shares, *map(str, counts))
    return table


def tells_table(title: str, score: TellsScore) -> Table:
    """Draw the scores of a reader of tells, a row for each signal."""
    fired = f"{score.negations_fired} of {score.negations} negations fired"
    table = Table(
        title=f"{title}: {score.lines} lines, macro-F1 {score.macro_f1:.3f}, {fired}",
        title_justify="left",
    )
    table.add_column("signal")
    for name in ("precision", "recall", "F1", "right", "wrong", "overlooked"):
        table.add_column(name, justify="right")
    for signal, one in score.signals.items():
        shares = (f"{share:.2f}" for share in (one.precision, one.recall, one.f1))
        table.add_row(signal, *shares, str(one.hits), str(one.false), str(one.missed))
    return table


def print_failures(console: Console, prices: PriceScore, tells: TellsScore) -> None:
    """List the lines that were misread (of the open half alone)."""
    for price in prices.misses:
        wanted = f"{price.line.kind} {price.line.price or ''}".strip()
        got = f"{price.read.kind} {price.read.price / 100 if price.read.price else ''}".strip()
        standing = f"ask {price.line.ask}, bid {price.line.bid}"
        console.print(
            f"price  {price.line.text!r} ({standing}): {wanted} read as {got}", markup=False
        )
    for tell in tells.misses:
        wanted = ", ".join(sorted(tell.line.signals)) or "nothing"
        got = ", ".join(sorted(tell.noticed)) or "nothing"
        console.print(f"tells  {tell.line.text!r}: {wanted} read as {got}", markup=False)
