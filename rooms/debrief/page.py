"""Everything a debrief shows of a room's finished games, in the order of its slides."""

from collections.abc import Sequence
from typing import Any

import msgspec

from bazaarbatna.bargain.theory import finite_share
from rooms.debrief.bid_chart import bid_chart
from rooms.debrief.course_chart import course_chart
from rooms.debrief.figures import (
    Stop,
    best_walk,
    course_of,
    first_bids,
    fit_of,
    missed_in,
    shares_by_role,
    totals_of,
)
from rooms.debrief.games import FinishedGame, called, currency_of, names_of, played_in
from rooms.debrief.lost_chart import lost_chart
from rooms.debrief.questions import questions_of
from rooms.debrief.quotes import quotes_of
from rooms.debrief.share_chart import Row, rows_of, share_rows
from rooms.debrief.wording import ending, liner
from rooms.debrief.zone_charts import rupee_chart, share_chart
from rooms.models import Room

FEWEST_BIDS = 3
"""Deals from which on first bids are drawn."""


class Line(msgspec.Struct, frozen=True):
    """A game as a row of a table."""

    game: FinishedGame
    seller: str
    buyer: str
    ending: str

    @property
    def share(self) -> float | None:
        """The seller's part of the zone; None without a deal."""
        return self.game.place if self.game.is_deal else None


class QuoteRow(msgspec.Struct, frozen=True):
    """A quote as the page shows it."""

    text: str
    who: str
    moved: float
    side: str
    game: FinishedGame
    seq: int


class Step(msgspec.Struct, frozen=True):
    """A round of both paths as a row of a table."""

    round: int
    ask: Stop | None
    bid: Stop | None


def debrief_of(room: Room) -> dict[str, Any]:
    """Return what the page draws; charts are None where nothing could be on them."""
    games, named = played_in(room), room.is_named
    counted = [game for game in games if not game.is_broken_off]
    currency, line = currency_of(games), liner(named=named)
    missed, points = missed_in(games), first_bids(counted)
    fit = fit_of([(x, y) for _, x, y in points])
    asks, bids = course_of(counted, "seller"), course_of(counted, "buyer")
    rows = rows_of(shares_by_role(counted))
    has_zone = any(game.has_zone for game in counted)
    return {
        "games": games,
        "currency": currency,
        "totals": totals_of(games),
        "lines": [_line(game, named=named) for game in games],
        "zones": share_chart(counted, line) if has_zone else None,
        "money": rupee_chart(counted, line, currency) if counted else None,
        "shares": share_rows(rows, line) if rows else None,
        "rows": rows,
        "tenths": tenths(rows),
        "bids": bid_chart(points, fit, line) if len(points) >= FEWEST_BIDS else None,
        "points": points,
        "fit": fit,
        "course": course_chart(asks, bids) if counted else None,
        "steps": _steps(asks, bids),
        "lost": lost_chart(missed, line, currency) if missed else None,
        "missed": missed,
        "walk": best_walk(games),
        "quotes": _said(games, named=named),
        "questions": questions_of(games),
        "patient": _patient(counted),
        "has_policies": any(not game.is_between_people for game in counted),
        "has_people": any(game.is_between_people for game in counted),
    }


def tenths(rows: Sequence[Row]) -> list[tuple[str, list[int]]]:
    """Return the table of the shares: each tenth of the zone, and the deals of each row in it."""
    counts = [row.counts for row in rows]
    return [
        (f"{place * 10}–{place * 10 + 10}\N{NO-BREAK SPACE}%", [one[place] for one in counts])
        for place in range(10)
    ]


def _line(game: FinishedGame, *, named: bool) -> Line:
    names = names_of(game, named=named)
    return Line(game, names["seller"], names["buyer"], ending(game))


def _said(games: Sequence[FinishedGame], *, named: bool) -> list[QuoteRow]:
    return [
        QuoteRow(
            quote.text,
            called(quote.chair, named=named),
            quote.moved,
            quote.chair.side,
            quote.game,
            quote.seq,
        )
        for quote in quotes_of(games)
    ]


def _steps(asks: Sequence[Stop], bids: Sequence[Stop]) -> list[Step]:
    by_ask, by_bid = ({stop.round: stop for stop in stops} for stops in (asks, bids))
    rounds = sorted(by_ask.keys() | by_bid.keys())
    return [Step(number, by_ask.get(number), by_bid.get(number)) for number in rounds]


def _patient(games: Sequence[FinishedGame]) -> float | None:
    """Return Rubinstein's share for the seller where all games had equally many rounds."""
    rounds = {game.max_rounds for game in games}
    return 1 - finite_share(rounds.pop()) if len(rounds) == 1 else None
