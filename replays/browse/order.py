"""The orders of the shelf and the cursors that mark a place in them.

A cursor holds the values a game is sorted by, not a page number: a game that ends while somebody
reads shifts no page. Each order has an index of its own (``negotiation/models.py``).
"""

import base64
import binascii
import datetime as dt
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from django.db.models import BooleanField, F, Func, Q, Value
from django.db.models.lookups import GreaterThan, LessThan

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)
_PLACE = re.compile(r"(?:([\w.-]{0,700})~)?(\d{1,17})-([0-9a-z]{1,12})", re.ASCII)
_SHARE = re.compile(r"[01]\.\d{1,20}|\d\.\d{1,20}e-\d\d|\de-\d\d", re.ASCII)

Key = tuple[Any, ...]
"""The values a game is sorted by: those of ``Order.columns``."""


class Order(msgspec.Struct, frozen=True):
    """One row of the table: a name for addresses, words for people, the columns and their sense.

    ``first`` is what the order puts first; games in which that is unknown have no place in it (a
    price, where there was no deal).
    """

    name: str
    label: str
    first: str = ""
    descending: bool = True
    kind: type = int

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are compared one after the other; the last one is unique."""
        return (self.first, "ended_at", "id") if self.first else ("ended_at", "id")


ORDERS: tuple[Order, ...] = (
    Order("newest", "Newest first"),
    Order("oldest", "Oldest first", descending=False),
    Order("price", "Highest price first", "deal_price"),
    Order("buyer", "Biggest share for the buyer", "buyer_share", kind=float),
    Order("seller", "Biggest share for the seller", "seller_share", kind=float),
    Order("rounds", "Most rounds first", "rounds_used"),
    Order("title", "By title, A to Z", "search_text", descending=False, kind=str),
)
SORTS: tuple[tuple[str, str], ...] = tuple((order.name, order.label) for order in ORDERS)
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


def has_place(order: Order) -> Q:
    """Return the condition for games that have a place in an order."""
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
