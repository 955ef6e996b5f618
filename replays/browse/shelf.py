"""Which finished games a visitor may open, and how they are found.

A replay is public only when its player agreed to share it; its owner always sees it. Everything
else (live, unknown, somebody else's) looks the same from outside: there is nothing.

What is public and what is one's own are asked for apart: each question then has an index that
answers it, which an "or" of both has not.
"""

import base64
import binascii
import datetime as dt
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from django.db.models import BooleanField, F, Func, Q, QuerySet, Value
from django.db.models.lookups import GreaterThan, LessThan

from negotiation.models import CLOSED, Game
from negotiation.sentences import sentences
from negotiation.words import search_words

say = sentences(__file__)

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)
_PLACE = re.compile(r"(?:([\w.-]{0,700})~)?(\d{1,17})-([0-9a-z]{1,12})", re.ASCII)
_SHARE = re.compile(r"[01]\.\d{1,20}|\d\.\d{1,20}e-\d\d|\de-\d\d", re.ASCII)

Key = tuple[Any, ...]


class Order(msgspec.Struct, frozen=True):
    """A name for addresses, words for people, the columns a list is sorted by, and their sense.

    Games in which ``first`` is unknown have no place in it (a price, where there was no deal).
    """

    name: str
    label: Any
    first: str = ""
    descending: bool = True
    kind: type = int

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are compared one after the other; the last one is unique."""
        return (self.first, "ended_at", "id") if self.first else ("ended_at", "id")


ORDERS: tuple[Order, ...] = (
    Order("newest", say.lazy("newest_first")),
    Order("oldest", say.lazy("oldest_first"), descending=False),
    Order("price", say.lazy("highest_price_first"), "deal_price"),
    Order("buyer", say.lazy("biggest_share_for_the_buyer"), "buyer_share", kind=float),
    Order("seller", say.lazy("biggest_share_for_the_seller"), "seller_share", kind=float),
    Order("rounds", say.lazy("most_rounds_first"), "rounds_used"),
    Order("title", say.lazy("by_title_a_to_z"), "search_text", descending=False, kind=str),
)
SORTS: tuple[tuple[str, Any], ...] = tuple((order.name, order.label) for order in ORDERS)
_by_name = {order.name: order for order in ORDERS}


def order_of(name: str) -> Order:
    """Return an order by its name; an unknown one means newest first."""
    return _by_name.get(name, ORDERS[0])


def beyond(order: Order, key: Key, *, back: bool) -> LessThan | GreaterThan:
    """Return the condition for what stands after a place in an order (``back``: before it)."""
    here = [Value(part) for part in key]
    compare = LessThan if order.descending != back else GreaterThan
    # A comparison of rows, not of columns one by one: both databases find its place in the index.
    return compare(_Row(*map(F, order.columns)), _Row(*here))


def _has_place(order: Order) -> Q:
    return Q(**{f"{order.first}__isnull": False}) if order.first else Q()


def to_cursor(order: Order, key: Sequence[Any]) -> str:
    """Return a place as text: value, tilde, microseconds of the end, dash, id."""
    *value, ended_at, pk = key
    head = f"{_written(value[0])}~" if value else ""
    return f"{head}{(ended_at - _EPOCH) // _MICROSECOND}-{pk}"


def from_cursor(order: Order, text: str) -> Key | None:
    """Return the place that a text names; None where it is no place in this order."""
    match = _PLACE.fullmatch(text[:800])
    if match is None or (match[1] is not None) != bool(order.first):
        return None
    try:
        ended_at = _EPOCH + int(match[2]) * _MICROSECOND
        value = (_READERS[order.kind](match[1]),) if order.first else ()
    except (OverflowError, ValueError, binascii.Error):
        return None
    return (*value, ended_at, match[3])


class _Row(Func):
    template = "(%(expressions)s)"
    arg_joiner = ", "
    # Rows are only compared with rows; Django wants to know a type all the same.
    output_field = BooleanField()


def _written(value: float | str) -> str:
    if isinstance(value, str):
        return base64.urlsafe_b64encode(value.encode()).decode().rstrip("=")
    return repr(value)


def _to_int(text: str) -> int:
    if not text.isdecimal() or len(text) > 15:
        raise ValueError("not a place")
    return int(text)


def _to_share(text: str) -> float:
    if _SHARE.fullmatch(text) is None:
        raise ValueError("not a place")
    return float(text)


def _to_words(text: str) -> str:
    words = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    if "\x00" in words:
        raise ValueError("not a place")
    return words


_READERS: dict[type, Callable[[str], Any]] = {int: _to_int, float: _to_share, str: _to_words}


PAGE_SIZE = 20
MOST_COUNTED = 10_000  # one by one; beyond that the shelf says "10,000+"

OUTCOMES: tuple[tuple[str, Any], ...] = (
    ("", say.lazy("any_ending")),
    ("deal", say.lazy("deal")),
    ("walk", say.lazy("somebody_walked")),
    ("expired", say.lazy("rounds_ran_out")),
)
# Shown without asking.
OF_THIS_SITE = (
    Game.Source.PERSON, Game.Source.EXAMPLE, Game.Source.ARENA, Game.Source.SIMULATION,
)  # fmt: skip

# Written as a list of one: Django tests a bare boolean, which SQLite looks up in no index.
_SHARED, _KEPT = {"share_replay__in": (True,)}, {"share_replay__in": (False,)}

FACETS = ("outcome", "suite", "policy", "persona", "source")

_SHOWN = (
    "id", "kind", "title", "category", "outcome", "deal_price", "seller_share", "buyer_share",
    "rounds_used", "ended_at", "share_replay", "words_by", "status", "seat", "policy",
    "policy_version", "source", "suite", "persona", "parent_id", "forked_at_seq",
    "last_seq", "photo", "names", "language",
)  # fmt: skip


class Filters(msgspec.Struct, frozen=True):
    """What a visitor is looking for, and in which order; empty means everything.

    ``title`` are words of the title or the category, ``suite`` the task. Without a ``source``,
    what-ifs stay out, and imports of others.
    """

    title: str = ""
    outcome: str = ""
    mine: bool = False
    suite: str = ""
    policy: str = ""
    persona: str = ""
    source: str = ""
    sort: str = "newest"


class Shelf(msgspec.Struct, frozen=True):
    """One page of replays, with the cursors of its neighbours, empty where there is none."""

    games: tuple[Game, ...]
    total: int
    older: str = ""
    newer: str = ""

    @property
    def is_counted(self) -> bool:
        """``total`` is exact."""
        return self.total <= MOST_COUNTED

    @property
    def count_text(self) -> str:
        """The number of games as people read it."""
        return f"{self.total:,}" if self.is_counted else f"{MOST_COUNTED:,}+"


def read_in(language: str, games: Sequence[Game]) -> list[Game]:
    """Leave out what is spoken in another language, as far as that is known."""
    return [game for game in games if game.language[:2] in ("", language)]


def visible(owner: str) -> QuerySet[Game]:
    """Return the finished games that the visitor with this session key may open."""
    allowed = Q(share_replay=True)
    if owner:
        # Not joined: whoever looks has one row of a game, however many seats its match has.
        sat_at = Game.objects.filter(match__seats__owner=owner)
        allowed |= _played_by(owner) | Q(pk__in=sat_at.values("pk"))
    return Game.objects.filter(allowed, status=Game.Status.ENDED).exclude(suite=CLOSED)


def browse(owner: str, filters: Filters, *, older: str = "", newer: str = "") -> Shelf:
    """Return one page: the one just after ``older``, or just before ``newer``, else the first."""
    order = order_of(filters.sort)
    parts = _parts(owner, filters, order)
    after, before = from_cursor(order, older), from_cursor(order, newer)
    if before is not None and after is None:
        keys = _keys(parts, order, before, back=True)
        if len(keys) >= PAGE_SIZE:
            more, page = len(keys) > PAGE_SIZE, keys[:PAGE_SIZE][::-1]
            return _shelf(page, order, _count(parts), has_older=True, has_newer=more)
        # Fewer than a page before it: that is the first page.
    keys = _keys(parts, order, after)
    more = len(keys) > PAGE_SIZE
    total = _count(parts) if more or after is not None else len(keys)
    return _shelf(keys[:PAGE_SIZE], order, total, has_older=more, has_newer=after is not None)


def cursor(game: Game, sort: str = "newest") -> str:
    """Return the cursor of a finished game in an order."""
    order = order_of(sort)
    return to_cursor(order, [getattr(game, name) for name in order.columns])


def _parts(owner: str, filters: Filters, order: Order) -> list[QuerySet[Game]]:
    ended = Game.objects.filter(status=Game.Status.ENDED).order_by()
    own = ended.filter(_played_by(owner)) if owner else Game.objects.none()
    if filters.mine:
        return [_saying(_narrowed(_just(own), filters, order, own=True), filters.title)]
    public = _narrowed(ended.filter(**_SHARED), filters, order)
    parts = [_saying(public, filters.title)]
    if owner:
        kept = _narrowed(_just(own.filter(**_KEPT)), filters, order, own=True)
        parts.append(_saying(kept, filters.title))
    return parts


def _played_by(owner: str) -> Q:
    """Match a visitor's own games, less those whose person is not to know all of them (yet)."""
    is_told = Q(terms__reveal__isnull=True)
    is_told |= Q(terms__reveal="at_debrief", terms__is_debriefed=True)
    own = Q(owner=owner) | Q(rival=owner)
    return own & is_told & Q(terms__persona_told__isnull=True)


