"""The ready tables of the board, as they are stored."""

from typing import Literal

import msgspec
from django.utils import timezone

from training.leaderboard.models import Standing
from training.leaderboard.rating.points import RankRange, Ratings, rank_ranges

Kind = Literal["policy", "bot", "seller", "person", "house"]
Name = Literal["policies", "people"]

FORMAT = 1
"""Of the stored tables; one of another format is made anew."""


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Who is rated. ``key`` is its name in the games; ``is_ranked`` False: rated out of the race.

    ``verified`` speaks of bots; ``seat`` is the side that was played; ``games`` counts winnable
    ones.
    """

    key: str
    kind: Kind
    title: str
    version: str = ""
    seat: str = "buyer"
    games: int = 0
    verified: bool | None = None
    is_ranked: bool = True


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A player's points with their 95 % interval, and its range of ranks (None: not ranked)."""

    player: Player
    points: float
    low: float
    high: float
    is_provisional: bool
    ranks: RankRange | None = None

    @property
    def half_width(self) -> float:
        """How far the interval reaches to a side."""
        return (self.high - self.low) / 2


class Table(msgspec.Struct, frozen=True):
    """Players by points, ranked ones first; ``sellers`` are the pinned opponents of the first."""

    places: tuple[Place, ...]
    sellers: tuple[Place, ...] = ()
    payoffs: int = 0
    format: int = FORMAT


def places_of(players: list[Player], ratings: Ratings) -> tuple[Place, ...]:
    """Put players in order."""
    ranges = rank_ranges(ratings, [one.is_ranked for one in players])
    places = [
        Place(
            player=player,
            points=rating.points,
            low=rating.low,
            high=rating.high,
            is_provisional=rating.is_provisional,
            ranks=ranks,
        )
        for player, rating, ranks in zip(players, ratings.ratings, ranges, strict=True)
    ]
    return tuple(sorted(places, key=lambda one: (one.ranks is None, -one.points, one.player.key)))


def stored(name: Name) -> tuple[Table, Standing] | None:
    """Return a table and its row; None while there is none of the present format."""
    row = Standing.objects.filter(pk=name).first()
    if row is None or row.body.get("format") != FORMAT:
        return None
    return msgspec.convert(row.body, Table), row


def store(name: Name, table: Table, made_from: str) -> None:
    """Keep a table for the pages; it replaces the one before."""
    fresh = {"made_from": made_from, "made_at": timezone.now(), "body": msgspec.to_builtins(table)}
    Standing.objects.update_or_create(name=name, defaults=fresh)


def is_fresh(name: Name, source: str) -> bool:
    """Whether the stored table was made from this."""
    known = stored(name)
    return known is not None and known[1].made_from == source
