"""The board as files: everything as JSON, the numbers of the policies as CSV."""

import csv
import io
import sys
from collections.abc import Iterator

import msgspec

from negotiation.statistics import Interval
from training.evaluation.summary import RATES, Card
from training.leaderboard.lines import people_lines
from training.leaderboard.page import Board
from training.leaderboard.tables import Place, stored

FORMAT = "bazaarbatna-leaderboard@1"
BESIDE = ("policy", "title", "version", "kind", "suite", "n", "games", "winnable", "deals")
"""Columns of the CSV before the rates."""


def to_json(shown: Board | None) -> bytes:
    """Write ratings, cards per suite, versions and seeds; people by the names they chose."""
    people = stored("people")
    seats = people_lines(people[0] if people else None, "", most=sys.maxsize)
    content = {
        "format": FORMAT,
        "run": shown.published.run if shown else None,
        "made": shown.published.made if shown else None,
        "method": shown.published.method if shown else None,
        "ratings": [_rating(one) for one in shown.table.places] if shown and shown.table else [],
        "sellers": [_rating(one) for one in shown.table.sellers] if shown and shown.table else [],
        "policies": shown.results if shown else [],
        "people": {
            seat: [
                _rating(line.place, line.title)
                for line in (*table.lines, *table.opposite)
                if line.place
            ]
            for seat, table in seats.items()
        },
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def to_csv(shown: Board | None) -> str:
    """Write one line per policy and suite, and one for the mean over suites."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    ends = [f"{rate}_{end}" for rate in RATES for end in ("mean", "low", "high")]
    lines.writerow([*BESIDE, *ends])
    for one in shown.results if shown else ():
        for suite, card in (("mean", one.mean), *one.suites.items()):
            own = [one.policy, one.title, one.version, one.kind, suite]
            lines.writerow([*own, *_numbers(card)])
    return text.getvalue()


def _numbers(card: Card) -> Iterator[object]:
    yield from (card.n, card.games, card.winnable, card.deals)
    for rate in RATES:
        found: Interval | None = getattr(card, rate)
        yield from (found.mean, found.low, found.high) if found else ("", "", "")


def _rating(place: Place, title: str = "") -> dict[str, object]:
    player = place.player
    return {
        # A person's key is a number of this site's own and means nothing outside.
        "player": title if player.kind == "person" else player.key,
        "title": title or player.title,
        "version": player.version,
        "kind": player.kind,
        "seat": player.seat,
        "verified": player.verified,
        "games": player.games,
        "points": round(place.points, 1),
        "low": round(place.low, 1),
        "high": round(place.high, 1),
        "provisional": place.is_provisional,
        "rank": [place.ranks.best, place.ranks.worst] if place.ranks else None,
    }
