"""Scores as tables for people and as numbers for programs."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.scoring.labelled import Half
from agents.scoring.scores import (
    ActsScore,
    BookingScore,
    PriceScore,
    SignalScore,
    TellsScore,
)


def as_numbers(prices: PriceScore, tells: TellsScore, acts: ActsScore) -> dict[str, Any]:
    """Return the scores of a half as JSON values."""
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
        "acts": _acts_numbers(acts),
    }


def tells_numbers(tells: TellsScore) -> dict[str, Any]:
    """Return the scores of a reader of tells as JSON values."""
    return {
        "lines": tells.lines,
        "macro_f1": round(tells.macro_f1, 4),
        "negations": tells.negations,
        "negations_fired": tells.negations_fired,
        "signals": {signal: _shares(score) for signal, score in tells.signals.items()},
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


def booking_table(scores: Iterable[tuple[str, BookingScore]]) -> Table:
    """Draw what would be booked, a row for each half or set."""
    table = Table(title="Bookings", title_justify="left")
    table.add_column("half")
    names = ("lines", "wrong in silence", "at a number not said", "needless question", "confirmed")
    for name in (*names, "passed over"):
        table.add_column(name, justify="right")
    for half, score in scores:
        counts = (len(score.wrong), score.unsaid, len(score.needless), score.confirmed)
        table.add_row(half, str(score.lines), *map(str, (*counts, score.missed)))
    return table


def booking_numbers(score: BookingScore) -> dict[str, int]:
    """Return the counts of bookings as numbers."""
    return {
        "lines": score.lines,
        "wrong": len(score.wrong),
        "unsaid": score.unsaid,
        "needless": len(score.needless),
        "confirmed": score.confirmed,
        "missed": score.missed,
    }


def tells_table(title: str, score: TellsScore) -> Table:
    """Draw the scores of a reader of tells, a row for each signal."""
    fired = f"{score.negations_fired} of {score.negations} negations fired"
    title = f"{title}: {score.lines} lines, macro-F1 {score.macro_f1:.3f}, {fired}"
    return _table(title, "signal", score.signals)


def _acts_numbers(acts: ActsScore) -> dict[str, Any]:
    return {
        "lines": acts.lines,
        **_shares(acts.together),
        "spans": round(acts.span_share, 4),
        "price": round(acts.price_share, 4),
        "acts": {act: _shares(score) for act, score in acts.acts.items()},
    }


def acts_table(title: str, score: ActsScore) -> Table:
    """Draw the scores of hearing, a row for each act."""
    all_acts = score.together
    title = (
        f"{title}: {score.lines} lines, precision {all_acts.precision:.3f}, "
        f"recall {all_acts.recall:.3f}, F1 {all_acts.f1:.3f}; spans {score.span_share:.3f}, "
        f"prices {score.price_share:.3f}"
    )
    return _table(title, "act", score.acts)


def _table(title: str, kind: str, scores: Mapping[Any, SignalScore]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(kind)
    for name in ("precision", "recall", "F1", "right", "wrong", "overlooked"):
        table.add_column(name, justify="right")
    for name, one in scores.items():
        shares = (f"{share:.2f}" for share in (one.precision, one.recall, one.f1))
        table.add_row(name, *shares, str(one.hits), str(one.false), str(one.missed))
    return table


def _shares(score: SignalScore) -> dict[str, float]:
    return {
        "precision": round(score.precision, 4),
        "recall": round(score.recall, 4),
        "f1": round(score.f1, 4),
    }


def print_failures(
    console: Console,
    prices: PriceScore,
    bookings: BookingScore,
    tells: TellsScore,
    acts: ActsScore,
) -> None:
    """List the lines that were misread (of the open half alone)."""
    for name, rows in (("booked", bookings.wrong), ("asked", bookings.needless)):
        for row in rows:
            line, got = row.line, f"{row.read.kind} {(row.read.price or 0) / 100:g}"
            standing = f"{line.seat}, ask {line.ask}, bid {line.bid}"
            meant = f"{line.kind} {line.price or ''}".strip()
            console.print(
                f"{name:6} {line.text!r} ({standing}): {meant} read as {got}", markup=False
            )
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
    for act in acts.misses:
        wanted = ", ".join(sorted(act.line.names - act.heard)) or "nothing"
        got = ", ".join(sorted(act.heard - act.line.names)) or "nothing"
        console.print(f"acts   {act.line.text!r}: overlooked {wanted}, wrong {got}", markup=False)
