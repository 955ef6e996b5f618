"""Which finished games a visitor may open, and how they are found.

A replay is public only when the seller agreed to share it; its owner always sees it. Everything
else (live, unknown, somebody else's) looks the same from outside: there is nothing.
"""

import datetime as dt
import re
from typing import Literal

import msgspec
from django.db.models import Q, QuerySet

from negotiation.models import Game

PAGE_SIZE = 24
MAX_QUERY = 100
"""Characters of a search that are looked at."""

Outcome = Literal["", "deal", "walk", "expired"]
OUTCOMES: tuple[tuple[Outcome, str], ...] = (
    ("", "Any ending"),
    ("deal", "Deal"),
    ("walk", "Somebody walked"),
    ("expired", "Rounds ran out"),
)
_SHOWN = (
    "id", "title", "category", "outcome", "deal_price", "seller_share", "buyer_share",
    "rounds_used", "ended_at", "share_replay", "status", "seat", "policy",
)  # fmt: skip
_CURSOR = re.compile(r"(\d{1,20})-([0-9a-z]{1,12})")
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class Filters(msgspec.Struct, frozen=True):
    """What a visitor is looking for; empty means everything."""

    title: str = ""
    outcome: str = ""
    mine: bool = False


class Shelf(msgspec.Struct, frozen=True):
    """One page of replays, newest first.

    ``older`` and ``newer`` are the cursors of the neighbouring pages, empty where there is none;
    ``total`` counts all pages.
    """

    games: tuple[Game, ...]
    total: int
    older: str = ""
    newer: str = ""


def visible(owner: str) -> QuerySet[Game]:
    """Select the finished games that the visitor with this session key may open."""
    allowed = Q(share_replay=True)
    if owner:
        allowed |= Q(owner=owner)
    return Game.objects.filter(allowed, status=Game.Status.ENDED)


def find(owner: str, filters: Filters) -> QuerySet[Game]:
    """Select what the visitor may open and is looking for."""
    games = visible(owner)
    if filters.mine:
        games = games.filter(owner=owner)
    if filters.outcome:
        games = games.filter(outcome=filters.outcome)
    for word in filters.title[:MAX_QUERY].split():
        games = games.filter(title__icontains=word)
    return games


def browse(owner: str, filters: Filters, *, older: str = "", newer: str = "") -> Shelf:
    """Give one page of replays.

    Args:
        owner: the visitor's session key.
        filters: what to look for.
        older: a cursor; the page that starts just below it.
        newer: a cursor; the page that ends just above it. Unreadable cursors mean the first page.
    """
    matching = find(owner, filters)
    total = matching.count()
    games = matching.only(*_SHOWN)
    below, above = _position(older), _position(newer)
    if above is not None and below is None:
        # Read upward from the cursor, then turn the page the right way round.
        rows = list(games.filter(_above(*above)).order_by("ended_at", "id")[: PAGE_SIZE + 1])
        more_above, rows = len(rows) > PAGE_SIZE, rows[:PAGE_SIZE][::-1]
        if len(rows) == PAGE_SIZE:
            return _shelf(rows, total, has_older=True, has_newer=more_above)
        below = None  # fewer than a page above: that is the first page
    if below is not None:
        games = games.filter(_below(*below))
    rows = list(games.order_by("-ended_at", "-id")[: PAGE_SIZE + 1])
    more = len(rows) > PAGE_SIZE
    return _shelf(rows[:PAGE_SIZE], total, has_older=more, has_newer=below is not None)


def _shelf(rows: list[Game], total: int, *, has_older: bool, has_newer: bool) -> Shelf:
    return Shelf(
        games=tuple(rows),
        total=total,
        older=cursor(rows[-1]) if rows and has_older else "",
        newer=cursor(rows[0]) if rows and has_newer else "",
    )


def cursor(game: Game) -> str:
    """Write the place of a finished game in the order: microseconds of its end, and its id."""
    assert game.ended_at is not None
    return f"{(game.ended_at - _EPOCH) // dt.timedelta(microseconds=1)}-{game.pk}"


def _position(text: str) -> tuple[dt.datetime, str] | None:
    match = _CURSOR.fullmatch(text)
    if match is None:
        return None
    try:
        return _EPOCH + dt.timedelta(microseconds=int(match[1])), match[2]
    except OverflowError:
        return None


def _below(when: dt.datetime, pk: str) -> Q:
    return Q(ended_at__lt=when) | Q(ended_at=when, id__lt=pk)


def _above(when: dt.datetime, pk: str) -> Q:
    return Q(ended_at__gt=when) | Q(ended_at=when, id__gt=pk)
