"""The board's tables as they are stored, and their lines as a page shows them."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from negotiation.charts.svg import element
from training.evaluation.summary import Card, PolicyResult
from training.leaderboard.models import BoardName, Standing
from training.leaderboard.rating import MIDDLE, RankRange, Ratings, rank_ranges

Kind = Literal["policy", "bot", "seller", "person", "house"]
Name = Literal["policies", "people"]
FORMAT = 1  # Of the stored tables; one of another format is made anew


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Who is rated. ``key`` is its name in the games; ``is_ranked`` False: rated out of the race.

    ``verified`` speaks of bots; ``seat`` is the side played; ``games`` counts winnable ones.
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


def store(name: Name | Literal["sparring"], body: msgspec.Struct, made_from: str) -> None:
    """Keep a table for the pages, or bouts; it replaces the one before."""
    fresh = {"made_from": made_from, "made_at": timezone.now(), "body": msgspec.to_builtins(body)}
    Standing.objects.update_or_create(name=name, defaults=fresh)


def is_fresh(name: Name, source: str) -> bool:
    """Whether the stored table was made from this."""
    known = stored(name)
    return known is not None and known[1].made_from == source


WIDTH, HEIGHT = 240, 20
MARGIN = 6
THICK = 8
DOT = 2.5
SHOWN = 100  # People of one seat whom a page shows; the file has all
TOP_PEOPLE, TOP_HOUSE = 8, 3  # Shown on the board's first page


class Scale(msgspec.Struct, frozen=True):
    """The points that all bars of a table run over."""

    low: float
    high: float

    def x(self, points: float) -> float:
        """Place points."""
        part = (points - self.low) / (self.high - self.low)
        return MARGIN + (WIDTH - 2 * MARGIN) * min(max(part, 0.0), 1.0)


class Line(msgspec.Struct, frozen=True):
    """One player: what is known of it, its place (None: no points yet), its card in numbers."""

    player: Player
    place: Place | None = None
    rating_bar: SafeString = SafeString()
    card: Card | None = None
    is_yours: bool = False
    is_trained: bool = False

    @property
    def title(self) -> str:
        """What people call the player."""
        return self.player.title

    @property
    def page(self) -> str:
        """Address of a bot's page, or of where a model was trained; "" for anybody else."""
        if self.is_trained:
            return reverse("training")
        is_bot = self.player.kind == "bot"
        return reverse("bot", args=[self.player.key.removeprefix("bot:")]) if is_bot else ""


class SeatTable(msgspec.Struct, frozen=True):
    """The people of one seat (``more`` are not shown), the site's players beside and opposite."""

    lines: tuple[Line, ...]
    opposite: tuple[Line, ...]
    more: int = 0

    @property
    def has_people(self) -> bool:
        """Somebody has a place here."""
        return any(line.player.kind == "person" for line in self.lines)

    @property
    def top(self) -> tuple[Line, ...]:
        """The best people, whoever asks, and the best of the house, in their order."""
        people = [line for line in self.lines if line.player.kind == "person"]
        house = [line for line in self.lines if line.player.kind != "person"]
        yours = [line for line in people if line.is_yours]
        kept = [*people[:TOP_PEOPLE], *yours, *house[:TOP_HOUSE]]
        return tuple(line for line in self.lines if line in kept)


def policy_lines(table: Table | None, results: Sequence[PolicyResult]) -> tuple[Line, ...]:
    """List the policies and bots; without points they stand by share."""
    cards = {one.policy: one.mean for one in results}
    trained = {one.policy for one in results if one.kind == "model"}
    if table is None:
        ordered = sorted(results, key=lambda one: -_share(one.mean))
        return tuple(
            Line(player=_plain(one), card=one.mean, is_trained=one.policy in trained)
            for one in ordered
        )
    # A bot may have been withdrawn since the table was made.
    here = [one for one in table.places if one.player.key in cards]
    return tuple(
        msgspec.structs.replace(line, is_trained=line.player.key in trained)
        for line in lines_of(here, cards)
    )


def lines_of(places: Sequence[Place], cards: Mapping[str, Card] | None = None) -> tuple[Line, ...]:
    """Draw the places of one table on one scale."""
    scale = scale_of(places)
    return tuple(
        Line(one.player, one, rating_bar(one, scale), (cards or {}).get(one.player.key))
        for one in places
    )


def people_lines(table: Table | None, visitor: str, most: int = SHOWN) -> dict[str, SeatTable]:
    """List the people of each seat, and whom of the site they met."""
    places = table.places if table else ()
    named = {str(one.pk): one for one in BoardName.objects.exclude(name="")}
    found: dict[str, SeatTable] = {}
    for seat, other in (("seller", "buyer"), ("buyer", "seller")):
        chair = [one for one in places if _sits(one, seat, "person", "policy")]
        theirs = lines_of(sorted(chair, key=lambda one: -one.points))
        lines = [line for line in (_named(one, named, visitor) for one in theirs) if line.title]
        persons = [line for line in lines if line.player.kind == "person"]
        cut = [line for line in persons[most:] if not line.is_yours]
        shown = [line for line in lines if line not in cut] if cut else lines
        house = lines_of([one for one in places if _sits(one, other, "house")])
        found[seat] = SeatTable(tuple(shown), house, len(cut))
    return found


def scale_of(places: Sequence[Place]) -> Scale:
    """Return the scale that holds all intervals of a table."""
    low = min([MIDDLE - 50.0, *(place.low for place in places)])
    high = max([MIDDLE + 50.0, *(place.high for place in places)])
    return Scale(low, high)


def rating_bar(place: Place, scale: Scale) -> SafeString:
    """Draw one rating; the numbers beside it say the same."""
    middle, low, high = scale.x(MIDDLE), scale.x(place.low), scale.x(place.high)
    line: dict[str, object] = {
        "class": "rating-bar-middle",
        "d": f"M{middle:.1f} 0V{HEIGHT}",
        "stroke": "currentColor",
    }
    bar: dict[str, object] = {
        "class": "rating-bar-interval",
        "x": low,
        "y": HEIGHT / 2 - THICK / 2,
        "width": high - low,
        "height": THICK,
        "rx": THICK / 2,
        "fill": "currentColor",
    }
    dot: dict[str, object] = {
        "cx": scale.x(place.points),
        "cy": HEIGHT / 2,
        "r": DOT,
        "fill": "currentColor",
    }
    name = "rating-bar is-provisional" if place.is_provisional else "rating-bar"
    return element(
        "svg",
        {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "class": name, "aria-hidden": "true"},
        element("path", line),
        element("rect", bar),
        element("circle", dot),
    )


def _sits(place: Place, seat: str, *kinds: Kind) -> bool:
    return place.player.seat == seat and place.player.kind in kinds


def _named(line: Line, named: Mapping[str, BoardName], visitor: str) -> Line:
    if line.player.kind != "person":
        return line
    entry = named.get(line.player.key.split()[0])
    player = msgspec.structs.replace(line.player, title=entry.name if entry else "")
    yours = bool(visitor) and entry is not None and entry.owner == visitor
    return msgspec.structs.replace(line, player=player, is_yours=yours)


def _plain(result: PolicyResult) -> Player:
    kind = "bot" if result.kind == "bot" else "policy"
    return Player(
        key=result.policy,
        kind=kind,  # type: ignore[arg-type]
        title=result.title,
        version=result.version,
        games=result.mean.winnable,
    )


def _share(card: Card) -> float:
    return card.share_of_winnable.mean if card.share_of_winnable else 0.0