def _just(games: QuerySet[Game]) -> QuerySet[Game]:
    """Look these games up first: one visitor has few, so no index of an order is wanted."""
    return Game.objects.filter(pk__in=games.values("pk")).order_by()


def _narrowed(
    games: QuerySet[Game], filters: Filters, order: Order, *, own: bool = False
) -> QuerySet[Game]:
    if any(not _is_storable(getattr(filters, name)) for name in FACETS):
        return games.none()
    games = games.filter(_has_place(order))
    for name in FACETS:
        if value := getattr(filters, name):
            games = games.filter(**{name: value})
    if filters.source:
        return games
    return (
        games.exclude(source=Game.Source.WHAT_IF) if own else games.filter(source__in=OF_THIS_SITE)
    )


def _is_storable(value: str) -> bool:
    # PostgreSQL refuses NUL, SQLite half a surrogate pair: no stored name has either.
    return value.isprintable()


def _saying(games: QuerySet[Game], text: str) -> QuerySet[Game]:
    for spellings in search_words(text):
        either = Q()
        for word in spellings:
            either |= Q(search_text__contains=f" {word}")
        games = games.filter(either)
    return games


def _count(parts: Sequence[QuerySet[Game]]) -> int:
    counted = (part.values("pk")[: MOST_COUNTED + 1].count() for part in parts)
    return min(sum(counted), MOST_COUNTED + 1)


def _keys(
    parts: Sequence[QuerySet[Game]], order: Order, place: Key | None, *, back: bool = False
) -> list[Key]:
    descending = order.descending != back
    ways = [f"-{name}" if descending else name for name in order.columns]
    keys: list[Key] = []
    for part in parts:
        near = part if place is None else part.filter(beyond(order, place, back=back))
        keys += near.order_by(*ways).values_list(*order.columns)[: PAGE_SIZE + 1]
    keys.sort(reverse=descending)
    return keys[: PAGE_SIZE + 1]


def _shelf(keys: list[Key], order: Order, total: int, *, has_older: bool, has_newer: bool) -> Shelf:
    # The places come from an index alone; only the games that are shown are read.
    games: dict[Any, Game] = (
        Game.objects.only(*_SHOWN).order_by().in_bulk([key[-1] for key in keys])
    )
    return Shelf(
        games=tuple(games[key[-1]] for key in keys if key[-1] in games),
        total=total,
        older=to_cursor(order, keys[-1]) if keys and has_older else "",
        newer=to_cursor(order, keys[0]) if keys and has_newer else "",
    )
