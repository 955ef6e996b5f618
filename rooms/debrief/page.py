"""Everything a debrief shows of a room's finished games, in the order of its slides."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from bazaarbatna.bargain.theory import finite_share
from bazaarbatna.money import rupees_text
from negotiation.sentences import sentences
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
from rooms.debrief.games import Chair, FinishedGame, Move, called, currency_of, names_of, played_in
from rooms.debrief.part_charts import Row, bid_chart, course_chart, rows_of, share_rows
from rooms.debrief.plot import percent
from rooms.debrief.questions import questions_of
from rooms.debrief.zone_charts import lost_chart, rupee_chart, share_chart
from rooms.models import Room

say = sentences(__file__)


def liner(*, named: bool) -> Callable[[FinishedGame], str]:
    """Return what says a game in one line, with names where the room is by name."""

    def line(game: FinishedGame) -> str:
        head = say("game_number_title", number=game.number, title=game.title)
        names = names_of(game, named=named)
        who = say("seller_and_buyer", **names)
        return f"{head} · {who} · {ending(game)}"

    return line


def ending(game: FinishedGame) -> str:
    """Say how a game ended."""
    if game.price is not None:
        told = {"price": rupees_text(game.price, game.currency), "share": percent(game.place)}
        return say("deal_at_price_the_seller_kept", **told)
    if game.is_broken_off:
        return say("broken_off")
    if not game.has_zone:
        return say("no_deal_and_no_price_suited")
    zone = {"zone": rupees_text(game.zone, game.currency)}
    return say("no_deal_zone_left_on_the", **zone)


MOST = 6
LENGTHS = range(12, 221)
"""Characters of a line that can be read from a wall."""


class Quote(msgspec.Struct, frozen=True):
    """A line; ``moved`` rupees came the other side closer right after it, not because of it."""

    game: FinishedGame
    chair: Chair
    text: str
    seq: int
    moved: float


def quotes_of(games: Sequence[FinishedGame]) -> list[Quote]:
    """Choose at most one line of each person who agreed to it, by the step that followed."""
    best: dict[int, Quote] = {}
    for game in games:
        for quote in _quotable(game):
            number = quote.chair.member
            assert number is not None
            known = best.get(number)
            if known is None or _worth(quote) > _worth(known):
                best[number] = quote
    return sorted(best.values(), key=lambda quote: (-_worth(quote), quote.game.number))[:MOST]


def _worth(quote: Quote) -> float:
    return quote.moved / quote.game.anchor


def _quotable(game: FinishedGame) -> list[Quote]:
    found = []
    for place, move in enumerate(game.moves):
        chair = game.chair(move.side)
        if chair.member is None or not chair.may_quote or not chair.is_person:
            continue
        text = " ".join(move.text.split())
        if len(text) in LENGTHS:
            found.append(Quote(game, chair, text, move.seq, _moved_after(game, place, move)))
    return found


def _moved_after(game: FinishedGame, place: int, move: Move) -> float:
    """Return the other side's step in its next move, 0 where it gave none."""
    sign = -1 if move.side == "buyer" else 1
    before = [
        one.price
        for one in game.moves[:place]
        if one.side != move.side and one.kind == "offer" and one.price is not None
    ]
    start = before[-1] if before else (game.anchor if move.side == "buyer" else None)
    after = next((one for one in game.moves[place + 1 :] if one.side != move.side), None)
    if start is None or after is None or after.price is None:
        return 0.0
    return max(sign * (after.price - start), 0.0)


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
